#!/bin/sh
# Installs nonzero from a release on Linux or macOS; install.ps1 does it on Windows. `sh install.sh --help` says how.
# Everything stands in functions that the last line calls, so that a copy of this file that was cut short does nothing.
set -eu
LC_ALL=C
export LC_ALL
umask 022

# What a signature of a release is for; toolchain/sign.ts has the same.
NAMESPACE=nonzero-release

usage() {
  cat <<'END'
sh install.sh [OPTION]...

Takes a release's archive, checks its digest and, with --key, the signature, and only then unpacks it. Where anything
is not as it must be, nothing is installed and an older install stays as it was.

  --version X.Y.Z    this version; otherwise the latest
  --base-url URL     where releases are: URL/download/vX.Y.Z/FILE and URL/latest/download/FILE. https, or http to
                     this machine itself. Otherwise the variable NONZERO_BASE_URL says it
  --from FILE        take this archive and download nothing; SHA256SUMS must be beside it unless --sha256 is given
  --sha256 DIGEST    what the archive must have, wherever it comes from
  --key KEY          a public key "ssh-ed25519 AAAA..." or a file with one: SHA256SUMS must be signed by it
                     (SHA256SUMS.sig; needs ssh-keygen)
  --target TRIPLE    another system or processor than this machine's
  --prefix DIR       the folder to install to, which is replaced as a whole, and no link to it. Otherwise
                     ~/.local/share/nonzero and a link ~/.local/bin/nonzero
  --allow-root       install as root, which is refused otherwise
  --help             print this

Exit code: 0 installed, 1 not installed, 64 an unknown or missing argument.
END
}

# What a message holds may come from an archive or a server.
complain() {
  printf 'install.sh: %s\n' "$(printf '%s' "$*" | tr -c '[:print:]' '?')" >&2
}

fail() {
  complain "$*"
  exit 1
}

refuse_usage() {
  complain "$*"
  echo "Try: sh install.sh --help" >&2
  exit 64
}

has() {
  command -v "$1" >/dev/null 2>&1
}

# Takes away what a failure must not leave: the work, the lock and folders that were made for the install.
clean_up() {
  code=$?
  trap '' HUP INT TERM PIPE
  trap - EXIT
  [ -z "$work" ] || rm -rf "$work"
  [ -z "$lock" ] || rmdir "$lock"
  [ -z "$new_link" ] || rm -f "$new_link"
  if [ "$code" -ne 0 ]; then
    printf '%s' "$made" | while IFS= read -r folder; do
      rmdir "$folder" 2>/dev/null || true
    done
  fi
  exit "$code"
}

catch_signals() {
  trap 'exit 129' HUP
  trap 'exit 130' INT
  trap 'exit 141' PIPE
  trap 'exit 143' TERM
}

# make_folder PATH: makes it and what is missing above it; the last one made is the first in $made.
make_folder() {
  [ ! -d "$1" ] || return 0
  make_folder "$(dirname "$1")"
  mkdir -p "$1" || fail "cannot make the folder $1"
  made="$1
$made"
}

# Says this machine's target.
detect_target() {
  cpu=$(uname -m)
  case $(uname -s) in
    Linux)
      libc=gnu
      if ! getconf GNU_LIBC_VERSION >/dev/null 2>&1; then
        for loader in /lib/ld-musl-*; do
          [ ! -e "$loader" ] || libc=musl
        done
      fi
      system=unknown-linux-$libc
      ;;
    Darwin)
      system=apple-darwin
      # A translated shell takes the processor for an Intel one.
      [ "$(sysctl -n sysctl.proc_translated 2>/dev/null || true)" != 1 ] || cpu=arm64
      ;;
    *) fail "there is no release for $(uname -s) that this script can install; on Windows use install.ps1" ;;
  esac
  case $cpu in
    x86_64 | amd64) cpu=x86_64 ;;
    aarch64 | arm64) cpu=aarch64 ;;
    *) fail "there is no release for the processor $cpu" ;;
  esac
  echo "$cpu-$system"
}

check_target() {
  case $1 in
    x86_64-unknown-linux-gnu | aarch64-unknown-linux-gnu | x86_64-unknown-linux-musl | \
      aarch64-unknown-linux-musl | x86_64-apple-darwin | aarch64-apple-darwin) ;;
    *) refuse_usage "no archive for \"$1\" can be installed by this script" ;;
  esac
}

