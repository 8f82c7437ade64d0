/** Collects the differences between versions of Ollama. */

/** First version tested to honour `truncate` and `shift`. In `/api/ps` of some older ones the context is the sum over parallel requests. */
const FIRST_WITH_TRUNCATE = [0, 12, 6] as const;
/** First version that restarts a runner for another `shift`. */
const FIRST_TO_COMPARE_SHIFT = [0, 30, 0] as const;
/** Builds without a release number; they are of the current sources. */
const OWN_BUILD = '0.0.0';

/** Whether the native routes of this version keep a context length and refuse a longer prompt. */
export const refusesLongPrompts = (version: string | null): boolean => isAtLeast(version, FIRST_WITH_TRUNCATE);

/** Whether a request without the `shift` of the load makes Ollama load the model again. */
export const comparesShift = (version: string | null): boolean => isAtLeast(version, FIRST_TO_COMPARE_SHIFT);

function isAtLeast(version: string | null, least: readonly [number, number, number]): boolean {
  const found = /^v?(\d+)\.(\d+)\.(\d+)/.exec(version ?? '');
  if (found === null) return false;
  if (found[0].replace('v', '') === OWN_BUILD) return true;
  for (const [position, wanted] of least.entries()) {
    const part = Number(found[position + 1]);
    if (part !== wanted) return part > wanted;
  }
  return true;
}
