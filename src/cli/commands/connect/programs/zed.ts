import path from 'node:path';
import { editJson, parseJsonFile } from '../edits/json-edit.js';
import type { Program, ProgramAccess, ProgramPlace } from './program.js';

const PROVIDER = ['language_models', 'openai_compatible', 'ferry'] as const;

/**
 * Zed (https://zed.dev/docs/ai/use-api-access#openai-compatible). Its key belongs into the system's keychain, or into the variable that is named
 * after the provider, and never into the file.
 */
export function zed({ home, env }: ProgramPlace): Program {
  const file = path.join(configDirectoryOf(home, env), 'settings.json');
  return {
    title: 'Zed',
    startsByCommand: false,
    isAgent: true,
    file: {
      path: file,
      edit: (text, access) =>
        editJson(
          text,
          [
            { path: [...PROVIDER, 'api_url'], value: `${access.baseUrl}/v1` },
            { path: [...PROVIDER, 'available_models'], value: available(access) },
            ...(access.asDefault
              ? [{ path: ['agent', 'default_model'], value: { provider: 'ferry', model: access.model } }]
              : []),
          ],
          file,
        ),
      keyIn: (text) => {
        // Only to refuse a broken file before a key is made.
        parseJsonFile(text, file);
        return undefined;
      },
    },
    steps: ({ apiKey, model, asDefault }) => [
      'Zed > Settings > AI > LLM Providers > ferry',
      `API Key: ${apiKey}`,
      'or start Zed with that key in the variable FERRY_API_KEY',
      ...(asDefault ? [] : [`choose the model "${model}" in the agent panel`]),
    ],
  };
}

/** https://zed.dev/docs/configuring-zed#settings-files */
function configDirectoryOf(home: string, env: ProgramPlace['env']): string {
  if (process.platform === 'win32') return path.join(env['APPDATA'] ?? path.join(home, 'AppData', 'Roaming'), 'Zed');
  if (process.platform === 'darwin') return path.join(home, '.config', 'zed');
  return path.join(env['XDG_CONFIG_HOME'] ?? path.join(home, '.config'), 'zed');
}

/** Zed requires a number, also for a model whose engine does not say it; `connect` warns then. */
const UNKNOWN_CONTEXT_TOKENS = 32_768;

const available = ({ models }: ProgramAccess): readonly object[] =>
  models.map(({ id, contextTokens, outputTokens, images, tools }) => ({
    name: id,
    display_name: `${id} (Ferry)`,
    max_tokens: contextTokens ?? UNKNOWN_CONTEXT_TOKENS,
    ...(outputTokens === null ? {} : { max_output_tokens: outputTokens }),
    capabilities: { tools: tools !== false, images, parallel_tool_calls: false, prompt_cache_key: false },
  }));
