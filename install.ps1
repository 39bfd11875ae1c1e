<#
.SYNOPSIS
Installs nonzero from a release on Windows; install.sh does it on Linux and macOS.

.DESCRIPTION
Takes a release's archive, checks its digest and, with -Key, the signature, and only then unpacks it. Where anything is
not as it must be, nothing is installed and an older install stays as it was.

Exit code: 0 installed, 1 not installed, 64 an argument that cannot be used.

.PARAMETER Version
This version, as X.Y.Z; otherwise the latest.

.PARAMETER BaseUrl
Where releases are: URL/download/vX.Y.Z/FILE and URL/latest/download/FILE. https, or http to this machine itself.
Otherwise the variable NONZERO_BASE_URL says it.

.PARAMETER From
Take this archive and download nothing; SHA256SUMS must be beside it unless -Sha256 is given.

.PARAMETER Sha256
The digest that the archive must have, wherever it comes from.

.PARAMETER Key
A public key "ssh-ed25519 AAAA..." or a file with one: SHA256SUMS must be signed by it (SHA256SUMS.sig; needs
ssh-keygen).

.PARAMETER Target
Another processor than this machine's: x86_64-pc-windows-msvc or aarch64-pc-windows-msvc.

.PARAMETER Prefix
The folder to install to, which is replaced as a whole. Otherwise %LOCALAPPDATA%\nonzero.
#>
[CmdletBinding()]
param(
  [string]$Version = '',
  [string]$BaseUrl = $env:NONZERO_BASE_URL,
  [string]$From = '',
  [string]$Sha256 = '',
  [string]$Key = '',
  [string]$Target = '',
  [string]$Prefix = ''
)
$ErrorActionPreference = 'Stop'
Set-StrictMode -Version 2.0
foreach ($assembly in 'System.Net.Http', 'System.IO.Compression.FileSystem') { Add-Type -AssemblyName $assembly }

# What a signature of a release is for; install.sh has the same.
$Namespace = 'nonzero-release'
$script:Code = 1

function Stop-Install([string]$Message, [int]$Code = 1) {
  $script:Code = $Code
  throw $Message
}

function Get-HostTarget {
  # A process for another processor is told its own; the system's stands beside it.
  $cpu = if ($env:PROCESSOR_ARCHITEW6432) { $env:PROCESSOR_ARCHITEW6432 } else { $env:PROCESSOR_ARCHITECTURE }
  switch ($cpu) {
    'AMD64' { 'x86_64-pc-windows-msvc' }
    'ARM64' { 'aarch64-pc-windows-msvc' }
    default { Stop-Install "there is no release for the processor $cpu" }
  }
}

function Save-File([string]$Url, [string]$Path) {
  [Net.ServicePointManager]::SecurityProtocol = [Net.ServicePointManager]::SecurityProtocol -bor 3072
  $handler = New-Object System.Net.Http.HttpClientHandler
  $handler.AllowAutoRedirect = $false
  $client = New-Object System.Net.Http.HttpClient($handler)
  $client.Timeout = [TimeSpan]::FromMinutes(30)
  try {
    $address = [Uri]$Url
    for ($hop = 0; $hop -le 5; $hop++) {
      if ($address.Scheme -ne 'https' -and ($hop -gt 0 -or -not $address.IsLoopback)) {
        Stop-Install "$Url leads to an address that is not https"
      }
      $response = $client.GetAsync($address).GetAwaiter().GetResult()
      $status = [int]$response.StatusCode
      if ($status -ge 300 -and $status -lt 400 -and $response.Headers.Location) {
        $address = New-Object Uri($address, $response.Headers.Location)
        continue
      }
      if ($status -ne 200) { Stop-Install "cannot download ${Url}: status $status" }
      [IO.File]::WriteAllBytes($Path, $response.Content.ReadAsByteArrayAsync().GetAwaiter().GetResult())
      return
    }
    Stop-Install "cannot download ${Url}: too many redirections"
  } finally {
    $client.Dispose()
  }
}

# The digests that SHA256SUMS has, as objects with Name and Digest.
function Read-Sums([string]$Path) {
  foreach ($line in [IO.File]::ReadAllText($Path).Split("`n")) {
    if ($line -cmatch '^([0-9a-f]{64})  (.+)$') {
      New-Object PSObject -Property @{ Digest = $Matches[1]; Name = $Matches[2] }
    }
  }
}

function Find-Digest([string]$Path, [string]$Name) {
  $found = @(Read-Sums $Path | Where-Object { $_.Name -ceq $Name })
  if ($found.Count -ne 1) { Stop-Install "SHA256SUMS has no single line for $Name" }
  $found[0].Digest
}

function Read-Key([string]$Given) {
  $lines = @($Given)
  if (-not $Given.StartsWith('ssh-ed25519 ')) {
    if (-not (Test-Path -LiteralPath $Given -PathType Leaf)) {
      Stop-Install '-Key is neither an ssh-ed25519 public key nor a file' 64
    }
    $lines = @([IO.File]::ReadAllLines((Resolve-Path -LiteralPath $Given).ProviderPath) |
        Where-Object { $_.Trim() -and -not $_.TrimStart().StartsWith('#') })
  }
  if ($lines.Count -eq 1 -and $lines[0] -cmatch '^(ssh-ed25519 [A-Za-z0-9+/]+=*)( .*)?$') { return $Matches[1] }
  Stop-Install '-Key does not hold one ssh-ed25519 public key' 64
}

