/** What the events of `/api/events` mean for the cache of queries. */
import type { Schemas } from './management-api.types';

export type Operation = Schemas['Operation'];

/**
 * Query keys to invalidate for the topics of a `change` event, by their first elements.
 * The relay may send topics that this page does not know yet.
 */
export function keysOfTopics(topics: readonly string[]): readonly (readonly string[])[] {
  const keys = new Set<string>();
  for (const topic of topics) {
    keys.add(topic);
    for (const dependent of dependents[topic] ?? []) keys.add(dependent);
  }
  return [...keys].map((key) => key.split('/'));
}

/** Queries that show data of a topic under another one. */
const dependents: Readonly<Record<string, readonly string[]>> = {
  nodes: ['overview', 'clusters', 'running-requests'],
  models: ['overview', 'clusters'],
  operations: ['overview'],
  keys: ['overview'],
  requests: ['overview', 'running-requests'],
  usage: ['overview'],
  users: ['account/who-am-i'],
};

/** @returns the topics of a `change` event; none when it cannot be read */
export function topicsOf(data: string): readonly string[] {
  const event = parse(data) as { topics?: unknown } | null;
  const topics = event?.topics;
  return Array.isArray(topics) ? topics.filter((topic) => typeof topic === 'string') : [];
}

/** @returns the record of an `operation` event; undefined when it cannot be read */
export function operationOf(data: string): Operation | undefined {
  const event = parse(data) as { object?: unknown; id?: unknown } | null;
  return event?.object === 'operation' && typeof event.id === 'string' ? (event as Operation) : undefined;
}

/** The list with the newer record in the place of the older one; a new operation comes first. */
export function withOperation(list: readonly Operation[], operation: Operation): readonly Operation[] {
  const index = list.findIndex(({ id }) => id === operation.id);
  if (index === -1) return [operation, ...list];
  const known = list[index];
  if (known !== undefined && known.updated_at > operation.updated_at) return list;
  return list.with(index, operation);
}

function parse(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return null;
  }
}
