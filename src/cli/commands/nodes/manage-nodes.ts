import { clusterNames, findCluster } from '../clusters/find-cluster.js';
import { connect } from '../../core/api/connect.js';
import type { Invocation } from '../../invocation.js';
import { confirm, confirmRevocation } from '../../core/output/confirm.js';
import { printData, silently } from '../../core/output/print-data.js';
import { printable } from '../../../kernel/printable.js';
import { shellWord } from '../../../kernel/shell-words.js';
import { localMinute } from '../../core/output/time.js';
import { CliError } from '../../core/errors/cli-error.js';
import { findNode, findNodeOrRevoked } from '../../core/api/find-node.js';
import type { Schemas } from '../../core/api/management-api.types.js';

interface Confirmed {
  readonly yes?: true;
}

const pathOf = (id: string): string => `/api/nodes/${encodeURIComponent(id)}`;

export async function createJoinToken(
  invocation: Invocation,
  { cluster }: { readonly cluster?: string },
): Promise<void> {
  const api = await connect(invocation);
  // An id is used without a look-up, which saves a request; the relay validates it.
  const clusterId = cluster === undefined || cluster.startsWith('cl_') ? cluster : await findCluster(api, cluster);
  const created = await api.post<Schemas['JoinToken']>(
    '/api/join-tokens',
    clusterId === undefined ? {} : { cluster_id: clusterId },
    'ferry clusters',
  );
  const { terminal } = invocation;
  await printData(invocation, created, () => {
    if (created.warning !== null) terminal.note(printable(created.warning));
    terminal.note(`Works once, until ${localMinute(created.expires_at)}. On the new computer run:`);
    for (const [where, command] of [
      ['Linux, macOS', created.install_command],
      ['Windows, in PowerShell', created.install_command_windows],
      ['with Ferry installed', created.command],
    ] as const) {
      terminal.note(`  # ${where}`);
      terminal.note(`  ${printable(command)}`);
    }
    terminal.print(created.join_token);
  });
}

export async function renameNode(invocation: Invocation, node: string, name: string): Promise<void> {
  await change(invocation, node, { name }, ({ name: now }) => `Renamed ${node} to ${now}.`).catch((error: unknown) => {
    if (!(error instanceof CliError) || error.code !== 'conflict') throw error;
    const { code, exitCode, message, requestId } = error;
    const hint = 'choose another name; ferry nodes shows those that are taken';
    throw new CliError(code, exitCode, message, { hint, requestId, cause: error });
  });
}

/** Running requests continue; new ones reach the node through its new cluster. */
export async function moveNode(invocation: Invocation, node: string, cluster: string): Promise<void> {
  const api = await connect(invocation);
  const clusterId = await findCluster(api, cluster);
  const name = (await clusterNames(api))(clusterId);
  await change(invocation, node, { cluster_id: clusterId }, (moved) => `Moved ${moved.name} to ${name}.`);
}

export async function pauseNode(invocation: Invocation, node: string): Promise<void> {
  const { name } = await act(
    invocation,
    node,
    'pause',
    {},
    (paused) => `Paused ${paused.name}: it gets no new requests, and finishes what it has.`,
  );
  invocation.terminal.note(`  next: ferry nodes resume ${shellWord(printable(name))}`);
}

export async function resumeNode(invocation: Invocation, node: string): Promise<void> {
  await act(invocation, node, 'resume', {}, ({ name }) => `Resumed ${name}.`);
}

/** Admits a node that was approved by its code: comparing the words confirms that it is the right computer. */
export async function confirmNode(invocation: Invocation, node: string, words: readonly string[]): Promise<void> {
  await act(invocation, node, 'confirm', { fingerprint: words.join(' ') }, ({ name }) => `${name} may connect now.`);
}

export async function revokeNode(invocation: Invocation, node: string, { yes }: Confirmed): Promise<void> {
  const { terminal } = invocation;
  const api = await connect(invocation);
  const id = await findNode(api, node, { whole: true });
  const question = `Revoke node ${printable(node)} (${id})? It is disconnected at once, and must join again to come back.`;
  if (!(await confirmRevocation(terminal, question, yes))) return;
  const revoked = await api.delete<object>(pathOf(id), 'ferry nodes');
  terminal.note(`Revoked node ${printable(node)}.`);
  await printData(invocation, revoked, silently);
}

/** Revokes the node if necessary, and deletes it. */
export async function deleteNode(invocation: Invocation, node: string, { yes }: Confirmed): Promise<void> {
  const { terminal } = invocation;
  const api = await connect(invocation);
  const id = node.startsWith('nd_') ? node : await findNodeOrRevoked(api, node);
  if (yes !== true && !(await confirm(terminal, `Delete node ${printable(node)} (${id}) for ever?`))) {
    terminal.note('Nothing was deleted.');
    return;
  }
  const first = await api.delete<{ readonly status?: string }>(pathOf(id), 'ferry nodes');
  const deleted = first.status === 'revoked' ? await api.delete<object>(pathOf(id)) : first;
  terminal.note(`Deleted node ${printable(node)}.`);
  await printData(invocation, deleted, silently);
}

type Reported = (changed: Schemas['Node']) => string;

async function change(invocation: Invocation, node: string, body: object, reported: Reported): Promise<void> {
  const api = await connect(invocation);
  const changed = await api.patch<Schemas['Node']>(pathOf(await findNode(api, node)), body, 'ferry nodes');
  await say(invocation, changed, reported);
}

async function act(
  invocation: Invocation,
  node: string,
  verb: string,
  body: object,
  reported: Reported,
): Promise<Schemas['Node']> {
  const api = await connect(invocation);
  const changed = await api.post<Schemas['Node']>(`${pathOf(await findNode(api, node))}/${verb}`, body, 'ferry nodes');
  await say(invocation, changed, reported);
  return changed;
}

/** By its whole name: a part of it may have been typed. */
async function say(invocation: Invocation, changed: Schemas['Node'], reported: Reported): Promise<void> {
  invocation.terminal.note(printable(reported(changed)));
  await printData(invocation, changed, silently);
}
