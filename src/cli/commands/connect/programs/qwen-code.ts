import path from 'node:path';
import { editJson, parseJsonFile } from '../edits/json-edit.js';
import { shellWord } from '../../../../kernel/shell-words.js';
import { stringAt, type Program, type ProgramAccess, type ProgramPlace } from './program.js';

/** Qwen Code takes keys from variables only, and sets those of its own settings file itself. */
const KEY = ['env', 'FERRY_API_KEY'] as const;

/**
 * Qwen Code (https://qwenlm.github.io/qwen-code-docs/en/users/configuration/model-providers/). A provider of its own leaves the person's list
 * of OpenAI-compatible models alone; `providerProtocol` says how it speaks.
 */
export function qwenCode({ home, env }: ProgramPlace): Program {
  const file = path.join(env['QWEN_HOME'] ?? path.join(home, '.qwen'), 'settings.json');
  return {
    title: 'Qwen Code',
    startsByCommand: true,
    isAgent: true,
    file: {
      path: file,
      edit: (text, access) =>
        editJson(
          text,
          [
            { path: KEY, value: access.apiKey },
            { path: ['modelProviders', 'ferry'], value: entries(access) },
            { path: ['providerProtocol', 'ferry'], value: 'openai' },
            ...(access.asDefault
              ? [
                  { path: ['security', 'auth', 'selectedType'], value: 'openai' },
                  { path: ['model', 'name'], value: access.model },
                ]
              : []),
          ],
          file,
        ),
      keyIn: (text) => stringAt(parseJsonFile(text, file), KEY),
    },
    steps: ({ model, asDefault }) => [asDefault ? 'qwen' : `qwen --auth-type openai -m ${shellWord(model)}`],
  };
}

const entries = ({ baseUrl, models }: ProgramAccess): readonly object[] =>
  models.map(({ id, contextTokens, outputTokens, images }) => ({
    id,
    name: `${id} (Ferry)`,
    envKey: KEY[1],
    baseUrl: `${baseUrl}/v1`,
    generationConfig: {
      ...(contextTokens === null ? {} : { contextWindowSize: contextTokens }),
      ...(outputTokens === null ? {} : { samplingParams: { max_tokens: outputTokens } }),
      ...(images ? { modalities: { image: true } } : {}),
    },
  }));
