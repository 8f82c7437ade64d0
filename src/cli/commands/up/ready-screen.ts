import pc from 'picocolors';
import { printable } from '../../../kernel/printable.js';
import { shellWord } from '../../../kernel/shell-words.js';
import { shortPath } from '../../core/output/short-path.js';
import { localMinute } from '../../core/output/time.js';
import { foundEngines } from './found-engines.js';
import { curlLine } from './ready-lines.js';
import type { ReadyReport } from './ready-report.js';
import { QUICKSTART_MODEL } from './wait-for-model.js';

const NAME_WIDTH = 19;
const VALUE_COLUMN = NAME_WIDTH + 3;
/** Width of lines that may be shortened, where that of the terminal is not known. */
const TYPICAL_WIDTH = 80;

/** A `ferry up` that runs already, and not by this process. */
export interface RunningElsewhere {
  readonly pid: number;
  readonly isService: boolean;
  /** By this command, which does not stay. */
  readonly isJustStarted?: boolean;
}

interface ScreenOptions {
  readonly colors: boolean;
  /** Undefined in a pipe: nothing is wrapped there. */
  readonly columns?: number | undefined;
  readonly elsewhere?: RunningElsewhere | undefined;
  /** Makes a shell find `ferry`; undefined where it does. */
  readonly pathLine?: string | undefined;
}

/** The screen for people: the same on every start. What is to be copied is never shortened. */
export function readyScreen(report: ReadyReport, options: ScreenOptions): string {
  const { facts, node, join } = report;
  const { bold, dim, green } = pc.createColors(options.colors);
  /** Where the value does not fit, it stands whole on a line of its own. */
  const row = (name: string, value: string, remark = ''): string[] => {
    const rest = remark === '' ? '' : `   ${remark}`;
    if (VALUE_COLUMN + value.length + rest.length <= (options.columns ?? Infinity)) {
      return [`  ${dim(name.padEnd(NAME_WIDTH))} ${value}${dim(rest)}`];
    }
    return [`  ${dim(name.padEnd(NAME_WIDTH))} ${dim(remark)}`.trimEnd(), `  ${value}`];
  };
  const network = facts.network_urls.filter((url) => url !== facts.base_url);
  return [
    '',
    `${green('●')} ${bold(headline(options.elsewhere))}`,
    '',
    ...row('OpenAI clients', facts.openai_base_url),
    ...row('Anthropic clients', facts.anthropic_base_url),
    ...network.flatMap((url, index) => row(index === 0 ? 'In your network' : '', url)),
    ...row('API key', facts.api_key),
    ...(facts.console_url === null ? [] : row('Website', facts.console_url, 'signs you in, once')),
    '',
    ...(node === undefined
      ? []
      : [
          `  ${dim('Found on this computer')}`,
          ...foundEngines(node, VALUE_COLUMN, Math.max(options.columns ?? TYPICAL_WIDTH, TYPICAL_WIDTH)),
          '',
        ]),
    ...(facts.model === null ? [] : [`  ${dim('Try it')}`, curlLine(facts.base_url, facts.api_key, facts.model), '']),
    ...(options.pathLine === undefined ? [] : row('First, once', options.pathLine, 'so that the shell finds ferry')),
    ...(facts.model === null ? [] : row('Chat', 'ferry chat')),
    ...row('Next', nextCommands(report)),
    '',
    ...(join === null ? [] : joinLines(join, dim)),
    ...reach(report, options.elsewhere),
    `  ${dim(`${howToStop(options.elsewhere)} Data: ${shortPath(facts.data_dir)}`)}`,
    '',
  ].join('\n');
}

const headline = (elsewhere: RunningElsewhere | undefined): string =>
  elsewhere === undefined
    ? 'Ferry is running'
    : `Ferry is running ${elsewhere.isJustStarted === true ? 'in the background' : 'already'} (process ${String(elsewhere.pid)})`;

function nextCommands({ facts, node }: ReadyReport): string {
  const [real] = (node?.models ?? []).filter(
    ({ display_name: name, embedding, reason }) => name !== QUICKSTART_MODEL && !embedding && reason === null,
  );
  const run = real === undefined ? 'ferry models search qwen3' : `ferry run ${shellWord(printable(real.display_name))}`;
  return [run, 'ferry connect codex', ...(facts.network_urls.length > 0 ? [] : ['ferry nodes add'])].join(' · ');
}

function joinLines(join: NonNullable<ReadyReport['join']>, dim: (text: string) => string): string[] {
  const { commands, expires_at: expiresAt } = join;
  return [
    `  ${dim(`Another computer    works once, until ${localMinute(expiresAt).slice(-5)}; needs Node.js`)}`,
    printable(commands.unix),
    ...(commands.unix.includes('--force-insecure')
      ? [`  ${dim('--force-insecure: the connection is not encrypted. Trust the network.')}`]
      : []),
    `  ${dim('Windows: ferry nodes add')}`,
    '',
  ];
}

function reach({ facts }: ReadyReport, elsewhere: RunningElsewhere | undefined): string[] {
  if (facts.network_urls.length > 0) return [];
  const [only, command] = ['  Only this computer can reach Ferry. For others:', 'ferry up --host 0.0.0.0'];
  if (elsewhere === undefined) return [`${only} ${command}`];
  return elsewhere.isService
    ? [only, '  ferry service install up --host 0.0.0.0']
    : [only, `  ferry down, then ${command}`];
}

function howToStop(elsewhere: RunningElsewhere | undefined): string {
  if (elsewhere === undefined) return 'Ctrl-C stops it.';
  return elsewhere.isService ? 'It is a service: ferry service status.' : 'ferry down stops it.';
}
