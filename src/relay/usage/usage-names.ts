/** Kinds of objects that usage is grouped by and that have names. */
export type NamedKind = 'key' | 'node' | 'cluster' | 'model';

/** The tables with current names. Models have none: their names are stored with their usage. */
const tables = { node: 'node', cluster: 'cluster' } as const satisfies Partial<Record<NamedKind, string>>;

/**
 * SQL for the name of an object: the current one, or the last known one of a deleted object. Two look-ups by primary key.
 * @param account SQL of the account's id
 * @param id SQL of the object's id
 */
export function nameOf(kind: NamedKind, account: string, id: string): string {
  const remembered = `(SELECT name FROM usage_name WHERE account_id = ${account} AND kind = '${kind}' AND id = ${id})`;
  if (kind === 'model') return remembered;
  if (kind === 'key') return keyNameOf(account, id, remembered);
  return `coalesce((SELECT name FROM ${tables[kind]} WHERE account_id = ${account} AND id = ${id}), ${remembered})`;
}

/** SQL for how the requests of a signed-in person appear among those of keys. @param user SQL of the person's name */
export const websiteName = (user: string): string => `'Website (' || ${user} || ')'`;

/** A request from the website has the id of a user, or of a credential without a user, instead of that of a key. */
const keyNameOf = (account: string, id: string, remembered: string): string => `coalesce(
    (SELECT name FROM api_key WHERE account_id = ${account} AND id = ${id}),
    (SELECT ${websiteName('name')} FROM "user" WHERE account_id = ${account} AND id = ${id}),
    ${remembered},
    CASE WHEN ${id} NOT LIKE 'key!_%' ESCAPE '!' THEN 'Website' END)`;
