/**
 * Reads Ollama's `/api/tags`, `/api/ps` and `/api/show` (docs/reference/engines.md#ollama).
 */
import { isJsonObject } from '../../../kernel/json-object.js';
import type { InputKind, ModelState } from '../../../kernel/dialect.js';
import type { EngineModel, EngineRoute } from '../engine.js';
import { describeModel, positiveCount, readModels, shortText } from '../http/model-facts.js';
import { canonicalOllamaName, isCloudModel, sameOllamaModel } from './model-name.js';

/** Properties that depend on the digest only. */
export interface ModelNature {
  /** `completion`, `tools`, `vision`, …; null when this build of Ollama does not report them. */
  readonly capabilities: readonly string[] | null;
  /** Trained context; null when not reported. */
  readonly contextTokens: number | null;
}

export interface ResidentModel {
  readonly name: string;
  readonly digest: string | null;
  /** Context that the model was loaded with. */
  readonly contextTokens: number | null;
}

/** An entry of the list. */
export interface ListedModel {
  readonly name: string;
  readonly digest: string | null;
  readonly nature: ModelNature;
}

export interface InventoryParts {
  /** The `models` of `/api/tags`. */
  readonly tags: unknown;
  readonly resident: readonly ResidentModel[];
  /** From `/api/show`. */
  readonly shown: (digest: string) => ModelNature | undefined;
  /** State of a model during an operation. */
  readonly transition: (name: string) => ModelState | undefined;
}

/** `/api/ps`. Never throws: invalid entries are ignored. */
export function readResidentModels(answer: Readonly<Record<string, unknown>>): readonly ResidentModel[] {
  const models: unknown = answer['models'];
  if (!Array.isArray(models)) return [];
  return models.filter(isJsonObject).flatMap((entry) => {
    const name = shortText(entry['name']) ?? shortText(entry['model']);
    if (name === null) return [];
    return [{ name, digest: digestOf(entry), contextTokens: positiveCount(entry['context_length']) }];
  });
}

/** Finds the model in memory by name or by digest (`ollama cp` creates several names for one digest). */
export const isResident = (
  model: Readonly<{ name: string; digest: string | null }>,
  resident: readonly ResidentModel[],
): ResidentModel | undefined =>
  resident.find(({ name }) => sameOllamaModel(name, model.name)) ??
  resident.find(({ digest }) => digest !== null && digest === model.digest);

/** The local models of `/api/tags` whose entries lack properties that `/api/show` has. */
export function listedModels(tags: unknown): readonly ListedModel[] {
  if (!Array.isArray(tags)) return [];
  return tags.filter(isJsonObject).flatMap((entry) => {
    const { name } = entry;
    if (typeof name !== 'string' || isCloudModel(name, entry)) return [];
    return [{ name, digest: digestOf(entry), nature: natureOfTag(entry) }];
  });
}

/** `/api/show`. */
export function natureShown(answer: Readonly<Record<string, unknown>>): ModelNature {
  const info = isJsonObject(answer['model_info']) ? answer['model_info'] : {};
  const architecture = info['general.architecture'];
  return {
    capabilities: textsIn(answer['capabilities']),
    contextTokens: typeof architecture === 'string' ? positiveCount(info[`${architecture}.context_length`]) : null,
  };
}

/** Undefined when there is no list. */
export function describeOllamaModels({ tags, resident, shown, transition }: InventoryParts): EngineModel[] | undefined {
  return readModels(tags, 'name', (name, entry) => {
    if (isCloudModel(name, entry)) return undefined;
    const digest = digestOf(entry);
    const listed = natureOfTag(entry);
    const more = digest === null ? undefined : shown(digest);
    const capabilities = listed.capabilities ?? more?.capabilities ?? null;
    const memory = isResident({ name, digest }, resident);
    const details = isJsonObject(entry['details']) ? entry['details'] : {};
    return describeModel(name, {
      canonical_name: canonicalOllamaName(name),
      digest,
      quantization: quantizationOf(details),
      size_bytes: positiveCount(entry['size']),
      context_length: memory?.contextTokens ?? listed.contextTokens ?? more?.contextTokens ?? null,
      state: transition(name) ?? (memory === undefined ? 'installed' : 'loaded'),
      ...abilities(capabilities),
    });
  });
}

function abilities(
  capabilities: readonly string[] | null,
): Pick<EngineModel, 'dialects' | 'inputs' | 'tools' | 'reasoning' | 'embedding'> {
  if (capabilities === null) {
    return { dialects: [...textRoutes], inputs: ['text'], tools: null, reasoning: null, embedding: false };
  }
  const can = (capability: string): boolean => capabilities.includes(capability);
  const inputs: InputKind[] = ['text'];
  if (can('vision')) inputs.push('image');
  if (can('audio')) inputs.push('audio');
  // Models for embeddings or images only are listed without a dialect, so they are never selected.
  const generates = can('completion');
  return {
    dialects: generates ? [...textRoutes] : [],
    inputs,
    tools: can('tools'),
    reasoning: can('thinking'),
    embedding: can('embedding') && !generates,
  };
}

const textRoutes: readonly EngineRoute[] = ['chat', 'completions'];

function natureOfTag(entry: Readonly<Record<string, unknown>>): ModelNature {
  const details = isJsonObject(entry['details']) ? entry['details'] : {};
  return {
    capabilities: textsIn(entry['capabilities']),
    contextTokens: positiveCount(details['context_length']),
  };
}

/** Older builds report an unreadable quantization as `unknown`. */
function quantizationOf(details: Readonly<Record<string, unknown>>): string | null {
  const level = shortText(details['quantization_level']);
  return level === 'unknown' ? null : level;
}

const digestOf = (entry: Readonly<Record<string, unknown>>): string | null =>
  shortText(entry['digest'])?.replace(/^sha256:/, '') ?? null;

/** An empty list means unknown, as every model has a capability. */
function textsIn(value: unknown): readonly string[] | null {
  if (!Array.isArray(value)) return null;
  const texts = value.filter((entry) => typeof entry === 'string');
  return texts.length === 0 ? null : texts;
}
