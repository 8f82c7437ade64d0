/** Plays systemd for one service: runs its real file, and stops it. */
export const serviceManager = `#!/bin/sh
file="$HOME/.config/systemd/user/ferry-up.service"
pid=$(cat "$HOME/service.pid" 2>/dev/null)
active() { test -n "$pid" && kill -0 "$pid" 2>/dev/null; }
case "$*" in
  *restart*)
    (
      eval "export $(sed -n 's/^Environment=//p' "$file" | tr '\\n' ' ')"
      eval "exec $(sed -n 's/^ExecStart=//p' "$file")"
    ) >/dev/null 2>&1 </dev/null &
    echo $! > "$HOME/service.pid"
    ;;
  *is-active*) active ;;
  *disable*)
    active && kill "$pid"
    for second in 1 2 3 4 5 6 7 8 9 10; do active || exit 0; sleep 1; done
    ;;
esac
`;
