import { CliError } from '../errors/cli-error.js';
import { exitCodes } from '../errors/exit-codes.js';

const MOST_NAMED = 4;

/**
 * From a part of an id, as tables show it, to the whole one. What fits nothing is left to the relay to refuse: it may be too old to be listed.
 * @param what completes "several … have"
 * @throws CliError (usage) when several fit
 */
export function wholeId(ids: readonly string[], given: string, what: string): string {
  const part = given.replaceAll('…', '').toLowerCase();
  if (part === '') return given;
  const found = ids.filter((id) => id.includes(part));
  const [first, ...others] = found;
  if (first === undefined) return given;
  if (others.length === 0) return first;
  const more = found.length > MOST_NAMED ? `, and ${String(found.length - MOST_NAMED)} more` : '';
  throw new CliError(
    'usage',
    exitCodes.usage,
    `${String(found.length)} ${what} have ${part} in their id: ${found.slice(0, MOST_NAMED).join(', ')}${more}`,
    { hint: 'give more of the id' },
  );
}
