/**
 * Reads LM Studio's native model list and the older one (docs/reference/engines.md#lm-studio).
 */
import { isJsonObject } from '../../../kernel/json-object.js';
import type { InputKind, ModelState } from '../../../kernel/dialect.js';
import type { EngineModel } from '../engine.js';
import { describeModel, positiveCount, readModels, shortText } from '../http/model-facts.js';

interface LoadedInstance {
  /** The name for requests, because a model may be loaded more than once. */
  readonly id: string;
  readonly contextTokens: number | null;
  /** Concurrent requests; null when not reported. */
  readonly parallel: number | null;
}

export interface LmStudioModel {
  readonly model: EngineModel;
  /** Longest context first, because it fits every request that fits the others. */
  readonly instances: readonly LoadedInstance[];
  /** Required tool calls are not enforced for MLX models. */
  readonly format: string | null;
}

/** State of a model during an operation. */
type Transition = (key: string) => ModelState | undefined;

/** `GET /api/v1/models` (0.4 and newer). Undefined when it is no such list. */
export function readNativeList(
  response: Readonly<Record<string, unknown>>,
  transition: Transition,
): LmStudioModel[] | undefined {
  const read = new Map<string, Omit<LmStudioModel, 'model'>>();
  const models = readModels(response['models'], 'key', (key, entry) => {
    const instances = instancesOf(entry['loaded_instances']);
    const quantization = isJsonObject(entry['quantization']) ? entry['quantization']['name'] : null;
    const capabilities = isJsonObject(entry['capabilities']) ? entry['capabilities'] : {};
    const embedding = entry['type'] === 'embedding';
    read.set(key, { instances, format: shortText(entry['format']) });
    return describeModel(key, {
      ...namesOf(key, entry['display_name']),
      quantization: shortText(quantization),
      size_bytes: positiveCount(entry['size_bytes']),
      context_length: instances[0]?.contextTokens ?? positiveCount(entry['max_context_length']),
      state: transition(key) ?? (instances.length > 0 ? 'loaded' : 'installed'),
      dialects: embedding ? [] : ['chat', 'completions'],
      ...(embedding && { extension_routes: ['embeddings'] as const }),
      inputs: inputsWith(capabilities['vision'] === true),
      tools: flag(capabilities['trained_for_tool_use']),
      // Absent where LM Studio has no switch for it, whether or not the model reasons.
      reasoning: isJsonObject(capabilities['reasoning']) ? true : null,
      embedding,
    });
  });
  return joined(models, read);
}

/** `GET /api/v0/models` (before 0.4), whose entries have a state. Undefined when it is no such list. */
export function readOldList(
  response: Readonly<Record<string, unknown>>,
  transition: Transition,
): LmStudioModel[] | undefined {
  const read = new Map<string, Omit<LmStudioModel, 'model'>>();
  const models = readModels(response['data'], 'id', (id, entry) => {
    const loaded = entry['state'] === 'loaded';
    const loadedTokens = positiveCount(entry['loaded_context_length']);
    const capabilities: unknown = entry['capabilities'];
    const embedding = entry['type'] === 'embeddings' || entry['type'] === 'embedding';
    read.set(id, {
      instances: loaded ? [{ id, contextTokens: loadedTokens, parallel: null }] : [],
      format: shortText(entry['compatibility_type']),
    });
    return describeModel(id, {
      ...namesOf(id, undefined),
      quantization: shortText(entry['quantization']),
      context_length: (loaded ? loadedTokens : null) ?? positiveCount(entry['max_context_length']),
      state: transition(id) ?? (loaded ? 'loaded' : 'installed'),
      dialects: embedding ? [] : ['chat', 'completions'],
      ...(embedding && { extension_routes: ['embeddings'] as const }),
      inputs: inputsWith(entry['type'] === 'vlm'),
      tools: Array.isArray(capabilities) ? capabilities.includes('tool_use') : null,
      embedding,
    });
  });
  return joined(models, read);
}

/**
 * The canonical name (docs/reference/inventory.md#model-reports) is LM Studio's key in lower case: `Qwen/Qwen3-8B` is `qwen/qwen3-8b`.
 */
function namesOf(key: string, displayName: unknown): Pick<EngineModel, 'canonical_name' | 'display_name'> {
  const canonical = key.normalize('NFC').toLowerCase().slice(0, 200);
  return { canonical_name: canonical, display_name: shortText(displayName) ?? key.slice(0, 200) };
}

function instancesOf(list: unknown): readonly LoadedInstance[] {
  if (!Array.isArray(list)) return [];
  return list
    .filter(isJsonObject)
    .flatMap(({ id, config }) => {
      if (typeof id !== 'string' || id === '') return [];
      const { context_length: tokens, parallel } = isJsonObject(config) ? config : {};
      return [{ id, contextTokens: positiveCount(tokens), parallel: positiveCount(parallel) }];
    })
    .sort((one, other) => (other.contextTokens ?? 0) - (one.contextTokens ?? 0));
}

const joined = (
  models: readonly EngineModel[] | undefined,
  read: ReadonlyMap<string, Omit<LmStudioModel, 'model'>>,
): LmStudioModel[] | undefined =>
  models?.map((model) => ({ model, ...(read.get(model.engine_model) ?? { instances: [], format: null }) }));

const inputsWith = (image: boolean): InputKind[] => (image ? ['text', 'image'] : ['text']);
const flag = (value: unknown): boolean | null => (typeof value === 'boolean' ? value : null);