is_digest() {
  [ "${#1}" -eq 64 ] || return 1
  case $1 in
    *[!0-9a-f]*) return 1 ;;
  esac
}

is_version() {
  printf '%s\n' "$1" | grep -Eqx '(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)'
}

# The digest of a file, by whatever this system has for it.
digest_of() {
  if has sha256sum; then
    sha256sum <"$1" | cut -c 1-64
  elif has shasum; then
    shasum -a 256 <"$1" | cut -c 1-64
  elif has openssl; then
    openssl dgst -sha256 -r <"$1" | cut -c 1-64
  else
    fail "cannot check a digest: there is no sha256sum, shasum or openssl"
  fi
}

# What SHA256SUMS says of a name, if it does so once.
digest_for() {
  awk -v name="$1" '
    substr($0, 65, 2) == "  " && substr($0, 67) == name { count++; digest = substr($0, 1, 64) }
    END { if (count == 1) print digest }
  ' "$work/SHA256SUMS"
}

# The one version that SHA256SUMS has an archive of, for the target.
version_of_sums() {
  awk -v end="-$target.tar.gz" '
    {
      name = substr($0, 67)
      length_of_version = length(name) - length(end) - 8
      if (length_of_version < 5 || substr(name, 1, 8) != "nonzero-") next
      if (substr(name, 9 + length_of_version) != end) next
      version = substr(name, 9, length_of_version)
      if (version !~ /^[0-9]+\.[0-9]+\.[0-9]+$/) next
      count++
    }
    count == 1 && found == "" { found = version }
    END { if (count == 1) print found }
  ' "$work/SHA256SUMS"
}

