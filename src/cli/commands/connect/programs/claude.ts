import path from 'node:path';
import { claudeVariables } from '../../env/tool-setup.js';
import { editJson, parseJsonFile } from '../edits/json-edit.js';
import { shellWord } from '../../../../kernel/shell-words.js';
import { stringAt, type Program, type ProgramPlace } from './program.js';

/** Claude Code (https://code.claude.com/docs/en/settings). */
export function claude({ home, env, asDefault }: ProgramPlace): Program {
  const directory = env['CLAUDE_CONFIG_DIR'] ?? path.join(home, '.claude');
  // A separate file, unless Ferry is to be the default: Claude Code keeps its own sign-in for other starts.
  const file = path.join(directory, asDefault ? 'settings.json' : 'ferry.json');
  // Claude Code would send it together with the key of Ferry.
  const start = (env['ANTHROPIC_API_KEY'] ?? '') === '' ? 'claude' : 'env -u ANTHROPIC_API_KEY claude';
  return {
    title: 'Claude Code',
    startsByCommand: true,
    isAgent: true,
    gains: { 'count-tokens': 'count the tokens of its context (/context)' },
    file: {
      path: file,
      edit: (text, access) => {
        const variables = Object.entries(claudeVariables(access));
        return editJson(
          text,
          variables.map(([name, value]) => ({ path: ['env', name], value })),
          file,
        );
      },
      keyIn: (text) => stringAt(parseJsonFile(text, file), ['env', 'ANTHROPIC_AUTH_TOKEN']),
    },
    steps: () => [asDefault ? start : `${start} --settings ${shellWord(file)}`],
  };
}
