/**
 * Parses large JSON texts off the event loop. Plain JavaScript, so that Jest can start it from source.
 *
 * In:  { id, bytes }, the memory of `bytes` transferred
 * Out: { id, bytes, value } · { id, bytes } when it is not JSON; the memory comes back
 */
import { parentPort } from 'node:worker_threads';

/** Characters. Copying an image of megabytes to the other side would block it for as long as parsing it there. */
const LONGEST_STRING = 65_536;

/** Recursion is bounded: nesting was checked before. */
function cutStrings(parent) {
  for (const [key, child] of Object.entries(parent)) {
    if (typeof child === 'string' && child.length > LONGEST_STRING) parent[key] = child.slice(0, LONGEST_STRING);
    else if (typeof child === 'object' && child !== null) cutStrings(child);
  }
}

parentPort.on('message', ({ id, bytes }) => {
  let answer = { id, bytes };
  try {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
    const value = JSON.parse(text);
    if (typeof value === 'object' && value !== null) cutStrings(value);
    answer = { id, bytes, value };
  } catch {
    // Not JSON: the answer has no value.
  }
  parentPort.postMessage(answer, [bytes.buffer]);
});
