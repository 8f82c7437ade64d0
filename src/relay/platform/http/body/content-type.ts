/**
 * Whether a body with this `content-type` is read as JSON: JSON with any parameters, and the two slips that everybody makes,
 * no header at all and curl's default for `-d` (docs/reference/stream-transport.md#events-and-bytes).
 */
export function isReadAsJson(contentType: string | undefined): boolean {
  const type = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return (
    type === '' ||
    type === 'application/json' ||
    type === 'application/x-www-form-urlencoded' ||
    /^application\/[a-z0-9!#$&^_.-]+\+json$/.test(type)
  );
}
