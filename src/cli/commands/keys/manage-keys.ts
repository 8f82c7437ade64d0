import type { Limit } from '../../core/args/parse-count.js';
import { clusterNames, findCluster } from '../clusters/find-cluster.js';
import { connect } from '../../core/api/connect.js';
import type { ManagementApi } from '../../core/api/management-api.js';
import type { Invocation } from '../../invocation.js';
import { confirmRevocation } from '../../core/output/confirm.js';
import { printData, silently } from '../../core/output/print-data.js';
import { printList } from '../../core/output/print-list.js';
import { printable } from '../../../kernel/printable.js';
import { localMinute, timeColumn } from '../../core/output/time.js';
import { prepareToKeep } from '../../core/api/keep-api-key.js';
import type { Schemas } from '../../core/api/management-api.types.js';
import { keyColumns } from './key-columns.js';

interface LimitOptions {
  readonly rpm?: Limit;
  readonly tpm?: Limit;
  readonly concurrency?: Limit;
}

interface CreateOptions extends LimitOptions {
  readonly description?: string;
  readonly scope?: Schemas['CreateKey']['scopes'];
  /** Ids or names. */
  readonly cluster?: readonly string[];
  readonly expires?: Date;
  readonly save?: true;
}

interface UpdateOptions extends LimitOptions {
  readonly name?: string;
  /** Empty: none from now on. */
  readonly description?: string;
}

/** Prints the key alone on stdout in every output form but JSON, whose `key` field holds it. */
export async function createKey(invocation: Invocation, name: string, options: CreateOptions): Promise<void> {
  const api = await connect(invocation);
  const save = options.save === true ? await prepareToKeep(invocation) : undefined;
  const created = await api.post('/api/keys', {
    body: {
      name,
      ...(options.description === undefined ? {} : { description: options.description }),
      ...(options.scope === undefined ? {} : { scopes: options.scope }),
      ...(options.cluster === undefined ? {} : { cluster_ids: await clusterIds(api, options.cluster) }),
      ...(options.expires === undefined ? {} : { expires_in_seconds: secondsUntil(options.expires) }),
      ...limitsOf(options),
    },
  });
  await showOnce(invocation, created, `Created key ${printable(created.name)} (${created.key_id}).`);
  if (save !== undefined)
    invocation.terminal.note(`Kept in profile ${await save(created.key)}, for ferry chat and ferry env.`);
}

/** E-mail addresses of those who made keys. */
async function userNames(api: ManagementApi): Promise<(id: string | null) => string> {
  const users = await api.list('/api/users');
  const emails = new Map(users.map(({ user_id, email }) => [user_id, email]));
  return (id) => (id === null ? '' : (emails.get(id) ?? 'removed'));
}

export async function listKeys(invocation: Invocation): Promise<void> {
  const api = await connect(invocation);
  const rows = await api.list('/api/keys');
  const limited = rows.some(({ cluster_ids }) => cluster_ids !== null);
  const isTable = invocation.global.output === 'table';
  const cluster = limited && isTable ? await clusterNames(api) : (id: string) => id;
  const owned = rows.some(({ created_by }) => created_by !== null);
  const user = owned && isTable ? await userNames(api) : () => '';
  await printList(invocation, {
    rows,
    columns: keyColumns(timeColumn(invocation.terminal), { cluster, user }),
    whenEmpty: 'no keys yet; create one with: ferry keys create NAME',
  });
}

export async function updateKey(invocation: Invocation, idOrName: string, options: UpdateOptions): Promise<void> {
  const api = await connect(invocation);
  const { name, description } = options;
  const body = {
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description: description === '' ? null : description }),
    ...limitsOf(options),
  };
  const updated = await api.patch('/api/keys/{idOrName}', { path: { idOrName }, body, whenMissing: 'ferry keys list' });
  invocation.terminal.note(`Updated key ${printable(updated.name)} (${updated.key_id}).`);
  await printData(invocation, updated, silently);
}

/** The old key stays valid for the overlap, so that applications can be changed one by one. */
export async function rollKey(
  invocation: Invocation,
  idOrName: string,
  { overlap }: Schemas['RollKey'],
): Promise<void> {
  const api = await connect(invocation);
  const rolled = await api.post('/api/keys/{idOrName}/roll', {
    path: { idOrName },
    body: { overlap },
    whenMissing: 'ferry keys list',
  });
  const { previous } = rolled;
  const until =
    previous.expires === null ? '' : ` The old one (${previous.key_id}) works until ${localMinute(previous.expires)}.`;
  await showOnce(invocation, rolled, `Rolled key ${printable(rolled.name)} (${rolled.key_id}).${until}`);
}

export async function revokeKey(
  invocation: Invocation,
  idOrName: string,
  { yes }: { readonly yes?: true },
): Promise<void> {
  const { terminal } = invocation;
  const api = await connect(invocation);
  const question = `Revoke key ${printable(idOrName)}? Whatever uses it is refused from then on; this cannot be undone.`;
  if (!(await confirmRevocation(terminal, question, yes))) return;
  const revoked = await api.delete('/api/keys/{idOrName}', { path: { idOrName }, whenMissing: 'ferry keys list' });
  terminal.note(`Revoked key ${printable(revoked.name)} (${revoked.key_id}).`);
  await printData(invocation, revoked, silently);
}

async function showOnce(invocation: Invocation, created: Schemas['NewKey'], reported: string): Promise<void> {
  const { terminal } = invocation;
  terminal.note(`${reported} Copy it now; it is not shown again.`);
  for (const warning of created.warnings) terminal.note(printable(warning));
  await printData(invocation, created, () => {
    terminal.print(created.key);
  });
}

const secondsUntil = (moment: Date): number => Math.round((moment.getTime() - Date.now()) / 1_000);

async function clusterIds(api: ManagementApi, idsOrNames: readonly string[]): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const idOrName of idsOrNames) ids.push(await findCluster(api, idOrName));
  return ids;
}

/** Only the given options: an omitted limit stays unchanged, `none` removes one. */
function limitsOf({ rpm, tpm, concurrency }: LimitOptions): Pick<Schemas['CreateKey'], 'limits'> {
  const limits = {
    ...(rpm === undefined ? {} : { requests_per_minute: orNull(rpm) }),
    ...(tpm === undefined ? {} : { tokens_per_minute: orNull(tpm) }),
    ...(concurrency === undefined ? {} : { concurrency: orNull(concurrency) }),
  };
  return Object.keys(limits).length === 0 ? {} : { limits };
}

const orNull = (limit: Limit): number | null => (limit === 'none' ? null : limit);