# Whether a URL is to this machine itself, without encryption.
is_loopback() {
  case $1 in
    http://*) ;;
    *) return 1 ;;
  esac
  authority=${1#http://}
  authority=${authority%%/*}
  case $authority in
    "[::1]" | "[::1]":*) port=${authority#"[::1]"} ;;
    *) port=${authority#"${authority%%:*}"} ;;
  esac
  case ${authority%"$port"} in
    127.0.0.1 | localhost | "[::1]") ;;
    *) return 1 ;;
  esac
  case ${port#:} in
    *[!0-9]*) return 1 ;;
  esac
}

check_url() {
  case $1 in
    *[!]A-Za-z0-9:/._~%+[-]*) refuse_usage "the address \"$1\" has a character that none needs" ;;
    https://?*) ;;
    *) is_loopback "$1" || refuse_usage "the address \"$1\" is not https" ;;
  esac
}

# fetch_by_wget URL FILE: follows redirections itself, since wget would go from https to http.
fetch_by_wget() {
  address=$1
  hops=0
  proxy=--proxy
  ! is_loopback "$1" || proxy=--no-proxy
  while :; do
    if wget "$proxy" --max-redirect=0 --server-response --tries=3 --timeout=60 --output-document="$2" \
      "$address" 2>"$work/wget"; then
      return 0
    fi
    next=$(sed -n 's/^ *[Ll]ocation: *\([^ ]*\).*$/\1/p' "$work/wget" | tail -n 1 | tr -d '\r')
    hops=$((hops + 1))
    case $next in
      https://*) ;;
      "")
        tail -n 3 "$work/wget" >&2
        return 1
        ;;
      *)
        complain "$address leads to an address that is not https"
        return 1
        ;;
    esac
    [ "$hops" -le 5 ] || return 1
    address=$next
    proxy=--proxy
  done
}

# fetch URL FILE
fetch() {
  if has curl; then
    if is_loopback "$1"; then
      set -- "$1" "$2" --noproxy '*' --proto =http
    else
      set -- "$1" "$2" --proto =https --tlsv1.2
    fi
    address=$1
    file=$2
    shift 2
    curl --globoff --fail --silent --show-error --location --proto-redir =https --connect-timeout 30 --retry 2 \
      "$@" --output "$file" "$address" || fail "cannot download $address"
  elif has wget && wget --version 2>/dev/null | grep -q '^GNU Wget'; then
    # That of BusyBox takes any certificate.
    fetch_by_wget "$1" "$2" || fail "cannot download $1"
  else
    fail "cannot download: there is neither curl nor GNU wget; fetch the files yourself and use --from"
  fi
}

# Sets $key to the two words of a public key, given as such or by a file.
read_key() {
  case $1 in
    "ssh-ed25519 "*) lines=$1 ;;
    *)
      [ -f "$1" ] || refuse_usage "--key is neither an ssh-ed25519 public key nor a file: $1"
      lines=$(tr -d '\r' <"$1" | sed -e '/^[[:space:]]*#/d' -e '/^[[:space:]]*$/d')
      ;;
  esac
  key=$(printf '%s\n' "$lines" | awk '
    NF >= 2 && $1 == "ssh-ed25519" && $2 ~ /^[A-Za-z0-9+\/]+=*$/ { key = $1 " " $2 }
    END { if (NR == 1) print key }
  ')
  [ -n "$key" ] || refuse_usage "--key does not hold one ssh-ed25519 public key"
}

check_signature() {
  has ssh-keygen || fail "cannot check the signature: there is no ssh-keygen"
  printf 'nonzero namespaces="%s" %s\n' "$NAMESPACE" "$key" >"$work/signers"
  if ! ssh-keygen -Y verify -f "$work/signers" -I nonzero -n "$NAMESPACE" -s "$work/SHA256SUMS.sig" \
    <"$work/SHA256SUMS" >/dev/null 2>"$work/why"; then
    why=$(tail -n 1 "$work/why")
    fail "SHA256SUMS is not signed by that key${why:+: $why}"
  fi
}

# Puts the archive and what vouches for it into $work, and sets $name and $version; $version may stay empty.
get_local() {
  [ -f "$from" ] || fail "there is no file $from"
  name=${from##*/}
  beside=${from%/*}
  # From here on nobody else changes it.
  cp "$from" "$work/archive" || fail "cannot copy $from"
  for file in SHA256SUMS SHA256SUMS.sig; do
    [ ! -f "$beside/$file" ] || cp "$beside/$file" "$work/$file" || fail "cannot copy $file"
  done
  [ -z "$key" ] || [ -f "$work/SHA256SUMS.sig" ] || fail "there is no SHA256SUMS.sig beside $from"
  [ -f "$work/SHA256SUMS" ] || [ -n "$sha256" ] ||
    fail "there is no SHA256SUMS beside $from, and no --sha256"
}

get_remote() {
  folder=$base_url/latest/download
  [ -z "$version" ] || folder=$base_url/download/v$version
  fetch "$folder/SHA256SUMS" "$work/SHA256SUMS"
  [ -z "$key" ] || fetch "$folder/SHA256SUMS.sig" "$work/SHA256SUMS.sig"
  [ -z "$key" ] || check_signature
  if [ -z "$version" ]; then
    version=$(version_of_sums)
    [ -n "$version" ] || fail "SHA256SUMS does not name one archive for $target"
  fi
  name=nonzero-$version-$target.tar.gz
  [ -n "$(digest_for "$name")" ] || fail "SHA256SUMS has no single line for $name"
  fetch "$base_url/download/v$version/$name" "$work/archive"
}

check_archive() {
  [ -z "$key" ] || check_signature
  found=$(digest_of "$work/archive")
  is_digest "$found" || fail "cannot check a digest: its tool does not work"
  # A digest that was given vouches for an archive of any name, unless a signature is wanted.
  if [ -f "$work/SHA256SUMS" ] && { [ -z "$sha256" ] || [ -n "$key" ] || [ -z "$from" ]; }; then
    case $name in
      nonzero-*-"$target".tar.gz) ;;
      *) fail "$name is not called as an archive for $target" ;;
    esac
    wanted=$(digest_for "$name")
    is_digest "$wanted" || fail "SHA256SUMS has no single line for $name"
    [ "$found" = "$wanted" ] || fail "$name is not what SHA256SUMS says: its digest is $found"
  fi
  [ -z "$sha256" ] || [ "$found" = "$sha256" ] || fail "$name is not what --sha256 says: its digest is $found"
}

# Refuses an archive that has other entries than folders, plain files and further names of those, all inside.
check_entries() {
  if ! tar -tzf "$work/archive" >"$work/names" 2>"$work/said" ||
    ! tar -tvzf "$work/archive" >"$work/entries" 2>>"$work/said"; then
    fail "the archive cannot be read: $(tail -n 1 "$work/said")"
  fi
  # Some tell of an absolute path or ".." here, and list it without.
  [ ! -s "$work/said" ] || fail "the archive is refused: $(head -n 1 "$work/said")"
  bad=$(awk '
    { path = $0; sub(/^\.\//, "", path) }
    path ~ /[^A-Za-z0-9._+\/-]/ || path ~ /^[\/-]/ || path ~ /(^|\/)\.\.(\/|$)/ { print; exit }
  ' "$work/names")
  [ -z "$bad" ] || fail "the archive is refused: an entry is called \"$bad\""
  bad=$(awk '
    FILENAME == ARGV[1] { known[$0]; names++; next }
    { lines++ }
    $1 !~ /^[-dh][r-][w-][x-][r-][w-][x-][r-][w-][x-][.+@]?$/ { print; exit }
    / link to | -> / && !($NF in known) { print; exit }
    END { if (lines != names) print "the two lists of entries differ" }
  ' "$work/names" "$work/entries")
  [ -z "$bad" ] || fail "the archive is refused: $bad"
}

# Unpacks into $work and sets $unpacked.
unpack() {
  check_entries
  mkdir "$work/new"
  tar -xozf "$work/archive" -C "$work/new" || fail "the archive cannot be unpacked"
  rm "$work/archive"
  unpacked=$work/new
  if [ ! -f "$unpacked/nonzero" ]; then
    for folder in "$work"/new/*; do
      [ ! -f "$folder/nonzero" ] || unpacked=$folder
    done
  fi
  for file in nonzero BUILD.json; do
    [ -f "$unpacked/$file" ] || fail "the archive is none of nonzero: it has no $file"
  done
  chmod -R u+rwX,go+rX,go-w "$unpacked"
  [ -x "$unpacked/nonzero" ] || fail "the archive's nonzero is not executable"
  built=$(sed -n 's/^  "target": "\([^"]*\)",\{0,1\}$/\1/p' "$unpacked/BUILD.json")
  [ "$built" = "$target" ] || fail "the archive is for \"$built\", not for $target"
  built=$(sed -n 's/^  "version": "\([^"]*\)",\{0,1\}$/\1/p' "$unpacked/BUILD.json")
  is_version "$built" || fail "the archive does not say its version"
  [ -z "$version" ] || [ "$built" = "$version" ] || fail "the archive is of version $built, not $version"
  version=$built
  [ "$target" = "$here" ] || return 0
  said=$("$unpacked/nonzero" --version </dev/null 2>&1) || said="$said (exit code $?)"
  [ "$said" = "nonzero $version" ] || fail "the archive's nonzero does not run on this machine: $said"
}

# Refuses to replace what is no install of nonzero.
check_prefix() {
  [ ! -h "$prefix" ] || fail "$prefix is a link; name the folder that it leads to"
  [ -e "$prefix" ] || return 0
  [ -d "$prefix" ] || fail "$prefix is no folder"
  [ -z "$(ls -A "$prefix")" ] || { [ -f "$prefix/nonzero" ] && [ -f "$prefix/BUILD.json" ]; } ||
    fail "$prefix holds something else than nonzero"
}

check_link() {
  [ -n "$link" ] || return 0
  if [ -h "$link" ]; then
    led=$(readlink "$link")
    [ "$led" = "$prefix/nonzero" ] || fail "$link leads to $led; remove it first"
  else
    [ ! -e "$link" ] || fail "$link is there and not of this script; remove it first"
  fi
}

# A lock of its own, since `mv` puts a folder into another that has come to be there.
take_lock() {
  wanted=$parent/.${prefix##*/}.lock
  tries=0
  while :; do
    trap '' HUP INT TERM PIPE
    if mkdir "$wanted" 2>/dev/null; then
      lock=$wanted
      catch_signals
      return 0
    fi
    catch_signals
    tries=$((tries + 1))
    [ -d "$wanted" ] || [ "$tries" -lt 5 ] || fail "cannot make the folder $wanted"
    [ "$tries" -lt 60 ] || fail "another install is at work; if none is, remove $wanted"
    sleep 1
  done
}

