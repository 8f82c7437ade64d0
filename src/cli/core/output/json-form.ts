/**
 * The form of JSON and YAML of all commands, also where the relay's own responses have another one: an id has one name wherever it is, as
 * of the thing itself and in references to it; times are ISO 8601 in UTC; what something is doing is its `state`.
 */

/** Seconds since 1970 in a response of the relay, and their names here. */
export const timeNames: ReadonlyMap<string, string> = new Map([
  ['created', 'created_at'],
  ['connected', 'connected_at'],
  ['expires', 'expires_at'],
  ['expires_at', 'expires_at'],
  ['last_request', 'last_request_at'],
  ['last_seen', 'last_seen_at'],
  ['last_sign_in', 'last_sign_in_at'],
  ['last_used', 'last_used_at'],
  ['password_expires', 'password_expires_at'],
  ['problem_since', 'problem_since'],
  ['updated', 'updated_at'],
]);

/** Maps `object` to the name of its `id`. A model has a name to send as `model`, and a selector. */
export const idNames: ReadonlyMap<string, string> = new Map([
  ['audit_event', 'audit_event_id'],
  ['catalog_model', 'repository'],
  ['model', 'model'],
  ['operation', 'operation_id'],
  ['request', 'request_id'],
  ['usage.request', 'request_id'],
]);

/** Values that are whoever's wrote them. */
export const foreignFields: ReadonlySet<string> = new Set(['detail', 'fields', 'variables']);

/** A document as commands print it. */
export function inJsonForm(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inJsonForm);
  if (typeof value !== 'object' || value === null) return value;
  const object = 'object' in value && typeof value.object === 'string' ? value.object : '';
  return Object.fromEntries(
    Object.entries(value).map(([name, field]: [string, unknown]) => {
      if (foreignFields.has(name)) return [name, field];
      const time = timeNames.get(name);
      if (time !== undefined && (field === null || typeof field === 'number')) return [time, isoOf(field)];
      if (name === 'id') return [idNames.get(object) ?? name, field];
      if (name === 'status' && typeof field === 'string') return ['state', field];
      return [name, inJsonForm(field)];
    }),
  );
}

const isoOf = (unixSeconds: number | null): string | null =>
  unixSeconds === null ? null : new Date(unixSeconds * 1_000).toISOString();
