import path from 'node:path';
import { editJson, parseJsonFile } from '../edits/json-edit.js';
import { shellWord } from '../../../../kernel/shell-words.js';
import { stringAt, type Program, type ProgramPlace } from './program.js';

/** Cline has one place for servers like this one. */
const PROVIDER = 'openai-compatible';
const ENTRY = ['providers', PROVIDER] as const;

/**
 * Cline's command line (https://docs.cline.bot/provider-config/openai-compatible, https://docs.cline.bot/cline-cli/installation): the file that
 * `cline auth --provider openai-compatible` writes, with the window, for which that command has no option.
 */
export function cline({ home }: ProgramPlace): Program {
  const file = path.join(home, '.cline', 'data', 'settings', 'providers.json');
  return {
    title: 'Cline',
    startsByCommand: true,
    isAgent: true,
    file: {
      path: file,
      edit: (text, { baseUrl, apiKey, model, asDefault, limits: { contextTokens, outputTokens } }) => {
        const known = parseJsonFile(text, file);
        const settings = {
          provider: PROVIDER,
          apiKey,
          model,
          baseUrl: `${baseUrl}/v1`,
          contextWindow: contextTokens ?? undefined,
          maxTokens: outputTokens ?? undefined,
        };
        return editJson(
          text,
          [
            ...(known['version'] === undefined ? [{ path: ['version'], value: 1 }] : []),
            ...(asDefault ? [{ path: ['lastUsedProvider'], value: PROVIDER }] : []),
            ...Object.entries(settings).map(([name, value]) => ({ path: [...ENTRY, 'settings', name], value })),
            // Required by Cline. The time of the first connection: it says nothing, and must not make the file differ every time.
            ...(stringAt(known, [...ENTRY, 'updatedAt']) === undefined
              ? [{ path: [...ENTRY, 'updatedAt'], value: new Date().toISOString() }]
              : []),
            ...(stringAt(known, [...ENTRY, 'tokenSource']) === undefined
              ? [{ path: [...ENTRY, 'tokenSource'], value: 'manual' }]
              : []),
          ],
          file,
        );
      },
      keyIn: (text) => stringAt(parseJsonFile(text, file), [...ENTRY, 'settings', 'apiKey']),
    },
    steps: ({ model, asDefault }) => [asDefault ? 'cline' : `cline -P ${PROVIDER} -m ${shellWord(model)}`],
  };
}
