import { parseExactOrNothing } from '../../../kernel/exact-json.js';

/**
 * What a plain parser would not keep: escapes of surrogates, of which a half may be in the next event; numbers of many digits; and arguments
 * that are no text, whose numbers are written anew. One pass over the text, because every parsed event pays for it. In a text it may be
 * found as well, which costs time only.
 */
const UNUSUAL = /\\u[dD]|[:,[\s]-?\d{16}|"arguments"\s*:\s*[{[]/;

/** Whether an engine's JSON needs {@link parseEngineJson}, and may contain half surrogate pairs. */
export const isUnusual = (text: string): boolean => UNUSUAL.test(text);

/** Undefined where the text is not JSON. Numbers keep their digits. */
export const parseEngineJson = (text: string): unknown => parseExactOrNothing(text);
