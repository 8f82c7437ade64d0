/** What a shell sources once. Each asks the program itself, so that it never names a command that has gone. */

export const shells = ['bash', 'zsh', 'fish'] as const;
export type CompletionShell = (typeof shells)[number];

/** First word of the command line by which a shell asks; the words to complete follow a `--`. */
export const COMPLETE = '__complete';

export const completionScripts: Readonly<Record<CompletionShell, string>> = {
  bash: `# eval "$(ferry completion bash)"
_ferry_complete() {
  local IFS=$'\\n'
  COMPREPLY=($(ferry ${COMPLETE} -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1))
}
complete -o default -F _ferry_complete ferry`,
  zsh: `#compdef ferry
# eval "$(ferry completion zsh)"
_ferry() {
  local line word about
  local -a candidates
  for line in "\${(@f)$(ferry ${COMPLETE} -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    word=\${\${line%%$'\\t'*}//:/\\\\:} about=\${line#*$'\\t'}
    [[ -n $word ]] && candidates+=("$word\${about:+:$about}")
  done
  if (( \${#candidates} )); then _describe ferry candidates; else _files; fi
}
if [[ $funcstack[1] == _ferry ]]; then _ferry "$@"; else compdef _ferry ferry; fi`,
  fish: `# ferry completion fish | source
function __ferry_complete
  set -l words (commandline -opc) (commandline -ct)
  ferry ${COMPLETE} -- $words[2..-1] 2>/dev/null
end
complete -c ferry -f -a '(__ferry_complete)'`,
};
