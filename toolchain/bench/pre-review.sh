#!/bin/sh
# The gate pre-review as a script would do it: less of the grammar, no line numbers, one failure at a time.
for file in "$OAIES_FORMAT_EVIDENCE" "$OAIES_LINT_EVIDENCE"; do
  [ -n "$file" ] || { echo "not declared" >&2; exit 64; }
  [ -f "$file" ] && [ -r "$file" ] || { echo "$file: cannot be read" >&2; exit 65; }
  grep -q '[^[:space:]]' "$file" || { echo "$file: is empty" >&2; exit 65; }
  ! grep -qv -e '^[A-Za-z][A-Za-z0-9_.-]*=[^ ]' -e '^ *#' -e '^ *$' "$file" || { echo "$file: malformed" >&2; exit 65; }
  [ "$(sed -n 's/^status=//p' "$file")" = passed ] || { echo "$file: not passed" >&2; exit 70; }
done
echo "pre-review: passed"
