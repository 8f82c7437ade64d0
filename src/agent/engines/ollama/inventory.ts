/**
 * What Ollama says about its models in `/api/tags`, `/api/ps` and `/api/show` (docs/reference/engines.md#ollama), as models of this node.
 */
import { isJsonObject } from '../../../kernel/json-object.js';
import type { InputKind, ModelState } from '../../../kernel/dialect.js';
import type { EngineModel, EngineRoute } from '../engine.js';
import { describeModel, positiveCount, readModels, shortText } from '../http/model-facts.js';
import { canonicalOllamaName, isCloudModel, sameOllamaModel } from './model-name.js';

/** What does not change as long as the digest stays the same. */
export interface ModelNature {
  /** `completion`, `tools`, `vision`, …; null: this build of Ollama does not say. */
  readonly capabilities: readonly string[] | null;
  /** What the model was trained for; null: not told. */
  readonly contextTokens: number | null;
}

export interface ResidentModel {
  readonly name: string;
  readonly digest: string | null;
  /** What it was loaded with. */
  readonly contextTokens: number | null;
}

/** A model that is listed, as far as its list entry goes. */
export interface ListedModel {
  readonly name: string;
  readonly digest: string | null;
  readonly nature: ModelNature;
}

export interface InventoryParts {
  /** The `models` of `/api/tags`. */
  readonly tags: unknown;
  readonly resident: readonly ResidentModel[];
  /** What `/api/show` added to an entry of the list. */
  readonly shown: (digest: string) => ModelNature | undefined;
  /** What an operation of the owner's is doing to the model right now. */
  readonly transition: (name: string) => ModelState | undefined;
}

/** `/api/ps`. Never throws: what cannot be read is not resident. */
export function readResidentModels(answer: Readonly<Record<string, unknown>>): readonly ResidentModel[] {
  const models: unknown = answer['models'];
  if (!Array.isArray(models)) return [];
  return models.filter(isJsonObject).flatMap((entry) => {
    const name = shortText(entry['name']) ?? shortText(entry['model']);
    if (name === null) return [];
    return [{ name, digest: digestOf(entry), contextTokens: positiveCount(entry['context_length']) }];
  });
}

/** Whether the model is in memory: under its own name, or as a copy of what is (`ollama cp` makes names for the same digest). */
export const isResident = (
  model: Readonly<{ name: string; digest: string | null }>,
  resident: readonly ResidentModel[],
): ResidentModel | undefined =>
  resident.find(({ name }) => sameOllamaModel(name, model.name)) ??
  resident.find(({ digest }) => digest !== null && digest === model.digest);

/** The local models of `/api/tags` whose entries leave something out that `/api/show` tells. */
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
  // What only embeds, or only draws, answers no chat: it is shown, and never chosen.
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

/** Older builds answer `unknown` for what they cannot read. */
function quantizationOf(details: Readonly<Record<string, unknown>>): string | null {
  const level = shortText(details['quantization_level']);
  return level === 'unknown' ? null : level;
}

const digestOf = (entry: Readonly<Record<string, unknown>>): string | null =>
  shortText(entry['digest'])?.replace(/^sha256:/, '') ?? null;

/** An empty list says as little as none: every model can do something. */
function textsIn(value: unknown): readonly string[] | null {
  if (!Array.isArray(value)) return null;
  const texts = value.filter((entry) => typeof entry === 'string');
  return texts.length === 0 ? null : texts;
}
