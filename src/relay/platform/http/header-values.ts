import type { IncomingMessage } from 'node:http';

/**
 * All raw values of a header. Node keeps the first of some duplicated headers and joins others, so only the raw list
 * shows whether a client or a proxy sent one twice (docs/reference/security.md#headers). `name` in lower case.
 */
export function headerValues(request: IncomingMessage, name: string): string[] {
  const values: string[] = [];
  const { rawHeaders } = request;
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const header = rawHeaders[index];
    // Cheap comparison first: several names are searched per request.
    if (header?.length === name.length && header.toLowerCase() === name) values.push(rawHeaders[index + 1] ?? '');
  }
  return values;
}

/**
 * All values of a cookie. A cookie parser keeps one of several with the same name, but their order must not decide whose session is
 * used.
 */
export const cookieValues = (request: IncomingMessage, name: string): string[] =>
  headerValues(request, 'cookie')
    .flatMap((line) => line.split(';'))
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
