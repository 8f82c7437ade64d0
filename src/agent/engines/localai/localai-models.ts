/**
 * Reads LocalAI's lists: models, capabilities and residency (docs/reference/engines.md#other-engines).
 */
import { isJsonObject } from '../../../kernel/json-object.js';
import { inputKinds, type InputKind } from '../../../kernel/dialect.js';
import type { EngineModel } from '../engine.js';
import { describeModel, readModels } from '../http/model-facts.js';
import { untriedExtensions } from '../http/model-list.js';

interface LocalAiLists {
  /** `/v1/models/capabilities`, or `/v1/models` of a build that does not have it. */
  readonly models: Record<string, unknown>;
  /** `/system` */
  readonly system: Record<string, unknown>;
}

/** Without models that generate no text (images, speech); undefined when there is no list. */
export function readLocalAiModels({ models, system }: LocalAiLists): EngineModel[] | undefined {
  const resident = residentIn(system);
  return readModels(models['data'], 'id', (id, entry) => {
    const capabilities = texts(entry['capabilities']);
    const known = capabilities.length > 0;
    const embedding = known && !capabilities.some(converses) && capabilities.some((name) => name.startsWith('embed'));
    if (known && !embedding && !capabilities.some(converses)) return undefined;
    return describeModel(id, {
      state: resident.has(id) ? 'loaded' : 'installed',
      dialects: embedding ? [] : ['chat', 'completions'],
      ...(embedding || !known ? untriedExtensions() : {}),
      inputs: inputsOf(entry, capabilities),
      // LocalAI reports it for some models only.
      tools: capabilities.some((name) => /tool|function/.test(name)) ? true : null,
      embedding,
    });
  });
}

export function residentIn({ loaded_models: loaded }: Record<string, unknown>): ReadonlySet<string> {
  const entries: readonly unknown[] = Array.isArray(loaded) ? loaded : [];
  return new Set(
    entries.map((entry) => (isJsonObject(entry) ? entry['id'] : entry)).filter((id) => typeof id === 'string'),
  );
}

const converses = (capability: string): boolean => /^(?:chat|completion|edit|vision)$/.test(capability);

function inputsOf(
  { input_modalities: reported }: Record<string, unknown>,
  capabilities: readonly string[],
): InputKind[] {
  const named = new Set<string>(texts(reported));
  return inputKinds.filter(
    (kind) => kind === 'text' || named.has(kind) || (kind === 'image' && capabilities.includes('vision')),
  );
}

/** `FLAG_CHAT` and `chat` are the same capability. */
const texts = (list: unknown): string[] =>
  Array.isArray(list)
    ? list.filter((entry) => typeof entry === 'string').map((entry) => entry.toLowerCase().replace(/^flag_/, ''))
    : [];
