import path from 'node:path';
import { codexProvider } from '../../env/tool-setup.js';
import { editToml, parseToml } from '../edits/toml-edit.js';
import { shellWord } from '../../../../kernel/shell-words.js';
import { stringAt, type Program, type ProgramPlace } from './program.js';

const TABLE = ['model_providers', 'ferry'] as const;

/**
 * Codex (https://developers.openai.com/codex/config-reference). The window belongs to one model, and stands above the tables: unless Ferry is
 * the default it goes into the command, or it would be believed of the person's other models, too.
 */
export function codex({ home, env }: ProgramPlace): Program {
  const file = path.join(env['CODEX_HOME'] ?? path.join(home, '.codex'), 'config.toml');
  return {
    title: 'Codex',
    startsByCommand: true,
    isAgent: true,
    file: {
      path: file,
      edit: (text, access) =>
        editToml(
          text,
          {
            top: access.asDefault
              ? {
                  model: access.model,
                  model_provider: 'ferry',
                  model_context_window: access.limits.contextTokens ?? undefined,
                }
              : {},
            table: TABLE,
            // A variable would not be set when Codex is started from the desktop or an editor.
            values: { ...codexProvider(access), experimental_bearer_token: access.apiKey },
            removed: ['env_key'],
          },
          file,
        ),
      keyIn: (text) => stringAt(parseToml(text, file), [...TABLE, 'experimental_bearer_token']),
    },
    steps: ({ model, asDefault, limits: { contextTokens } }) => {
      const window = contextTokens === null ? '' : ` -c model_context_window=${String(contextTokens)}`;
      return [asDefault ? 'codex' : `codex -c model_provider=ferry -m ${shellWord(model)}${window}`];
    },
  };
}
