/** From what a person has of a request to its id: a part of the id, or the number of a row. */
import type { ManagementApi } from '../../core/api/management-api.js';
import type { Schemas } from '../../core/api/management-api.types.js';
import { wholeId } from '../../core/args/whole-id.js';
import { CliError } from '../../core/errors/cli-error.js';
import { exitCodes } from '../../core/errors/exit-codes.js';
import type { Environment } from '../../invocation.js';
import { readShownRequests } from '../requests/shown-requests.js';

const WHOLE_ID = /^req_[0-9a-f]{32}$/;
/** Longer figures are part of an id. */
const ROW = /^#?(\d{1,3})$/;
const PAGE = 200;

/** @throws CliError (not found), or (usage) when several fit */
export async function findRequest(api: ManagementApi, env: Environment, given: string): Promise<string> {
  if (WHOLE_ID.test(given)) return given;
  const row = ROW.exec(given)?.[1];
  if (row !== undefined) return requestInRow(api, env, Number(row));
  const requests = await api.list('/api/requests', { query: { limit: PAGE }, limit: PAGE });
  return wholeId(
    requests.map(({ id }) => id),
    given,
    'requests',
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
  api.list('/api/requests', { query: { limit: Math.min(count, PAGE) }, limit: count });
