/**
 * Reads Ollama's `/api/tags`, `/api/ps` and `/api/show` (docs/reference/engines.md#ollama).
 */
import { isJsonObject } from '../../../kernel/json-object.js';
import type { InputKind, ModelState } from '../../../kernel/dialect.js';
import type { EngineModel, EngineRoute } from '../engine.js';
import { describeModel, positiveCount, readModels, shortText } from '../http/model-facts.js';
import { canonicalOllamaName, isCloudModel, sameOllamaModel } from './model-name.js';

/** Properties that depend on the digest only, from `/api/show`. */
export interface ModelNature {
  /** `completion`, `tools`, `vision`, …; null when this build of Ollama does not report them. */
  readonly capabilities: readonly string[] | null;
  /** Trained context; null when not reported. */
  readonly contextTokens: number | null;
  /** File of the weights: models with the same one share a runner. null when not reported. */
  readonly blob: string | null;
  /** The template has the role `developer`; a template without it drops such messages silently. */
  readonly knowsDeveloper: boolean;
}

export interface ResidentModel {
  readonly name: string;
  readonly digest: string | null;
  /** Context that the model was loaded with. */
  readonly contextTokens: number | null;
  /** Absent when the engine does not report it. */
  readonly memory?: EngineModel['memory'] | undefined;
  /** When it leaves without further requests, in milliseconds since the epoch; null when not reported. */
  readonly expiresAtMs: number | null;
}

/** An entry of the list. */
export interface ListedModel {
  readonly name: string;
  readonly digest: string | null;
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
export function readResidentModels(response: Readonly<Record<string, unknown>>): readonly ResidentModel[] {
  const models: unknown = response['models'];
  if (!Array.isArray(models)) return [];
  return models.filter(isJsonObject).flatMap((entry) => {
    const name = shortText(entry['name']) ?? shortText(entry['model']);
    if (name === null) return [];
    const expires = Date.parse(String(entry['expires_at']));
    return [
      {
        name,
        digest: digestOf(entry),
        contextTokens: positiveCount(entry['context_length']),
        memory: memoryIn(entry),
        expiresAtMs: Number.isNaN(expires) ? null : expires,
      },
    ];
  });
}

/** `size` is all that it takes, `size_vram` the part in memory of graphics processors. */
function memoryIn(entry: Readonly<Record<string, unknown>>): EngineModel['memory'] {
  const all = positiveCount(entry['size']);
  if (all === null) return undefined;
  const vram = Math.min(all, positiveCount(entry['size_vram']) ?? 0);
  return { ram_bytes: all - vram, vram_bytes: vram };
}

/**
 * Finds the model in memory by its name, its digest (`ollama cp` creates several names for one) or the file of its weights: Ollama keeps one
 * runner per file, and lists it under the name that loaded it.
 */
export function isResident(
  model: Readonly<{ name: string; digest: string | null }>,
  resident: readonly ResidentModel[],
  shown: InventoryParts['shown'] = () => undefined,
): ResidentModel | undefined {
  const blobOf = (digest: string | null): string | null => (digest === null ? null : (shown(digest)?.blob ?? null));
  const blob = blobOf(model.digest);
  return (
    resident.find(({ name }) => sameOllamaModel(name, model.name)) ??
    resident.find(({ digest }) => digest !== null && digest === model.digest) ??
    resident.find(({ digest }) => blob !== null && blobOf(digest) === blob)
  );
}

/** The local models of `/api/tags`. */
export function listedModels(tags: unknown): readonly ListedModel[] {
  if (!Array.isArray(tags)) return [];
  return tags.filter(isJsonObject).flatMap((entry) => {
    const { name } = entry;
    if (typeof name !== 'string' || isCloudModel(name, entry)) return [];
    return [{ name, digest: digestOf(entry) }];
  });
}

/** `/api/show`. */
export function natureShown(response: Readonly<Record<string, unknown>>): ModelNature {
  const info = isJsonObject(response['model_info']) ? response['model_info'] : {};
  const architecture = info['general.architecture'];
  const modelfile = typeof response['modelfile'] === 'string' ? response['modelfile'] : '';
  return {
    capabilities: textsIn(response['capabilities']),
    contextTokens: typeof architecture === 'string' ? positiveCount(info[`${architecture}.context_length`]) : null,
    blob: /^FROM\s.*\b(sha256-[0-9a-f]{64})\s*$/im.exec(modelfile)?.[1] ?? null,
    knowsDeveloper: knowsDeveloper(response['template'], modelfile),
  };
}

/** The template of the Modelfile where it has one of its own, else that of the file; `{{ .Prompt }}` stands for that of the file. */
function knowsDeveloper(template: unknown, modelfile: string): boolean {
  const own = /^TEMPLATE\s+(?:"""(?<long>[\s\S]*?)"""|(?<line>.*))/m.exec(modelfile)?.groups;
  const text = own?.['long'] ?? own?.['line'] ?? '';
  const isOwn = text !== '' && !/^"?\{\{-?\s*\.Prompt\s*-?\}\}"?$/.test(text.trim());
  if (isOwn && !text.includes('developer')) return false;
  return typeof template === 'string' && template.includes('developer');
}

/** Undefined when there is no list. */
export function describeOllamaModels({ tags, resident, shown, transition }: InventoryParts): EngineModel[] | undefined {
  return readModels(tags, 'name', (name, entry) => {
    if (isCloudModel(name, entry)) return undefined;
    const digest = digestOf(entry);
    const nature = digest === null ? undefined : shown(digest);
    const memory = isResident({ name, digest }, resident, shown);
    const details = isJsonObject(entry['details']) ? entry['details'] : {};
    return describeModel(name, {
      canonical_name: canonicalOllamaName(name),
      digest,
      quantization: quantizationOf(details),
      size_bytes: positiveCount(entry['size']),
      context_length:
        memory?.contextTokens ?? positiveCount(details['context_length']) ?? nature?.contextTokens ?? null,
      state: transition(name) ?? (memory === undefined ? 'installed' : 'loaded'),
      ...(memory?.memory !== undefined && { memory: memory.memory }),
      ...abilities(nature?.capabilities ?? null, textsIn(entry['capabilities'])),
    });
  });
}

/**
 * @param shown by `/api/show`
 * @param listed by `/api/tags`, which does not read the template within a GGUF: what it lacks is unknown
 */
function abilities(
  shown: readonly string[] | null,
  listed: readonly string[] | null,
): Pick<EngineModel, 'dialects' | 'extension_routes' | 'inputs' | 'tools' | 'reasoning' | 'embedding'> {
  const capabilities = shown ?? listed;
  if (capabilities === null) {
    return { dialects: [...textRoutes], inputs: ['text'], tools: null, reasoning: null, embedding: false };
  }
  const can = (capability: string): boolean => capabilities.includes(capability);
  const canByTemplate = (capability: string): boolean | null => can(capability) || (shown === null ? null : false);
  const inputs: InputKind[] = ['text'];
  if (can('vision')) inputs.push('image');
  if (can('audio')) inputs.push('audio');
  // Models for embeddings or images only are listed without a dialect, so they are never selected.
  const generates = can('completion');
  const embeds = can('embedding') && !generates;
  return {
    dialects: generates ? [...textRoutes] : [],
    ...(embeds && { extension_routes: ['embeddings'] as const }),
    inputs,
    tools: canByTemplate('tools'),
    reasoning: canByTemplate('thinking'),
    embedding: embeds,
  };
}

const textRoutes: readonly EngineRoute[] = ['chat', 'completions'];

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