function Assert-Signature([string]$Work, [string]$PublicKey) {
  if (-not (Get-Command ssh-keygen -ErrorAction SilentlyContinue)) {
    Stop-Install 'cannot check the signature: there is no ssh-keygen'
  }
  $signers = Join-Path $Work 'signers'
  [IO.File]::WriteAllText($signers, "nonzero namespaces=`"$Namespace`" $PublicKey`n")
  # As a file, since a pipe of this shell changes bytes.
  $process = Start-Process ssh-keygen -NoNewWindow -Wait -PassThru `
    -RedirectStandardInput (Join-Path $Work 'SHA256SUMS') `
    -RedirectStandardOutput (Join-Path $Work 'said') -RedirectStandardError (Join-Path $Work 'why') `
    -ArgumentList "-Y verify -f `"$signers`" -I nonzero -n $Namespace -s `"$(Join-Path $Work 'SHA256SUMS.sig')`""
  if ($process.ExitCode -ne 0) { Stop-Install 'SHA256SUMS is not signed by that key' }
}

# Refuses an archive that has other entries than folders and plain files inside.
function Assert-Entries([string]$Archive) {
  $zip = [IO.Compression.ZipFile]::OpenRead($Archive)
  try {
    foreach ($entry in $zip.Entries) {
      $name = $entry.FullName
      $kind = ($entry.ExternalAttributes -shr 16) -band 0xF000
      if ($name -cnotmatch '^[A-Za-z0-9._+/-]+$' -or $name -match '^[/-]|(^|/)\.\.(/|$)' -or
        $kind -notin 0, 0x4000, 0x8000) {
        Stop-Install 'the archive is refused: it has an entry that leads out or is no file'
      }
    }
  } finally {
    $zip.Dispose()
  }
}

function Assert-Prefix([string]$Folder) {
  if (-not (Test-Path -LiteralPath $Folder)) { return }
  $item = Get-Item -LiteralPath $Folder -Force
  if (-not $item.PSIsContainer) { Stop-Install "$Folder is no folder" }
  if ($item.Attributes -band [IO.FileAttributes]::ReparsePoint) { Stop-Install "$Folder is a link" }
  if (@(Get-ChildItem -LiteralPath $Folder -Force).Count -eq 0) { return }
  foreach ($name in 'nonzero.exe', 'BUILD.json') {
    if (-not (Test-Path -LiteralPath (Join-Path $Folder $name) -PathType Leaf)) {
      Stop-Install "$Folder holds something else than nonzero"
    }
  }
}

# Says where the unpacked folder is, which is for the target.
function Expand-Release([string]$Work, [string]$Version, [string]$Target, [string]$HostTarget) {
  $archive = Join-Path $Work 'archive.zip'
  Assert-Entries $archive
  $unpacked = Join-Path $Work 'new'
  [IO.Compression.ZipFile]::ExtractToDirectory($archive, $unpacked)
  $program = @(Get-ChildItem -LiteralPath $unpacked -Recurse -Depth 1 -Filter nonzero.exe |
      Where-Object { Test-Path -LiteralPath (Join-Path $_.DirectoryName 'BUILD.json') })
  if ($program.Count -ne 1) { Stop-Install 'the archive is none of nonzero' }
  $folder = $program[0].DirectoryName
  $build = [IO.File]::ReadAllText((Join-Path $folder 'BUILD.json')) | ConvertFrom-Json
  if ($build.target -cne $Target) { Stop-Install "the archive is for `"$($build.target)`", not for $Target" }
  if ($Version -and $build.version -cne $Version) { Stop-Install "the archive is of version $($build.version)" }
  if ($Target -eq $HostTarget) {
    $said = & $program[0].FullName --version
    if ($LASTEXITCODE -ne 0 -or $said -cne "nonzero $($build.version)") {
      Stop-Install "the archive's nonzero does not run on this machine: $said"
    }
  }
  $folder
}

# Puts the new folder in the old one's place; a folder with a program that runs cannot be moved, and stays.
function Switch-Folder([string]$New, [string]$Folder, [string]$Old, [string]$Lock) {
  for ($try = 0; ; $try++) {
    try {
      [IO.File]::Open($Lock, 'CreateNew').Dispose()
      break
    } catch [IO.IOException] {
      if ($try -ge 60) { Stop-Install "another install is at work; if none is, remove $Lock" }
      Start-Sleep -Seconds 1
    }
  }
  try {
    Assert-Prefix $Folder
    $had = Test-Path -LiteralPath $Folder
    if ($had) { [IO.Directory]::Move($Folder, $Old) }
    try {
      [IO.Directory]::Move($New, $Folder)
    } catch {
      if ($had) { [IO.Directory]::Move($Old, $Folder) }
      throw
    }
  } finally {
    [IO.File]::Delete($Lock)
  }
}

function Install-Release {
  if ($Version -and $Version -cnotmatch '^\d+\.\d+\.\d+$') { Stop-Install '-Version is not of the form X.Y.Z' 64 }
  if ($Sha256 -and $Sha256 -notmatch '^[0-9a-f]{64}$') { Stop-Install '-Sha256 must have 64 hexadecimal digits' 64 }
  if (-not $From -and -not $BaseUrl) {
    Stop-Install 'where are releases? There is no public address yet: use -BaseUrl, NONZERO_BASE_URL or -From' 64
  }
  if (-not $From -and ([Uri]$BaseUrl).UserInfo) { Stop-Install 'the address names a user' 64 }
  $publicKey = if ($Key) { Read-Key $Key } else { '' }
  $hostTarget = Get-HostTarget
  $wanted = if ($Target) { $Target } else { $hostTarget }
  if (@('x86_64-pc-windows-msvc', 'aarch64-pc-windows-msvc') -cnotcontains $wanted) {
    Stop-Install "no archive for `"$wanted`" can be installed by this script" 64
  }
  $place = if ($Prefix) { $Prefix } else { Join-Path $env:LOCALAPPDATA 'nonzero' }
  $place = $ExecutionContext.SessionState.Path.GetUnresolvedProviderPathFromPSPath($place).TrimEnd('\', '/')
  $parent = Split-Path -Parent $place
  Assert-Prefix $place

  # Folders that are made for the install, the innermost first.
  $made = @()
  for ($folder = $parent; $folder -and -not (Test-Path -LiteralPath $folder); $folder = Split-Path -Parent $folder) {
    $made += $folder
  }
  [void][IO.Directory]::CreateDirectory($parent)
  $work = Join-Path $parent ".nonzero-install.$([Guid]::NewGuid().ToString('N'))"
  $done = $false
  try {
    [void][IO.Directory]::CreateDirectory($work)
    $sums = Join-Path $work 'SHA256SUMS'
    $archive = Join-Path $work 'archive.zip'
    $number = $Version
    if ($From) {
      $name = Split-Path -Leaf $From
      Copy-Item -LiteralPath $From -Destination $archive
      $beside = Split-Path -Parent (Resolve-Path -LiteralPath $From).ProviderPath
      foreach ($file in 'SHA256SUMS', 'SHA256SUMS.sig') {
        $path = Join-Path $beside $file
        if (Test-Path -LiteralPath $path) { Copy-Item -LiteralPath $path -Destination (Join-Path $work $file) }
      }
      if (-not (Test-Path -LiteralPath $sums) -and (-not $Sha256 -or $Key)) {
        Stop-Install "there is no SHA256SUMS beside $From"
      }
    } else {
      $base = $BaseUrl.TrimEnd('/')
      $source = if ($Version) { "$base/download/v$Version" } else { "$base/latest/download" }
      Save-File "$source/SHA256SUMS" $sums
      if ($Key) { Save-File "$source/SHA256SUMS.sig" "$sums.sig" }
    }
    if ($Key) { Assert-Signature $work $publicKey }
    if (-not $From) {
      if (-not $number) {
        $names = @(Read-Sums $sums | Where-Object { $_.Name -cmatch "^nonzero-\d+\.\d+\.\d+-$wanted\.zip$" })
        if ($names.Count -ne 1) { Stop-Install "SHA256SUMS does not name one archive for $wanted" }
        $number = $names[0].Name.Split('-')[1]
      }
      $name = "nonzero-$number-$wanted.zip"
      [void](Find-Digest $sums $name)
      Save-File "$base/download/v$number/$name" $archive
    }
    $digest = (Get-FileHash -LiteralPath $archive -Algorithm SHA256).Hash.ToLowerInvariant()
    if ($Key -or -not $From -or -not $Sha256) {
      if ($name -cnotlike "nonzero-*-$wanted.zip") { Stop-Install "$name is not called as an archive for $wanted" }
      if ($digest -cne (Find-Digest $sums $name)) { Stop-Install "$name is not what SHA256SUMS says" }
    }
    if ($Sha256 -and $digest -ne $Sha256) { Stop-Install "$name is not what -Sha256 says: its digest is $digest" }
    $new = Expand-Release $work $number $wanted $hostTarget
    Switch-Folder $new $place (Join-Path $work 'old') (Join-Path $parent ".$(Split-Path -Leaf $place).lock")
    $done = $true
  } finally {
    Remove-Item -LiteralPath $work -Recurse -Force -ErrorAction SilentlyContinue
    if (-not $done) {
      foreach ($folder in $made) {
        try { [IO.Directory]::Delete($folder) } catch { break }
      }
    }
  }
  Write-Output "nonzero for $wanted is in $place"
  if (-not $Key) { Write-Output 'Its digest was checked; its signature is checked with -Key.' }
  Write-Output "Next: ``$place\nonzero.exe install`` in a project wires it to the coding agent; ``--help`` lists the rest."
}

try {
  Install-Release
} catch {
  [Console]::Error.WriteLine("install.ps1: $($_.Exception.Message)")
  exit $script:Code
}
exit 0
