/**
 * Which models of a list are in memory, for a server of an unknown kind: a request must not make it load one, and nothing but its behaviour tells
 * (docs/reference/engines.md#engines-that-load-on-demand).
 */
import { isJsonObject } from '../../../kernel/json-object.js';

export interface ListedResidents {
  readonly includes: (id: string) => boolean;
  /** False: the list has several models, and does not say which of them are in memory. None counts as loaded then. */
  readonly isKnown: boolean;
}

const loadedWords = /^(?:loaded|ready|running)$/i;
const otherWords =
  /^(?:not[ _-]?loaded|unloaded|loading|unloading|starting|stopping|stopped|sleeping|downloading|failed)$/i;
/** LiteLLM's proxy gives this time to each of its models. They run elsewhere, at other servers. */
const LITELLM_CREATED = 1_677_610_602;

export function residentsIn(list: Record<string, unknown> | undefined): ListedResidents {
  const data = list?.['data'];
  const models = Array.isArray(data) ? data.filter(isJsonObject) : [];
  const states = new Map(models.map((model) => [model['id'], isLoaded(model)]));
  if ([...states.values()].some((loaded) => loaded !== undefined)) {
    return { includes: (id) => states.get(id) === true, isKnown: true };
  }
  // Further names and adapters of one model do not make it load anything.
  const weights = new Set(models.map(({ id, root, parent }) => parent ?? root ?? id));
  const all = weights.size <= 1 || models.every(({ created }) => created === LITELLM_CREATED);
  return { includes: () => all, isKnown: all };
}

/** Undefined: the entry does not say. */
function isLoaded({ status, state, loaded }: Record<string, unknown>): boolean | undefined {
  if (typeof loaded === 'boolean') return loaded;
  const word = [isJsonObject(status) ? status['value'] : status, state].find((value) => typeof value === 'string');
  if (word === undefined) return undefined;
  if (loadedWords.test(word)) return true;
  return otherWords.test(word) ? false : undefined;
}
