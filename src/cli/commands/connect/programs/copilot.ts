import path from 'node:path';
import { configDirectory } from '../../../../kernel/data-directory.js';
import { copilotVariables } from '../../env/tool-setup.js';
import { editEnvFile, envValue } from '../edits/env-edit.js';
import { shellWord } from '../../../../kernel/shell-words.js';
import { type Program, type ProgramPlace } from './program.js';

/**
 * GitHub Copilot CLI reads its provider from variables only
 * (https://docs.github.com/en/copilot/how-tos/copilot-cli/customize-copilot/use-byok-models); the file is one for a shell to read.
 */
export function copilot({ env }: ProgramPlace): Program {
  const file = path.join(configDirectory(env), 'copilot.env');
  return {
    title: 'GitHub Copilot CLI',
    startsByCommand: true,
    isAgent: true,
    file: {
      path: file,
      edit: (text, access) => {
        const variables = Object.entries(copilotVariables(access));
        return editEnvFile(
          text,
          Object.fromEntries(variables.map(([name, value]) => [name, value === undefined ? value : shellWord(value)])),
        );
      },
      keyIn: (text) => envValue(text, 'COPILOT_PROVIDER_API_KEY'),
    },
    steps: () => [
      process.platform === 'win32'
        ? 'ferry env copilot --shell powershell | Out-String | Invoke-Expression; copilot'
        : `(set -a; . ${shellWord(file)}; copilot)`,
    ],
  };
}
