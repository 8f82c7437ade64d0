import type { JsonObject } from '../../kernel/json-object.js';

/**
 * The type of an input item. Messages may leave it out (docs/reference/client-protocols.md#responses), and so may references, which have
 * an id and no role. Undefined for an invalid type.
 */
export function itemType(item: JsonObject): string | undefined {
  const type = item['type'] ?? undefined;
  if (typeof type === 'string') return type;
  if (type !== undefined) return undefined;
  return item['role'] === undefined && typeof item['id'] === 'string' ? 'item_reference' : 'message';
}
