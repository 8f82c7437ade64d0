/** Classifies Ollama's error messages for operations; messages that other engines share are in `engine-command.ts`. */
import type { OperationFailureCode } from '../../../link/messages.js';
import { OperationFailure } from '../engine-management.js';
import { refusedInWords } from '../http/engine-command.js';
import { parseEngineError } from '../failures/error-parser.js';

const words: readonly (readonly [OperationFailureCode, RegExp])[] = [
  ['invalid_source', /invalid model name|name ".*" is invalid/i],
  // The registry's answer for missing and for private models.
  ['unknown_model', /unauthorized: access denied/i],
  [
    'network',
    /max retries exceeded|part stalled|unexpected EOF|context deadline exceeded|status code 5\d\d|: 5\d\d: /i,
  ],
  // A registry that sends the sign-in elsewhere.
  ['network', /realm host .* does not match/i],
];

/** Only a download that has begun leaves parts. */
const beforeTheDownload = /pull model manifest/i;
/** Next step for the owner, appended to the message. */
const advice: Partial<Record<OperationFailureCode, string>> = {
  disk_full: 'Free disk space and try again: the partial download is kept.',
  network: 'Try again: the partial download is kept.',
  unknown_model: 'Check the name at the registry that it comes from, such as ollama.com/library.',
};
const adviceBeforeTheDownload: typeof advice = {
  ...advice,
  network: 'Check that the computer of the node reaches the registry, and try again.',
};

/** @param error the `error` of a progress line */
export function failedPull(error: unknown): OperationFailure {
  const reported = parseEngineError({ error })?.message ?? 'Ollama could not download the model.';
  const code = words.find(([, pattern]) => pattern.test(reported))?.[0] ?? refusedInWords(reported).code;
  const next = (beforeTheDownload.test(reported) ? adviceBeforeTheDownload : advice)[code];
  return new OperationFailure(
    code,
    next === undefined ? reported : `${/[.!?]$/.test(reported) ? reported : `${reported}.`} ${next}`,
  );
}
