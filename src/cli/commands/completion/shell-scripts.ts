/** Completion scripts. Each calls `ferry` for the candidates, so that it never lists a removed command. */

export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;
export type CompletionShell = (typeof shells)[number];

/** Hidden command that the completion scripts call; the words to complete follow `--`. */
export const COMPLETE = '__complete';

export const completionScripts: Readonly<Record<CompletionShell, string>> = {
  bash: `# eval "$(ferry completion bash)"
_ferry_complete() {
  local word
  COMPREPLY=()
  while IFS= read -r word; do
    COMPREPLY+=("$(printf %q "$word")")
  done < <(ferry ${COMPLETE} -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1)
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
  powershell: `# ferry completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName ferry -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 |
    Where-Object { $_.Extent.EndOffset -lt $cursorPosition } |
    ForEach-Object { if ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $_.Value } else { $_.Extent.Text } })
  ferry ${COMPLETE} "--current=$wordToComplete" -- @words 2>$null | ForEach-Object {
    $word, $about = $_ -split "\`t", 2
    if (-not $about) { $about = $word }
    $text = if ($word -match '[^\\w@%+=:,./-]') { "'" + $word.Replace("'", "''") + "'" } else { $word }
    [System.Management.Automation.CompletionResult]::new($text, $word, 'ParameterValue', $about)
  }
}`,
};
