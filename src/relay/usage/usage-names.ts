/** The kinds of things that usage is counted by and that have names of their own. */
export type NamedKind = 'key' | 'node' | 'cluster' | 'model';

/** Where the name is now. Models have none in the database: what nodes call them is noted with their usage. */
const tables = { key: 'api_key', node: 'node', cluster: 'cluster' } as const satisfies Partial<
  Record<NamedKind, string>
>;

/**
 * SQL for the name of a thing: the present one, or the last one of a thing that is gone. No scan: two look-ups by primary key.
 * @param account SQL of the account's id
 * @param id SQL of the thing's id
 */
export function nameOf(kind: NamedKind, account: string, id: string): string {
  const remembered = `(SELECT name FROM usage_name WHERE account_id = ${account} AND kind = '${kind}' AND id = ${id})`;
  if (kind === 'model') return remembered;
  return `coalesce((SELECT name FROM ${tables[kind]} WHERE account_id = ${account} AND id = ${id}), ${remembered})`;
}
