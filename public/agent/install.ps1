# Makes this computer a node of the Ferry relay named below. In PowerShell 5.1 or newer:
#
#   & ([scriptblock]::Create((irm <relay>/install.ps1))) -Token ferry-join-...
#
# Puts the agent (one file) and the command `ferry-node` into %LOCALAPPDATA%\ferry\agent, as this user; needs no administrator.
# Running it again updates the agent. Everything is a function, and only the last line calls it: of a download that was cut off, nothing runs.
param(
  [string]$Token = '',
  [string]$Name = '',
  [switch]$WithEngine,
  [switch]$WithoutEngine,
  [string]$CaFile = '',
  [switch]$Force,
  [switch]$ForceInsecure
)

function Install-FerryNode {
  Set-StrictMode -Version 2
  $ErrorActionPreference = 'Stop'
  # The progress bar of Windows PowerShell makes downloads many times slower.
  $ProgressPreference = 'SilentlyContinue'

  $relayUrl = @RELAY_URL@
  $agentVersion = @AGENT_VERSION@
  $agentSha256 = @AGENT_SHA256@
  $engineSha256 = @ENGINE_SHA256@

  if ($relayUrl -notmatch '^(https://|http://(127\.|localhost(:|/|$)|\[::1\]))' -and -not $ForceInsecure) {
    throw "$relayUrl is not encrypted: use https://, or -ForceInsecure if the network between is your own and trusted"
  }

  $node = Get-Command node.exe -CommandType Application -ErrorAction SilentlyContinue | Select-Object -First 1
  if ($null -eq $node) {
    throw 'Node.js 20.19 or newer is needed and was not found: install it from https://nodejs.org (or: winget install OpenJS.NodeJS.LTS), open a new window, and run this line again'
  }
  $nodePath = $node.Path
  $nodeVersion = [version]((& $nodePath --version).TrimStart('v').Split('-')[0])
  if ($nodeVersion -lt [version]'20.19.0') {
    throw "Node.js 20.19 or newer is needed, this is $nodeVersion. Install a newer one from https://nodejs.org, then run this line again"
  }

  $programDir = Join-Path $env:LOCALAPPDATA 'ferry\agent'
  $work = Join-Path $programDir ('.new.' + [guid]::NewGuid().ToString('N'))
  $null = New-Item -ItemType Directory -Force -Path $work
  $utf8 = New-Object System.Text.UTF8Encoding($false)
  try {
    $caPath = Join-Path $programDir 'ca.pem'
    if ($CaFile -ne '') { Copy-Item -LiteralPath $CaFile -Destination $caPath -Force }
    $hasCa = Test-Path -LiteralPath $caPath

    $agent = Join-Path $work 'ferry-node.mjs'
    Get-FerryFile "$relayUrl/agent/ferry-node.mjs?sha256=$agentSha256" $agent $agentSha256 $hasCa $caPath
    $installed = Join-Path $programDir 'ferry-node.mjs'
    Move-Item -LiteralPath $agent -Destination $installed -Force

    $launcher = Join-Path $programDir 'ferry-node.cmd'
    $lines = @('@echo off', 'setlocal')
    # A percent sign in a path must be written twice in a batch file.
    if ($hasCa) { $lines += 'if not defined FERRY_CA_FILE set "FERRY_CA_FILE=' + $caPath.Replace('%', '%%') + '"' }
    $lines += '"' + $nodePath.Replace('%', '%%') + '" "' + $installed.Replace('%', '%%') + '" %*'
    [IO.File]::WriteAllText($launcher, ($lines -join "`r`n") + "`r`n", $utf8)
    Write-Host "Installed the Ferry node $agentVersion as $launcher"

    # Before joining: if it fails, the token is still good.
    if (Test-FerryEngineWanted $programDir) { Install-FerryEngine $programDir $work $relayUrl $engineSha256 $hasCa $caPath }

    if ($Token -ne '') {
      $words = @('join', $Token, '--relay', $relayUrl)
      if ($Name -ne '') { $words += @('--name', $Name) }
      if ($Force) { $words += '--force' }
      if ($ForceInsecure) { $words += '--force-insecure' }
      $caBefore = $env:FERRY_CA_FILE
      if ($hasCa -and [string]::IsNullOrEmpty($caBefore)) { $env:FERRY_CA_FILE = $caPath }
      try { & $nodePath $installed $words } finally { $env:FERRY_CA_FILE = $caBefore }
      if ($LASTEXITCODE -ne 0) { throw 'this computer did not join; the reason is above' }
      Write-Host "Serve the models of this computer with: & '$launcher' run"
    } else {
      Write-Host "Join a relay with: & '$launcher' join ferry-join-... --relay $relayUrl"
      Write-Host "If this computer is a node already, restart it: & '$launcher' run"
    }
    if ($null -eq (Get-Command ferry-node -ErrorAction SilentlyContinue)) {
      Write-Host "So that new windows find ferry-node, once: [Environment]::SetEnvironmentVariable('Path', [Environment]::GetEnvironmentVariable('Path', 'User') + ';$($programDir.Replace("'", "''"))', 'User')"
    }
  } finally {
    Remove-Item -LiteralPath $work -Recurse -Force -ErrorAction SilentlyContinue
  }
}

