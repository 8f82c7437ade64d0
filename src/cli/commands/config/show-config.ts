/** `ferry config`: the settings of relay and node as they would start now. */
import pc from 'picocolors';
import { fileExists } from '../../../kernel/file-exists.js';
import { printable } from '../../../kernel/printable.js';
import type { SettingDescription } from '../../../kernel/settings/describe-settings.js';
import { withUnit } from '../../../kernel/settings/quantity.js';
import { settingsFilePath } from '../../../kernel/settings/settings-file.js';
import { unknownVariables, unknownVariableText } from '../../../kernel/settings/unknown-variables.js';
import { CommandEnded } from '../../core/errors/command-ended.js';
import { exitCodes } from '../../core/errors/exit-codes.js';
import { printData } from '../../core/output/print-data.js';
import { layoutTable, renderTable, type Column } from '../../core/output/table.js';
import type { Invocation } from '../../invocation.js';

interface ConfigFlags {
  readonly changed?: true;
}

const columns: readonly Column<SettingDescription>[] = [
  { heading: '', value: ({ problem }) => (problem === null ? '' : '✗') },
  { heading: 'SETTING', value: ({ env }) => env, whole: true },
  { heading: 'VALUE', value: valueText, min: 12 },
  { heading: 'SOURCE', value: sourceText, min: 8 },
  { heading: 'WHAT IT IS', value: ({ description }) => description, sentence: true, min: 30, expendable: 1 },
];

/** @throws CommandEnded (usage) after everything is shown, when relay or node would not start with these settings */
export async function showConfig(invocation: Invocation, { changed }: ConfigFlags): Promise<void> {
  const { env, terminal } = invocation;
  const [{ describeRelaySettings, relaySettings }, { describeAgentSettings, agentSettings }] = await Promise.all([
    import('../../../relay/app/settings.js'),
    import('../../../agent/load-agent-settings.js'),
  ]);
  const relay = describeRelaySettings(env);
  const node = describeAgentSettings(env);
  const all = [...relay.settings, ...node.settings];
  const rows = changed === true ? all.filter(({ source }) => source !== 'default') : all;
  // A broken file is the problem of both.
  const problems = [...new Set([...relay.problems, ...node.problems])];
  const warnings = unknownVariables(env, [relaySettings, agentSettings]).map(unknownVariableText);
  const file = settingsFilePath(env);
  await printData(
    invocation,
    { object: 'list', data: rows, file: (await fileExists(file)) ? file : null, problems, warnings },
    () => {
      if (rows.length > 0) terminal.print(settingsText(invocation, rows));
      else terminal.note('All settings have their defaults.');
    },
  );
  for (const line of [...warnings, ...problems]) terminal.note(printable(line));
  if (problems.length > 0) throw new CommandEnded(exitCodes.usage);
}

/** Grouped for people; one table for programs, whose columns do not depend on the rows. */
function settingsText({ terminal, global }: Invocation, rows: readonly SettingDescription[]): string {
  const { stdoutColors, columns: width } = terminal;
  if (width === undefined) return renderTable(columns.slice(1), rows, stdoutColors);
  const { heading, lines } = layoutTable(columns, rows, { lineWidth: global.wide ? undefined : width });
  const { bold, red } = pc.createColors(stdoutColors);
  const text = [bold(heading)];
  rows.forEach(({ program, group, problem }, index) => {
    const isFirst = rows[index - 1]?.group !== group;
    if (isFirst) text.push('', bold(program === 'node' ? 'Node' : `Relay: ${group}`));
    const line = lines[index] ?? '';
    text.push(problem === null ? line : red(line));
  });
  return text.join('\n');
}

function valueText({ env, value, text, problem }: SettingDescription): string {
  if (value === null) return problem === null ? '' : (text ?? '');
  if (typeof value === 'number') return withUnit(env, value);
  return typeof value === 'string' ? value : value.join(',');
}

function sourceText({ source, place }: SettingDescription): string {
  const line = /:(\d+)$/.exec(place ?? '')?.[1];
  return line === undefined ? source : `${source}, line ${line}`;
}
