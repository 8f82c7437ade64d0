import path from 'node:path';
import { editJson, parseJsonFile } from '../edits/json-edit.js';
import { shellWord } from '../../../../kernel/shell-words.js';
import { stringAt, type Program, type ProgramAccess, type ProgramPlace } from './program.js';

const PROVIDER = ['providers', 'ferry'] as const;

/**
 * pi (https://pi.dev/schemas/models.schema.json, and the page on models in its package @earendil-works/pi-coding-agent). Its default model is
 * chosen in pi itself.
 */
export function pi({ home, env }: ProgramPlace): Program {
  const file = path.join(env['PI_CODING_AGENT_DIR'] ?? path.join(home, '.pi', 'agent'), 'models.json');
  return {
    title: 'pi',
    startsByCommand: true,
    isAgent: true,
    file: {
      path: file,
      edit: (text, access) =>
        editJson(
          text,
          Object.entries(provider(access)).map(([name, value]) => ({ path: [...PROVIDER, name], value })),
          file,
        ),
      keyIn: (text) => stringAt(parseJsonFile(text, file), [...PROVIDER, 'apiKey']),
    },
    steps: ({ model, asDefault }) => [
      `pi --provider ferry --model ${shellWord(model)}`,
      ...(asDefault ? ['in pi: /model, then Ctrl+S on it makes it the default'] : []),
    ],
  };
}

const provider = ({ baseUrl, apiKey, models }: ProgramAccess): Readonly<Record<string, unknown>> => ({
  name: 'Ferry',
  baseUrl: `${baseUrl}/v1`,
  api: 'openai-completions',
  apiKey,
  models: models.map(({ id, contextTokens, outputTokens, images }) => ({
    id,
    ...(contextTokens === null ? {} : { contextWindow: contextTokens }),
    ...(outputTokens === null ? {} : { maxTokens: outputTokens }),
    input: images ? ['text', 'image'] : ['text'],
  })),
});
