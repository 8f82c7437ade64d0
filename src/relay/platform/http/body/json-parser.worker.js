/**
 * Parses large JSON texts off the event loop. Plain JavaScript, so that Jest can start it from source.
 *
 * In:  { id, bytes, colons, module?, parameters? }, the memory of `bytes` transferred
 * Out: { id, bytes, repeats, value } · { id, bytes } when it is not JSON; the memory comes back. With a module, an object is given to its
 *      `readJson`, and only what that returns is sent: { id, bytes, read: { result } }, { …, refusal } for a FerryError or { …, failure }.
 *      Cloning an object of many keys would block the main thread for longer than parsing it there.
 */
import { parentPort } from 'node:worker_threads';

/** In characters. Copying an image of megabytes to the main thread would block it as long as parsing it there. */
const LONGEST_STRING = 65_536;

/** As `countMembers` of `src/kernel/repeated-keys.ts`, which is not there when this runs from source. */
function countMembers(value) {
  if (typeof value !== 'object' || value === null) return 0;
  let members = Array.isArray(value) ? 0 : Object.keys(value).length;
  for (const child of Object.values(value)) members += countMembers(child);
  return members;
}

/** The forwarded value must be the checked one: the last value of a repeated key. */
async function onceEach(bytes) {
  try {
    const { withoutRepeatedKeys } = await import('../../../../kernel/repeated-keys.js');
    const own = withoutRepeatedKeys(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    // Memory of its own, which can be transferred: a short rest may be a slice of Node's pool.
    return { bytes: Uint8Array.from(own), repeats: false };
  } catch {
    return { bytes, repeats: true };
  }
}

/** Recursion is bounded: nesting was checked before. */
function cutStrings(parent) {
  for (const [key, child] of Object.entries(parent)) {
    if (typeof child === 'string' && child.length > LONGEST_STRING) parent[key] = child.slice(0, LONGEST_STRING);
    else if (typeof child === 'object' && child !== null) cutStrings(child);
  }
}

function parse(bytes) {
  try {
    const value = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString());
    if (typeof value === 'object' && value !== null) cutStrings(value);
    return value;
  } catch {
    // Not JSON: there is no value.
    return undefined;
  }
}

async function read(value, module, parameters) {
  try {
    const { readJson } = await import(module);
    return { read: { result: readJson(value, parameters) } };
  } catch (error) {
    if (error?.name !== 'FerryError') return { failure: String(error?.stack ?? error) };
    const { code, message, param, status } = error;
    return { refusal: { code, message, param, status } };
  }
}

parentPort.on('message', async ({ id, bytes: received, colons, module, parameters }) => {
  const value = parse(received);
  const { bytes, repeats } =
    countMembers(value) < colons && value !== undefined
      ? await onceEach(received)
      : { bytes: received, repeats: false };
  // Of any other value the main thread only needs to know that it is not an object.
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  const response =
    module === undefined
      ? { value }
      : isObject
        ? await read(value, module, parameters)
        : { value: value === undefined ? undefined : null };
  parentPort.postMessage({ id, bytes, repeats, ...response }, [bytes.buffer]);
});
