import { connect } from '../../core/api/connect.js';
import type { ManagementApi } from '../../core/api/management-api.js';
import type { Schemas } from '../../core/api/management-api.types.js';
import { CliError } from '../../core/errors/cli-error.js';
import { exitCodes } from '../../core/errors/exit-codes.js';
import { printData } from '../../core/output/print-data.js';
import type { Invocation } from '../../invocation.js';
import { findRequest, latestRequests } from './find-request.js';
import { renderExplanation } from './render-explanation.js';

const HINT = 'ferry requests lists them; the relay keeps decisions for a while only';

interface ExplainOptions {
  /** The latest ones, newest first. */
  readonly last?: number;
}

/** @param given an id, a unique part of one, or the number of a row; absent: the latest request */
export async function explainRequest(
  invocation: Invocation,
  given: string | undefined,
  { last }: ExplainOptions,
): Promise<void> {
  if (given !== undefined && last !== undefined) {
    throw new CliError('usage', exitCodes.usage, '--last is instead of a request', { hint: 'ferry explain --last 3' });
  }
  const api = await connect(invocation);
  if (given !== undefined) {
    const request = await get(api, await findRequest(api, invocation.env, given));
    await printData(invocation, request, () => undefined);
    await printExplanation(invocation, api, request);
    return;
  }
  const latest = (await latestRequests(api, last ?? 1)).slice(0, last ?? 1);
  if (latest.length === 0) {
    throw new CliError('not_found', exitCodes.notFound, 'there was no request yet', { hint: HINT });
  }
  const requests = await Promise.all(latest.map(({ id }) => get(api, id)));
  const data = last === undefined ? requests[0] : { object: 'list', data: requests };
  await printData(invocation, data ?? {}, () => undefined);
  for (const [index, request] of requests.entries()) {
    if (index > 0 && invocation.global.output === 'table') invocation.terminal.print('');
    await printExplanation(invocation, api, request);
  }
}

async function printExplanation(
  { terminal, global }: Invocation,
  api: ManagementApi,
  request: Schemas['ExplainedRequest'],
): Promise<void> {
  if (global.output !== 'table') return;
  const columns = terminal.columns;
  terminal.print(
    renderExplanation(request, await loggedOf(api, request), {
      wide: global.wide,
      colors: terminal.stdoutColors,
      ...(columns === undefined ? {} : { columns }),
    }),
  );
}

/** The log entry of a request that has ended; it is written a few seconds later. */
export const loggedOf = async (
  api: ManagementApi,
  { id, outcome }: Schemas['ExplainedRequest'],
): Promise<Schemas['LoggedRequest'] | undefined> =>
  outcome === null ? undefined : api.get('/api/usage/requests/{id}', { path: { id } }).catch(() => undefined);

const get = (api: ManagementApi, id: string): Promise<Schemas['ExplainedRequest']> =>
  api.get('/api/requests/{id}', { path: { id }, whenMissing: HINT });
