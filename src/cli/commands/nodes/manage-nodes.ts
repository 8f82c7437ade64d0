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
import type { ManagementApi } from '../../core/api/management-api.js';
import type { Schemas } from '../../core/api/management-api.types.js';

interface Confirmed {
  readonly yes?: true;
}

const whenMissing = 'ferry nodes';

export async function createJoinToken(
  invocation: Invocation,
  { cluster }: { readonly cluster?: string },
): Promise<void> {
  const api = await connect(invocation);
  // An id is used without a look-up, which saves a request; the relay validates it.
  const clusterId = cluster === undefined || cluster.startsWith('cl_') ? cluster : await findCluster(api, cluster);
  const created = await api.post('/api/join-tokens', {
    body: clusterId === undefined ? {} : { cluster_id: clusterId },
    whenMissing: 'ferry clusters',
  });
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
    (api, path) => api.post('/api/nodes/{nodeId}/pause', { path, whenMissing }),
    (paused) => `Paused ${paused.name}: it gets no new requests, and finishes what it has.`,
  );
  invocation.terminal.note(`  next: ferry nodes resume ${shellWord(printable(name))}`);
}

export async function resumeNode(invocation: Invocation, node: string): Promise<void> {
  await act(
    invocation,
    node,
    (api, path) => api.post('/api/nodes/{nodeId}/resume', { path, whenMissing }),
    ({ name }) => `Resumed ${name}.`,
  );
}

/** Admits a node that was approved by its code: comparing the words confirms that it is the right computer. */
export async function confirmNode(invocation: Invocation, node: string, words: readonly string[]): Promise<void> {
  const body = { fingerprint: words.join(' ') };
  await act(
    invocation,
    node,
    (api, path) => api.post('/api/nodes/{nodeId}/confirm', { path, body, whenMissing }),
    ({ name }) => `${name} may connect now.`,
  );
}

export async function revokeNode(invocation: Invocation, node: string, { yes }: Confirmed): Promise<void> {
  const { terminal } = invocation;
  const api = await connect(invocation);
  const id = await findNode(api, node, { whole: true });
  const question = `Revoke node ${printable(node)} (${id})? It is disconnected at once, and must join again to come back.`;
  if (!(await confirmRevocation(terminal, question, yes))) return;
  const revoked = await api.delete('/api/nodes/{nodeId}', { path: { nodeId: id }, whenMissing });
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
  const path = { nodeId: id };
  const first = await api.delete('/api/nodes/{nodeId}', { path, whenMissing });
  // The deletion of a node that was revoked before has no body.
  const deleted = first.status === 'revoked' ? await api.delete('/api/nodes/{nodeId}', { path }) : first;
  terminal.note(`Deleted node ${printable(node)}.`);
  await printData(invocation, deleted, silently);
}

type Reported = (changed: Schemas['Node']) => string;

async function change(
  invocation: Invocation,
  node: string,
  body: Schemas['UpdateNode'],
  reported: Reported,
): Promise<void> {
  await act(invocation, node, (api, path) => api.patch('/api/nodes/{nodeId}', { path, body, whenMissing }), reported);
}

async function act(
  invocation: Invocation,
  node: string,
  send: (api: ManagementApi, path: { readonly nodeId: string }) => Promise<Schemas['Node']>,
  reported: Reported,
): Promise<Schemas['Node']> {
  const api = await connect(invocation);
  const changed = await send(api, { nodeId: await findNode(api, node) });
  await say(invocation, changed, reported);
  return changed;
}

/** By its whole name: a part of it may have been typed. */
async function say(invocation: Invocation, changed: Schemas['Node'], reported: Reported): Promise<void> {
  invocation.terminal.note(printable(reported(changed)));
  await printData(invocation, changed, silently);
}
