import { existsSync } from 'node:fs';
import path from 'node:path';
import { isJsonObject } from '../../../../kernel/json-object.js';
import { OPENCODE_SCHEMA, opencodeModel, opencodeProvider } from '../../env/tool-setup.js';
import { editJson, parseJsonFile, type JsonValue } from '../edits/json-edit.js';
import { shellWord } from '../../../../kernel/shell-words.js';
import { stringAt, type Program, type ProgramAccess, type ProgramPlace } from './program.js';

const PROVIDER = ['provider', 'ferry'] as const;
/** Keys of a model that `ferry connect` writes; another one is the person's. */
const OWN_KEYS: ReadonlySet<string> = new Set(['name', 'limit', 'attachment', 'modalities']);

/** opencode (https://opencode.ai/docs/providers/#custom-provider). */
export function opencode({ home, env }: ProgramPlace): Program {
  const directory = path.join(env['XDG_CONFIG_HOME'] ?? path.join(home, '.config'), 'opencode');
  const [plain, commented] = [path.join(directory, 'opencode.json'), path.join(directory, 'opencode.jsonc')];
  const file = !existsSync(plain) && existsSync(commented) ? commented : plain;
  return {
    title: 'opencode',
    startsByCommand: true,
    isAgent: true,
    file: {
      path: file,
      edit: (text, access) => {
        const { baseUrl, apiKey, model, asDefault } = access;
        const settings = Object.entries(opencodeProvider(baseUrl, apiKey));
        const values = [
          ...(text.trim() === '' ? [{ path: ['$schema'], value: OPENCODE_SCHEMA }] : []),
          ...settings.map(([name, value]) => ({ path: [...PROVIDER, name], value })),
          ...modelValues(parseJsonFile(text, file), access),
          ...(asDefault ? [{ path: ['model'], value: `ferry/${model}` }] : []),
        ];
        return editJson(text, values, file);
      },
      keyIn: (text) => stringAt(parseJsonFile(text, file), [...PROVIDER, 'options', 'apiKey']),
    },
    steps: ({ model, asDefault }) => [asDefault ? 'opencode' : `opencode -m ${shellWord(`ferry/${model}`)}`],
  };
}

/** Every loaded model, and none that only was loaded once; what the person added to a model stays. */
function modelValues(root: Readonly<Record<string, unknown>>, { models }: ProgramAccess): readonly JsonValue[] {
  const provider = [...PROVIDER].reduce<unknown>((inner, key) => (isJsonObject(inner) ? inner[key] : undefined), root);
  const known = isJsonObject(provider) && isJsonObject(provider['models']) ? provider['models'] : {};
  const loaded = new Set(models.map(({ id }) => id));
  const left = Object.entries(known)
    .filter(([id, entry]) => !loaded.has(id) && isJsonObject(entry) && Object.keys(entry).every(isOwnKey))
    .map(([id]): JsonValue => ({ path: [...PROVIDER, 'models', id], value: undefined }));
  const written = models.flatMap((model) => {
    const entry = opencodeModel(model);
    return [...OWN_KEYS].map((key): JsonValue => ({ path: [...PROVIDER, 'models', model.id, key], value: entry[key] }));
  });
  return [...left, ...written];
}

const isOwnKey = (key: string): boolean => OWN_KEYS.has(key);
