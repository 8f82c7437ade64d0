/** From what a person has of a request to its id: a part of the id, or the number of a row. */
import type { ManagementApi } from '../../core/api/management-api.js';
import type { Schemas } from '../../core/api/management-api.types.js';
import { CliError } from '../../core/errors/cli-error.js';
import { exitCodes } from '../../core/errors/exit-codes.js';
import type { Environment } from '../../invocation.js';
import { readShownRequests } from '../requests/shown-requests.js';

const WHOLE_ID = /^req_[0-9a-f]{32}$/;
/** Longer figures are part of an id. */
const ROW = /^#?(\d{1,3})$/;
const PAGE = 200;
const MOST_NAMED = 4;

/** @throws CliError (not found), or (usage) when several fit */
export async function findRequest(api: ManagementApi, env: Environment, given: string): Promise<string> {
  if (WHOLE_ID.test(given)) return given;
  const row = ROW.exec(given)?.[1];
  if (row !== undefined) return requestInRow(api, env, Number(row));
  // As shortened in tables.
  const part = given.replaceAll('…', '').toLowerCase();
  const requests = part === '' ? [] : await api.list<Schemas['RequestSummary']>(`/api/requests?limit=${PAGE}`, PAGE);
  const found = requests.filter(({ id }) => id.includes(part));
  const [first, ...others] = found;
  // Too old to be listed, or never there: the relay says it.
  if (first === undefined) return given;
  if (others.length === 0 || first.id === part) return first.id;
  const named = found.slice(0, MOST_NAMED).map(({ id }) => id);
  const more = found.length > MOST_NAMED ? `, and ${found.length - MOST_NAMED} more` : '';
  throw new CliError(
    'usage',
    exitCodes.usage,
    `${found.length} requests have ${part} in their id: ${named.join(', ')}${more}`,
    { hint: 'give more of the id, or the number of a row of ferry requests' },
  );
}

async function requestInRow(api: ManagementApi, env: Environment, row: number): Promise<string> {
  const shown = await readShownRequests(env);
  const ids = shown ?? (await latestRequests(api, row)).map(({ id }) => id);
  const id = ids[row - 1];
  if (id !== undefined) return id;
  const have = ids.length === 1 ? 'is 1 row' : `are ${ids.length} rows`;
  throw new CliError('not_found', exitCodes.notFound, `there is no row ${row}: there ${have}`, {
    hint: 'ferry requests numbers its rows',
  });
}

/** Newest first; those that run included. */
export const latestRequests = (api: ManagementApi, count: number): Promise<readonly Schemas['RequestSummary'][]> =>
  api.list<Schemas['RequestSummary']>(`/api/requests?limit=${Math.min(count, PAGE)}`, count);
