import { findCluster } from '../clusters/find-cluster.js';
import { connect } from '../../core/api/connect.js';
import type { Invocation } from '../../invocation.js';
import { confirm } from '../../core/output/confirm.js';
import { renderFacts } from '../../core/output/facts.js';
import { printData, silently } from '../../core/output/print-data.js';
import { printable } from '../../../kernel/printable.js';

interface ApproveOptions {
  readonly cluster?: string;
  readonly name?: string;
  readonly yes?: true;
}

/**
 * Shows the requesting computer before it is approved: approving a stranger's computer sends it prompts (docs/reference/security.md#nodes).
 */
export async function approveNode(invocation: Invocation, code: string, options: ApproveOptions): Promise<void> {
  const { terminal } = invocation;
  const api = await connect(invocation);
  const path = { userCode: code };
  const whenMissing = 'ferry node join --device-code on that computer shows a new code';
  const requesting = await api.get('/api/nodes/device-codes/{userCode}', { path, whenMissing });
  const facts = [
    ['Name', requesting.name],
    ['Platform', requesting.platform],
    ['Asks from', requesting.ip],
    ['Fingerprint', requesting.fingerprint],
  ] as const;
  terminal.note(renderFacts(facts, terminal.stderrColors));
  terminal.note(printable(requesting.warning));
  if (
    options.yes !== true &&
    !(await confirm(terminal, `Make ${printable(requesting.name)} a node of this account?`))
  ) {
    terminal.note('Nothing was approved.');
    return;
  }
  const approved = await api.post('/api/nodes/device-codes/{userCode}/approve', {
    path,
    body: {
      ...(options.cluster === undefined ? {} : { cluster_id: await findCluster(api, options.cluster) }),
      ...(options.name === undefined ? {} : { name: options.name }),
    },
    whenMissing,
  });
  terminal.note(
    `Approved ${printable(approved.name)} (${approved.node_id}). It gets no prompt yet. On its screen, compare`,
  );
  terminal.note(`the fingerprint, then: ferry nodes confirm ${approved.node_id} WORDS`);
  await printData(invocation, approved, silently);
}
