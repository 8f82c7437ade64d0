import type { IncomingMessage } from 'node:http';

/**
 * Every value of a header as it came. Node keeps the first of some duplicated headers and joins others, so only the raw list
 * tells whether a client, or somebody in between, sent one twice (docs/reference/security.md#headers). `name` in lower case.
 */
export function headerValues(request: IncomingMessage, name: string): string[] {
  const values: string[] = [];
  const { rawHeaders } = request;
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const header = rawHeaders[index];
    // Most have another length: every request asks for several names.
    if (header?.length === name.length && header.toLowerCase() === name) values.push(rawHeaders[index + 1] ?? '');
  }
  return values;
}
