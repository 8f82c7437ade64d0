import pc from 'picocolors';
import type { Finding, Verdict } from '../../../agent/main.js';
import { CommandEnded } from '../../core/errors/command-ended.js';
import { exitCodes } from '../../core/errors/exit-codes.js';
import type { Invocation } from '../../invocation.js';
import { printData } from '../../core/output/print-data.js';
import { renderTable } from '../../core/output/table.js';

const marks: Record<Verdict, string> = { ok: '✓ ok', warn: '! warn', fail: '✗ fail' };

/** What stands in the way of this node. @throws CommandEnded (1) when a check fails */
export async function runDoctor(invocation: Invocation): Promise<void> {
  const { diagnoseNode } = await import('../../../agent/main.js');
  const { terminal, env } = invocation;
  const findings = await diagnoseNode({ env });
  const healthy = findings.every(({ verdict }) => verdict !== 'fail');
  const checks = findings.map(({ facts, ...finding }) => ({ ...finding, ...facts }));
  await printData(invocation, { object: 'diagnosis', ok: healthy, checks }, () => {
    terminal.print(tableOf(findings, terminal.stdoutColors));
    terminal.note(closing(findings, terminal.stderrColors));
  });
  if (!healthy) throw new CommandEnded(exitCodes.failure);
}

const tableOf = (findings: readonly Finding[], colors: boolean): string =>
  renderTable(
    [
      { heading: 'CHECK', value: ({ check }) => check.replaceAll('_', ' ') },
      { heading: 'STATE', value: ({ verdict }) => marks[verdict] },
      { heading: 'FOUND', value: ({ summary }) => summary },
      { heading: 'NEXT', value: ({ next }) => next ?? '' },
    ],
    findings,
    colors,
  );

function closing(findings: readonly Finding[], colors: boolean): string {
  const { red, green, yellow } = pc.createColors(colors);
  const count = (wanted: Verdict): number => findings.filter(({ verdict }) => verdict === wanted).length;
  const [failed, warned] = [count('fail'), count('warn')];
  if (failed > 0) return red(`${failed} of ${findings.length} checks failed`);
  return warned > 0 ? yellow(`no check failed; ${warned} to look at`) : green('everything is in order');
}
