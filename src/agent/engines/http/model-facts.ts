/** Builds the node's models from engine lists, with the same names, limits and defaults for all engines. */
import { isJsonObject } from '../../../kernel/json-object.js';
import type { EngineModel } from '../engine.js';

/** The relay's limit per node. */
const MAX_MODELS = 5_000;
const MAX_ID_CHARACTERS = 400;
const MAX_NAME_CHARACTERS = 200;

/** Reported facts of a model; missing ones are unknown. */
type ModelFacts = Partial<Omit<EngineModel, 'engine_model'>> & Pick<EngineModel, 'state' | 'dialects'>;

export const describeModel = (id: string, facts: ModelFacts): EngineModel => ({
  engine_model: id,
  display_name: displayName(id),
  canonical_name: canonicalName(id),
  digest: null,
  quantization: null,
  size_bytes: null,
  context_length: null,
  inputs: ['text'],
  tools: null,
  reasoning: null,
  embedding: false,
  ...facts,
});

/**
 * Maps the entries of an engine's list to models. Skips entries without a valid name, repeated ones, and those for which `describe` returns
 * undefined.
 * @param nameIn the member with the engine's own name of the model
 * @returns undefined when `list` is not an array
 */
export function readModels(
  list: unknown,
  nameIn: string,
  describe: (id: string, entry: Record<string, unknown>) => EngineModel | undefined,
): EngineModel[] | undefined {
  if (!Array.isArray(list)) return undefined;
  const models = new Map<string, EngineModel>();
  for (const entry of list.filter(isJsonObject)) {
    const id = entry[nameIn];
    if (typeof id !== 'string' || id === '' || id.length > MAX_ID_CHARACTERS || models.has(id)) continue;
    const model = describe(id, entry);
    if (model !== undefined) models.set(id, model);
    if (models.size === MAX_MODELS) break;
  }
  return [...models.values()];
}

/** Single-file servers name a model by its path, which must not reveal the layout of the owner's disk. */
export function displayName(id: string): string {
  const isFile = /\.(gguf|safetensors|bin)$/i.test(id) || id.startsWith('/') || /^[A-Za-z]:\\/.test(id);
  const base = isFile ? (id.split(/[\\/]/).findLast((part) => part !== '') ?? id).replace(/\.gguf$/i, '') : id;
  return base.slice(0, MAX_NAME_CHARACTERS);
}

/** The display name in lower case, with the owner where the engine's id has one: `Qwen/Qwen3-8B` is `qwen/qwen3-8b` on every node. */
export const canonicalName = (id: string): string => displayName(id).normalize('NFC').toLowerCase();

/** A non-empty string, cut to the link's limit; null for anything else. */
export const shortText = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value.slice(0, MAX_NAME_CHARACTERS) : null;

/** A positive count of tokens or bytes; null for anything else. Engines report zero for "unknown". */
export const positiveCount = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : null;