function Get-FerryFile($address, $file, $sha256, $hasCa, $caPath) {
  if ($hasCa) {
    # Invoke-WebRequest trusts the certificates of Windows only.
    & curl.exe -fsS --retry 2 --connect-timeout 20 --cacert $caPath -o $file $address
    if ($LASTEXITCODE -ne 0) { throw "cannot download $address" }
  } else {
    Invoke-WebRequest -UseBasicParsing -Uri $address -OutFile $file
  }
  if ((Get-FileHash -Algorithm SHA256 -LiteralPath $file).Hash -ne $sha256) {
    throw 'what the relay sent is not what this script was made for. Nothing was installed. If the relay was updated a moment ago, run this line again'
  }
}

function Test-FerryEngineWanted($programDir) {
  if ($WithEngine) { return $true }
  if ($WithoutEngine) { return $false }
  # An update keeps what is there, and keeps it up to date.
  if (Test-Path -LiteralPath (Join-Path $programDir 'engines\.sha256')) { return $true }
  if (-not [Environment]::UserInteractive -or [Console]::IsInputRedirected) { return $false }
  $answer = Read-Host 'Install the built-in engine (llama.cpp, about 115 MB), for models without Ollama, LM Studio or the like? [Y/n]'
  return ($answer -eq '' -or $answer -match '^[yY]')
}

function Install-FerryEngine($programDir, $work, $relayUrl, $sha256, $hasCa, $caPath) {
  $engines = Join-Path $programDir 'engines'
  $mark = Join-Path $engines '.sha256'
  if ((Test-Path -LiteralPath $mark) -and (Get-Content -LiteralPath $mark -TotalCount 1) -eq $sha256) { return }
  $npm = Get-Command npm.cmd -CommandType Application -ErrorAction SilentlyContinue | Select-Object -First 1
  if ($null -eq $npm) { throw 'npm, which comes with Node.js, is needed for the built-in engine; -WithoutEngine goes on without it' }

  $archive = Join-Path $work 'engine.tgz'
  Get-FerryFile "$relayUrl/agent/engine.tgz?sha256=$sha256" $archive $sha256 $hasCa $caPath
  $fresh = Join-Path $work 'engines'
  $null = New-Item -ItemType Directory -Force -Path $fresh
  & tar.exe -xzf $archive -C $fresh
  if ($LASTEXITCODE -ne 0) { throw 'the built-in engine could not be unpacked; -WithoutEngine goes on without it' }

  Write-Host 'Installing the built-in engine; this may take a minute ...'
  $llamacpp = Join-Path $fresh 'llamacpp'
  $caBefore = $env:NODE_EXTRA_CA_CERTS
  if ($hasCa -and [string]::IsNullOrEmpty($caBefore)) { $env:NODE_EXTRA_CA_CERTS = $caPath }
  Push-Location -LiteralPath $llamacpp
  try { & $npm.Path ci --ignore-scripts --no-audit --no-fund --loglevel=error } finally {
    Pop-Location
    $env:NODE_EXTRA_CA_CERTS = $caBefore
  }
  if ($LASTEXITCODE -ne 0) { throw 'the built-in engine could not be installed; -WithoutEngine goes on without it' }

  # Models that are there stay there.
  $null = New-Item -ItemType Directory -Force -Path (Join-Path $engines 'models')
  Move-Item -LiteralPath (Join-Path $fresh 'models\tiny.gguf') -Destination (Join-Path $engines 'models\tiny.gguf') -Force
  $current = Join-Path $engines 'llamacpp'
  if (Test-Path -LiteralPath $current) { Move-Item -LiteralPath $current -Destination (Join-Path $work 'old-llamacpp') }
  Move-Item -LiteralPath $llamacpp -Destination $current
  [IO.File]::WriteAllText($mark, "$sha256`n")
  Write-Host 'Installed the built-in engine.'
}

Install-FerryNode
