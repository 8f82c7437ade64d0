import { connect } from '../../core/api/connect.js';
import type { ManagementApi } from '../../core/api/management-api.js';
import type { Schemas } from '../../core/api/management-api.types.js';
import { CliError } from '../../core/errors/cli-error.js';
import { exitCodes } from '../../core/errors/exit-codes.js';
import { printData } from '../../core/output/print-data.js';
import type { Invocation } from '../../invocation.js';
import { renderExplanation } from './render-explanation.js';

const WHOLE_ID = /^req_[0-9a-f]{32}$/;
const HINT = 'ferry requests lists them; the relay keeps decisions for a while only';

/** @param id complete, or a prefix; absent: the latest request */
export async function explainRequest(invocation: Invocation, id: string | undefined): Promise<void> {
  const api = await connect(invocation);
  const { terminal, global } = invocation;
  const request = await find(api, id);
  const columns = terminal.columns;
  await printData(invocation, request, () => undefined);
  if (global.output !== 'table') return;
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
  outcome === null
    ? undefined
    : api.get<Schemas['LoggedRequest']>(`/api/usage/requests/${encodeURIComponent(id)}`).catch(() => undefined);

const get = (api: ManagementApi, id: string): Promise<Schemas['ExplainedRequest']> =>
  api.get<Schemas['ExplainedRequest']>(`/api/requests/${encodeURIComponent(id)}`, HINT);

async function find(api: ManagementApi, given: string | undefined): Promise<Schemas['ExplainedRequest']> {
  if (given === undefined) {
    const [latest] = await api.list<Schemas['RequestSummary']>('/api/requests?limit=1', 1);
    if (latest !== undefined) return get(api, latest.id);
    throw new CliError('not_found', exitCodes.notFound, 'there was no request yet', { hint: HINT });
  }
  // A prefix, as shortened in tables.
  const beginning = given.replace(/…$/, '');
  try {
    return await get(api, beginning);
  } catch (error) {
    if (!(error instanceof CliError) || error.exitCode !== exitCodes.notFound || WHOLE_ID.test(beginning)) throw error;
    return get(api, await complete(api, beginning, error));
  }
}

async function complete(api: ManagementApi, beginning: string, missing: CliError): Promise<string> {
  const requests = await api.list<Schemas['RequestSummary']>('/api/requests?limit=200');
  const [first, second] = requests.filter(({ id }) => id.startsWith(beginning));
  if (first === undefined) throw missing;
  if (second === undefined) return first.id;
  throw new CliError('usage', exitCodes.usage, `several requests begin with ${beginning}`, {
    hint: 'give more of the id',
  });
}
