/** Kinds of objects that usage is grouped by and that have names. */
export type NamedKind = 'key' | 'node' | 'cluster' | 'model';

/** The tables with current names. Models have none: their names are stored with their usage. */
const tables = { key: 'api_key', node: 'node', cluster: 'cluster' } as const satisfies Partial<
  Record<NamedKind, string>
>;

/**
 * SQL for the name of an object: the current one, or the last known one of a deleted object. Two look-ups by primary key.
 * @param account SQL of the account's id
 * @param id SQL of the object's id
 */
export function nameOf(kind: NamedKind, account: string, id: string): string {
  const remembered = `(SELECT name FROM usage_name WHERE account_id = ${account} AND kind = '${kind}' AND id = ${id})`;
  if (kind === 'model') return remembered;
  return `coalesce((SELECT name FROM ${tables[kind]} WHERE account_id = ${account} AND id = ${id}), ${remembered})`;
}
