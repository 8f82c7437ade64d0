/**
 * Recorded exchanges with engines (test/fixtures/recordings): `# METHOD path`, `# body: …`, then the status line and headers with CRLF, and
 * the body. Without secrets, and without paths and addresses of the computer that recorded them.
 */
import { homedir, tmpdir } from 'node:os';

/** Of one answer only, or of the person who asked. */
const LEFT_OUT = new Set(['authorization', 'cookie', 'date', 'set-cookie', 'x-api-key', 'x-request-id']);

/**
 * @typedef {object} RecordedRequest
 * @property {string} method
 * @property {string} path
 * @property {string} body empty for none
 */

/** @param {string} text of a file @returns {RecordedRequest} */
export function requestOf(text) {
  const [, method, path, body] = /^# ([A-Z]+) (\S+)\n# body: ?(.*)\n/.exec(text) ?? [];
  if (method === undefined) throw new Error(`not a recorded exchange: ${text.slice(0, 100)}`);
  return { method, path, body };
}

/**
 * @param {RecordedRequest} request
 * @param {{ status: number, statusText: string, headers: readonly (readonly [string, string])[], body: string }} answer
 * @param {readonly string[]} paths of this computer, besides its home and its folder for temporary files
 * @returns the text of a file
 */
export function exchangeText({ method, path, body }, response, paths) {
  const headers = response.headers
    .filter(([name]) => !LEFT_OUT.has(name.toLowerCase()))
    .map(([name, value]) => `${name}: ${value}\r\n`);
  const reported = `HTTP/1.1 ${response.status} ${response.statusText}\r\n${headers.join('')}\r\n${response.body}`;
  return `# ${method} ${path}\n# body: ${body}\n${cleaned(reported, paths)}`;
}

function cleaned(text, paths) {
  const own = [...paths, homedir(), tmpdir()]
    .filter((folder) => folder.length > 1)
    .toSorted((a, b) => b.length - a.length);
  const withoutPaths = own.reduce((rest, folder) => rest.replaceAll(folder, '/path'), text);
  return withoutPaths
    .replace(/\b(sk-|hf_|Bearer )[\w.-]{8,}/g, '$1removed')
    .replace(/\b(127\.0\.0\.1|localhost):\d{4,5}\b/g, '$1:8080');
}
