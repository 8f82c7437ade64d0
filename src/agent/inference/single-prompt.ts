/** A list of one prompt is that prompt: many clients send lists, and not every engine takes them. */
import { applySplices, findElements, findMembers, NotJsonObjectError } from '../../kernel/json-members.js';

const promptKey: ReadonlySet<string> = new Set(['prompt']);
const QUOTE = 0x22;
const OPEN_BRACKET = 0x5b;

/** @param body of a completions request @returns the same buffer unless its prompt is a list of one text, or of one list of tokens */
export function withSinglePrompt(body: Buffer): Buffer {
  try {
    const prompt = findMembers(body, promptKey).members.at(-1);
    if (prompt === undefined || body[prompt.start] !== OPEN_BRACKET) return body;
    const [only, ...others] = findElements(body, prompt.start);
    if (only === undefined || others.length > 0) return body;
    const first = body[only.start];
    if (first !== QUOTE && first !== OPEN_BRACKET) return body;
    const text = body.toString('utf8', only.start, only.end);
    return Buffer.concat(applySplices(body, [{ start: prompt.start, end: prompt.end, text }]));
  } catch (error) {
    // The engine's own error about malformed JSON is more specific.
    if (error instanceof NotJsonObjectError) return body;
    throw error;
  }
}
