import { connect } from '../../core/api/connect.js';
import { findNode } from '../../core/api/find-node.js';
import type { ManagementApi } from '../../core/api/management-api.js';
import type { QueryOf, Schemas } from '../../core/api/management-api.types.js';
import { pickNamed } from '../../core/args/pick-named.js';
import { printList } from '../../core/output/print-list.js';
import { timeColumn, unixSecondsOf } from '../../core/output/time.js';
import type { Invocation } from '../../invocation.js';
import { findModel } from '../models/find-model.js';
import { columnsOf, markOfOutcome } from './request-columns.js';
import { keepShownRequests } from './shown-requests.js';

interface RequestsOptions {
  readonly follow?: true;
  readonly model?: string;
  readonly key?: string;
  readonly node?: string;
  readonly outcome?: QueryOf<'/api/usage/requests'>['outcome'];
  readonly since?: string;
  readonly limit: number;
}

type Logged = Schemas['LoggedRequest'];

export async function showRequests(invocation: Invocation, options: RequestsOptions): Promise<void> {
  const api = await connect(invocation);
  const filter = await filterOf(api, options);
  const { terminal, global } = invocation;
  const whole = global.wide || terminal.columns === undefined;
  if (options.follow === true) {
    const { followRequests } = await import('./follow-requests.js');
    await followRequests(invocation, api, filter, whole);
    return;
  }
  const timeOf = timeColumn(terminal);
  const { limit } = options;
  const rows = await api.list('/api/usage/requests', { query: { ...filter, limit: Math.min(limit, 200) }, limit });
  const isSeen = terminal.columns !== undefined && global.output === 'table';
  const numbers = new Map(rows.map(({ id }, index) => [id, String(index + 1)]));
  await printList(invocation, {
    rows,
    columns: [
      // In a pipe the columns are always the same.
      ...(isSeen ? [{ heading: '#', value: ({ id }: Logged) => numbers.get(id) ?? '', align: 'right' } as const] : []),
      ...columnsOf(whole, ({ started_at }) => timeOf(unixSecondsOf(started_at))),
    ],
    mark: markOfOutcome,
    whenEmpty: 'no requests; they are listed when they have ended, a few seconds later',
  });
  if (!isSeen || rows.length === 0) return;
  await keepShownRequests(
    invocation.env,
    rows.map(({ id }) => id),
  );
  terminal.note('  next: ferry explain 1  (the number of a row, or any part of an id)');
}

/** The query of the list; resolves names. @throws CliError when the model, key or node does not exist */
async function filterOf(
  api: ManagementApi,
  { model, key, node, outcome, since }: RequestsOptions,
): Promise<QueryOf<'/api/usage/requests'>> {
  return {
    model: model === undefined ? undefined : await selectorOf(api, model),
    key_id: key === undefined ? undefined : await keyIdOf(api, key),
    node_id: node === undefined ? undefined : await findNode(api, node),
    outcome,
    since,
  };
}

async function selectorOf(api: ManagementApi, model: string): Promise<string> {
  // One that is gone has only its selector.
  return /^mdl_[0-9a-f]{16}$/.test(model) ? model : (await findModel(api, model)).selector;
}

async function keyIdOf(api: ManagementApi, key: string): Promise<string> {
  if (/^key_[0-9A-Za-z]{12}$/.test(key)) return key;
  return pickNamed(await api.list('/api/keys'), key, {
    what: 'key',
    code: 'key_not_found',
    list: 'ferry keys list',
    ids: ({ key_id }) => [key_id],
    names: ({ name }) => [name],
  }).key_id;
}
