import pc from 'picocolors';
import stringWidth from 'string-width';
import type { Finding, Verdict } from '../../../agent/main.js';
import { printable } from '../../../kernel/printable.js';
import { CommandEnded } from '../../core/errors/command-ended.js';
import { exitCodes } from '../../core/errors/exit-codes.js';
import { printData } from '../../core/output/print-data.js';
import type { Invocation } from '../../invocation.js';

/** One line per check, and one below it where something can be done. @throws CommandEnded (1) when a check fails */
export async function printFindings(invocation: Invocation, findings: readonly Finding[]): Promise<void> {
  const { terminal } = invocation;
  const healthy = findings.every(({ verdict }) => verdict !== 'fail');
  const checks = findings.map(({ facts, ...finding }) => ({ ...finding, ...facts }));
  await printData(invocation, { object: 'diagnosis', ok: healthy, checks }, () => {
    const width = Math.max(...findings.map(({ check }) => check.length));
    for (const finding of findings) {
      for (const line of linesOf(finding, { width, colors: terminal.stdoutColors, columns: terminal.columns })) {
        terminal.print(line);
      }
    }
    terminal.note(closing(findings, terminal.stderrColors));
  });
  if (!healthy) throw new CommandEnded(exitCodes.failure);
}

const TRY = 'try: ';

interface Layout {
  /** Fits the longest name of a check. */
  readonly width: number;
  readonly colors: boolean;
  readonly columns: number | undefined;
}

function linesOf({ check, verdict, summary, next }: Finding, { width, colors, columns }: Layout): readonly string[] {
  const { red, green, yellow, dim } = pc.createColors(colors);
  const marks: Record<Verdict, string> = { ok: green('✓'), warn: yellow('!'), fail: red('✗') };
  const indent = width + 4;
  const room = columns === undefined ? Infinity : columns - indent;
  const [first = '', ...more] = wrap(printable(summary), room);
  const [advice, ...moreAdvice] = next === null ? [] : wrap(printable(next), room - TRY.length);
  const margin = ' '.repeat(indent);
  return [
    `${marks[verdict]} ${check.replaceAll('_', ' ').padEnd(width)}  ${first}`,
    ...more.map((line) => margin + line),
    ...(advice === undefined ? [] : [`${margin}${dim('try:')} ${advice}`]),
    ...moreAdvice.map((line) => margin + ' '.repeat(TRY.length) + line),
  ];
}

/** Breaks lines between words; a word that is longer than a line stays whole. */
function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && stringWidth(last) + 1 + stringWidth(word) <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

function closing(findings: readonly Finding[], colors: boolean): string {
  const { red, green, yellow } = pc.createColors(colors);
  const count = (wanted: Verdict): number => findings.filter(({ verdict }) => verdict === wanted).length;
  const [failed, warned] = [count('fail'), count('warn')];
  if (failed > 0) return red(`${failed} of ${findings.length} checks failed`);
  return warned > 0 ? yellow(`no check failed; ${warned} to look at`) : green('everything is in order');
}
