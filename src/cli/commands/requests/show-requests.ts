import pc from 'picocolors';
import { printable } from '../../../kernel/printable.js';
import { connect } from '../../core/api/connect.js';
import { findNode } from '../../core/api/find-node.js';
import type { ManagementApi } from '../../core/api/management-api.js';
import type { Schemas } from '../../core/api/management-api.types.js';
import { queryOf } from '../../core/args/query-of.js';
import { CliError } from '../../core/errors/cli-error.js';
import { exitCodes } from '../../core/errors/exit-codes.js';
import { layoutColumns } from '../../core/output/layout-columns.js';
import { printList } from '../../core/output/print-list.js';
import type { Invocation } from '../../invocation.js';
import { columnRoom, columnsOf } from './request-columns.js';
import { ago } from './request-times.js';

interface RequestsOptions {
  readonly follow?: true;
  readonly model?: string;
  readonly key?: string;
  readonly node?: string;
  readonly outcome?: string;
  readonly since?: string;
  readonly limit: number;
  readonly wide?: true;
}

type Logged = Schemas['LoggedRequest'];

export async function showRequests(invocation: Invocation, options: RequestsOptions): Promise<void> {
  const api = await connect(invocation);
  const filter = await filterOf(api, options);
  const { terminal } = invocation;
  const whole = options.wide === true || terminal.columns === undefined;
  if (options.follow === true) {
    const { followRequests } = await import('./follow-requests.js');
    await followRequests(invocation, api, filter, whole);
    return;
  }
  const nowMs = Date.now();
  const path = `/api/usage/requests${queryOf({ ...filter, limit: Math.min(options.limit, 200) })}`;
  const rows = await api.list<Logged>(path, options.limit);
  const columns = columnsOf(whole, ({ started_at }) => ago(started_at, nowMs));
  const whenEmpty = 'no requests; they are listed when they have ended, a few seconds later';
  const width = terminal.columns;
  if (width === undefined || whole || invocation.global.output !== 'table') {
    await printList(invocation, { rows, columns, whenEmpty });
    return;
  }
  const [heading = '', ...lines] = layoutColumns(
    columns.map(({ heading: name, value, align }) => ({
      heading: name,
      cells: rows.map((row) => printable(value(row)) || '-'),
      ...(align === undefined ? {} : { align }),
      ...columnRoom[name],
    })),
    width,
  );
  terminal.print(pc.createColors(terminal.stdoutColors).bold(heading));
  for (const line of lines) terminal.print(line);
  if (rows.length === 0) terminal.note(whenEmpty);
}

/** The query of the list; resolves names. @throws CliError when the model, key or node does not exist */
async function filterOf(
  api: ManagementApi,
  { model, key, node, outcome, since }: RequestsOptions,
): Promise<Readonly<Record<string, string | undefined>>> {
  return {
    model: model === undefined ? undefined : await selectorOf(api, model),
    key_id: key === undefined ? undefined : await keyIdOf(api, key),
    node_id: node === undefined ? undefined : await findNode(api, node),
    outcome,
    since,
  };
}

async function selectorOf(api: ManagementApi, model: string): Promise<string> {
  if (/^mdl_[0-9a-f]{16}$/.test(model)) return model;
  const found = (await api.list<Schemas['Model']>('/api/models')).find(({ id }) => id === model);
  if (found !== undefined) return found.selector;
  throw new CliError('model_not_found', exitCodes.notFound, `there is no model "${model}"`, {
    hint: 'ferry models list; one that is gone: its selector',
  });
}

async function keyIdOf(api: ManagementApi, key: string): Promise<string> {
  if (/^key_[0-9A-Za-z]{12}$/.test(key)) return key;
  const found = (await api.list<Schemas['Key']>('/api/keys')).find(({ name }) => name === key);
  if (found !== undefined) return found.key_id;
  throw new CliError('key_not_found', exitCodes.notFound, `there is no key "${key}"`, { hint: 'ferry keys list' });
}