# Puts the new folder in the old one's place. No system has a portable exchange of two folders: for some milliseconds
# there is none, and a hook that is not there refuses.
replace() {
  take_lock
  check_prefix
  check_link
  if [ -n "$link" ] && [ ! -h "$link" ]; then
    make_folder "${link%/*}"
    ln -s "$prefix/nonzero" "$link.$$" || fail "cannot make a link in ${link%/*}"
    new_link=$link.$$
  fi
  trap '' HUP INT TERM PIPE
  if [ -d "$prefix" ]; then
    mv "$prefix" "$work/old" || fail "cannot move $prefix"
  fi
  if ! mv "$unpacked" "$prefix"; then
    if [ -d "$work/old" ] && ! mv "$work/old" "$prefix"; then
      complain "the old install is in $work/old"
      work=
    fi
    fail "cannot move the new folder to $prefix"
  fi
  [ -z "$new_link" ] || mv -f "$new_link" "$link" || complain "cannot make the link $link"
  new_link=
  catch_signals
}

read_arguments() {
  version='' base_url=${NONZERO_BASE_URL:-} prefix='' key='' from='' sha256='' target='' allow_root=''
  while [ "$#" -gt 0 ]; do
    case $1 in
      --help)
        usage
        exit 0
        ;;
      --allow-root)
        allow_root=1
        shift
        continue
        ;;
      --version | --base-url | --prefix | --key | --from | --sha256 | --target) ;;
      *) refuse_usage "unknown argument \"$1\"" ;;
    esac
    case ${2:-} in
      "" | --*) refuse_usage "$1 needs a value" ;;
    esac
    case $1 in
      --version) version=$2 ;;
      --base-url) base_url=$2 ;;
      --prefix) prefix=$2 ;;
      --key) read_key "$2" ;;
      --from)
        from=$2
        case $from in
          /*) ;;
          *) from=$PWD/$from ;;
        esac
        ;;
      --sha256) sha256=$(printf '%s' "$2" | tr 'A-F' 'a-f') ;;
      --target) target=$2 ;;
    esac
    shift 2
  done
  [ -z "$version" ] || is_version "$version" || refuse_usage "--version \"$version\" is not of the form X.Y.Z"
  [ -z "$sha256" ] || is_digest "$sha256" || refuse_usage "--sha256 must have 64 hexadecimal digits"
  if [ -z "$from" ]; then
    [ -n "$base_url" ] ||
      refuse_usage "where are releases? There is no public address yet: use --base-url, NONZERO_BASE_URL or --from"
    base_url=${base_url%/}
    check_url "$base_url"
  fi
}

# Sets $prefix, $parent and $link, all absolute.
choose_places() {
  link=
  if [ -z "$prefix" ]; then
    case ${HOME:-} in
      /*) ;;
      *) fail "HOME is not set to a folder; use --prefix" ;;
    esac
    prefix=${HOME%/}/.local/share/nonzero
    link=${HOME%/}/.local/bin/nonzero
  fi
  case $prefix in
    *"
"*) refuse_usage "--prefix has a line break" ;;
    /*) ;;
    *) prefix=$PWD/${prefix#./} ;;
  esac
  while [ "${prefix%/}" != "$prefix" ]; do prefix=${prefix%/}; done
  case $prefix/ in
    */./* | */../*) refuse_usage "--prefix must not have \".\" or \"..\" in it" ;;
    /) refuse_usage "--prefix must not be the root folder" ;;
  esac
  parent=${prefix%/*}
  parent=${parent:-/}
}

tell() {
  echo "nonzero $version for $target is in $prefix"
  [ -n "$key" ] || echo "Its digest was checked; its signature is checked with --key."
  program=$prefix/nonzero
  if [ -n "$link" ]; then
    program=nonzero
    case :${PATH:-}: in
      *:"${link%/*}":*) ;;
      *) echo "Put ${link%/*} on PATH." ;;
    esac
  fi
  echo "Next: \`$program install\` in a project wires it to the coding agent; \`$program --help\` lists the rest."
}

main() {
  work='' lock='' made='' new_link=''
  read_arguments "$@"
  [ "$(id -u)" -ne 0 ] || [ -n "$allow_root" ] ||
    fail "it is not meant to be installed as root; with --allow-root it is"
  here=$(detect_target)
  target=${target:-$here}
  check_target "$target"
  choose_places
  trap clean_up EXIT
  catch_signals
  check_prefix
  check_link
  make_folder "$parent"
  work=$(mktemp -d "${parent%/}/.nonzero-install.XXXXXX") || fail "cannot write to $parent"
  if [ -n "$from" ]; then get_local; else get_remote; fi
  check_archive
  unpack
  replace
  # It is installed, whether or not somebody reads so.
  trap '' PIPE
  tell || true
}

main "$@"
