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

/**
 * Every value of a cookie. A cookie parser keeps one of several with the same name; which one a browser or somebody in between sent first
 * must not decide whose session it is.
 */
export const cookieValues = (request: IncomingMessage, name: string): string[] =>
  headerValues(request, 'cookie')
    .flatMap((line) => line.split(';'))
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
