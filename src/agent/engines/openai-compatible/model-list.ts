/** An engine's `GET /v1/models` as models of this node. */
import type { InputKind, ModelState } from '../../../kernel/dialect.js';
import { inputKinds } from '../../../kernel/dialect.js';
import type { EngineModel, EngineRoute } from '../engine.js';
import { isObject } from './spelled-error.js';

/** The relay takes 5,000 from one node. */
const MAX_MODELS = 5_000;
const MAX_ID_CHARACTERS = 400;
const MAX_NAME_CHARACTERS = 200;

export interface ModelListOptions {
  readonly stateOf: (engineModel: string) => ModelState;
  readonly routes: readonly EngineRoute[];
  /** From the configuration; null: as the engine says, else text only. */
  readonly inputs: readonly InputKind[] | null;
  readonly tools: boolean | null;
  readonly contextTokens: number | null;
  /** Names for people, by the engine's own name of the model. The canonical name, and so the identity, stays the engine's. */
  readonly displayNames: Readonly<Record<string, string>>;
}

/** Undefined when the answer is no list of models. Entries without a usable id are left out, as are repeated ones. */
export function readModelList(answer: unknown, options: ModelListOptions): readonly EngineModel[] | undefined {
  if (!isObject(answer) || !Array.isArray(answer['data'])) return undefined;
  const models = new Map<string, EngineModel>();
  for (const entry of answer['data'].filter(isObject)) {
    const { id } = entry;
    if (typeof id !== 'string' || id === '' || id.length > MAX_ID_CHARACTERS || models.has(id)) continue;
    models.set(id, describeModel(id, entry, options));
    if (models.size === MAX_MODELS) break;
  }
  return [...models.values()];
}

/** Single-file servers name a model by its path, which would tell everybody the layout of the owner's disk. */
export function displayName(id: string): string {
  const isFile = /\.(gguf|safetensors|bin)$/i.test(id) || id.startsWith('/') || /^[A-Za-z]:\\/.test(id);
  const base = isFile ? (id.split(/[\\/]/).findLast((part) => part !== '') ?? id).replace(/\.gguf$/i, '') : id;
  return base.slice(0, MAX_NAME_CHARACTERS);
}

/** The display name in lower case, with the owner where the engine's id has one: `Qwen/Qwen3-8B` is `qwen/qwen3-8b` on every node. */
export const canonicalName = (id: string): string => displayName(id).normalize('NFC').toLowerCase();

function describeModel(id: string, entry: Record<string, unknown>, options: ModelListOptions): EngineModel {
  const meta = isObject(entry['meta']) ? entry['meta'] : {};
  return {
    engine_model: id,
    display_name: Object.hasOwn(options.displayNames, id) ? (options.displayNames[id] ?? id) : displayName(id),
    canonical_name: canonicalName(id),
    digest: null,
    quantization: name(meta['ftype']),
    size_bytes: count(meta['size']),
    context_length:
      options.contextTokens ??
      count(entry['max_model_len']) ??
      count(meta['n_ctx']) ??
      count(entry['context_length']) ??
      count(entry['max_context_length']) ??
      count(meta['n_ctx_train']),
    state: options.stateOf(id),
    dialects: [...options.routes],
    inputs: [...(options.inputs ?? inputsOf(entry))],
    tools: options.tools,
    reasoning: null,
    embedding: false,
  };
}

function inputsOf({ architecture }: Record<string, unknown>): readonly InputKind[] {
  const modalities = isObject(architecture) ? architecture['input_modalities'] : undefined;
  if (!Array.isArray(modalities)) return ['text'];
  const named = inputKinds.filter((kind) => kind === 'text' || modalities.includes(kind));
  return named;
}

const name = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value.slice(0, MAX_NAME_CHARACTERS) : null;

const count = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : null;
