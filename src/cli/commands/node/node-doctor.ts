import type { Invocation } from '../../invocation.js';
import { printFindings } from '../doctor/print-findings.js';

/** What stands in the way of this node. @throws CommandEnded (1) when a check fails */
export async function runNodeDoctor(invocation: Invocation): Promise<void> {
  const { diagnoseNode } = await import('../../../agent/main.js');
  await printFindings(invocation, await diagnoseNode({ env: invocation.env }));
}
