/** Ollama's own words for what went wrong with an operation; what other engines say, too, is read with theirs. */
import type { OperationFailureCode } from '../../../link/messages.js';
import { OperationFailure } from '../engine-management.js';
import { refusedInWords } from '../http/engine-command.js';
import { parseEngineError } from '../http/error-parser.js';

const words: readonly (readonly [OperationFailureCode, RegExp])[] = [
  ['invalid_source', /invalid model name|name ".*" is invalid/i],
  // The registry's answer to what is not there and to what is private.
  ['unknown_model', /unauthorized: access denied/i],
  ['network', /max retries exceeded|part stalled|unexpected EOF|context deadline exceeded|status code 5\d\d/i],
];

/** What the owner does next, where the words alone do not say it. */
const advice: Partial<Record<OperationFailureCode, string>> = {
  disk_full: 'Free disk space and try again: what was downloaded is kept.',
  network: 'Try again: what was downloaded is kept.',
  unknown_model: 'Check the name on ollama.com/library.',
};

/** @param error the `error` of a line of the download's report */
export function failedPull(error: unknown): OperationFailure {
  const said = parseEngineError({ error })?.message ?? 'Ollama could not download the model.';
  const code = words.find(([, pattern]) => pattern.test(said))?.[0] ?? refusedInWords(said).code;
  const next = advice[code];
  return new OperationFailure(code, next === undefined ? said : `${/[.!?]$/.test(said) ? said : `${said}.`} ${next}`);
}
