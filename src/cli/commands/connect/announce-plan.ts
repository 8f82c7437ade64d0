/** Announces to a person what `ferry connect PROGRAM` is about to do. */
import pc from 'picocolors';
import { printable } from '../../../kernel/printable.js';
import { confirm } from '../../core/output/confirm.js';
import type { Terminal } from '../../core/output/terminal.js';
import type { Connection } from './connections/connection-store.js';
import { renderChange, withTilde } from './program-file.js';
import { keyLines, type PlannedKey } from './planned-key.js';
import type { ConnectableProgram } from './program-names.js';
import type { Program, ProgramAccess } from './programs/program.js';
import type { Warning } from './warnings.js';

/** The plan is complete before a key is created. */
export interface Plan {
  readonly name: ConnectableProgram;
  readonly program: Program;
  readonly access: ProgramAccess;
  readonly key: PlannedKey;
  /** Undefined leaves the limit of a key as it is. */
  readonly rpm: number | null | undefined;
  readonly change: readonly string[];
  readonly warnings: readonly Warning[];
  readonly earlier: Connection | undefined;
}

/** Prints the planned changes and asks for confirmation. */
export async function announce(terminal: Terminal, plan: Plan, yes: boolean): Promise<boolean> {
  const { program, key, rpm, change, warnings, earlier, access } = plan;
  const isSetUp = key.kind === 'kept' && change.length === 0 && rpm === undefined;
  if (isSetUp) {
    terminal.note(`${program.title} is set up already, and its key works.`);
    showWarnings(terminal, warnings);
    return true;
  }
  const stale = staleLine(earlier, access);
  if (stale !== undefined) terminal.note(stale);
  const [first = '', ...more] = keyLines(key, rpm);
  const { file } = program;
  const isChanged = file !== null && (change.length > 0 || key.kind === 'made');
  terminal.note(isChanged ? `${first} and changes ${withTilde(file.path)}:` : `${first} for ${program.title}.`);
  for (const line of change) terminal.note(renderChange(line, terminal.stderrColors));
  for (const line of more) terminal.note(line);
  showWarnings(terminal, warnings);
  return yes || confirm(terminal, 'Apply?', { initialValue: true });
}

/** After a load with another context. */
function staleLine(earlier: Connection | undefined, { model, limits }: ProgramAccess): string | undefined {
  if (earlier === undefined || earlier.model !== model || earlier.context_tokens === limits.contextTokens)
    return undefined;
  const sent = earlier.context_tokens === null ? 'no context window' : `${String(earlier.context_tokens)} tokens`;
  const now =
    limits.contextTokens === null ? 'its engine says none now' : `${String(limits.contextTokens)} are loaded now`;
  return `Out of date: it was told ${sent} for ${printable(model)}; ${now}.`;
}

export function showWarnings(terminal: Terminal, warnings: readonly Warning[]): void {
  const { yellow, dim } = pc.createColors(terminal.stderrColors);
  for (const { text, advice } of warnings) {
    terminal.note(`${yellow('!')} ${text}`);
    terminal.note(`  ${dim('try:')} ${printable(advice)}`);
  }
}
