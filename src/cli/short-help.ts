import type { Command } from 'commander';
import pc from 'picocolors';

/** Lists the commands of most days, in the order of a first one; their texts are shorter than those of the whole help. */
export const everyDay: readonly (readonly [command: string, what: string])[] = [
  ['up', 'start Ferry here; --detach: in the background'],
  ['down', 'stop it'],
  ['run', 'find, install and load a model, and chat with it'],
  ['chat', 'chat with a model that is loaded'],
  ['models', 'list models; install, load, unload and remove them'],
  ['nodes', 'list computers; nodes add: a line for another one'],
  ['keys', 'list API keys; keys create NAME'],
  ['connect', 'set up a coding agent or a chat program'],
  ['status', 'whether the relay answers, and how you are signed in'],
  ['requests', 'list requests; explain N: how one was routed'],
];

const others: readonly (readonly [words: string, what: string])[] = [
  ['COMMAND --help', 'what a command takes, with examples'],
  ['--help --all', 'every command and every option'],
  ['--json, --wide', 'output for programs; tables with ids, nothing cut'],
];

const WIDTH = 25;
const DESCRIPTION = 'One OpenAI- and Anthropic-compatible address for the models on your computers';

/** `ferry --help`: one screen of a terminal of 24 rows, between the prompts before and after it. Everything else is in `ferry --help --all`. */
export function renderShortHelp(program: Command, colors: boolean): string {
  const { bold } = pc.createColors(colors);
  const rows = (of: typeof everyDay): string[] => of.map(([name, what]) => `  ${name.padEnd(WIDTH)}${what}`);
  return [
    `${bold('Usage:')} ${program.name()} COMMAND [OPTIONS]`,
    DESCRIPTION,
    '',
    bold('Every day:'),
    ...rows(everyDay),
    '',
    ...rows(others),
    '',
    bold('Examples:'),
    '  ferry up --detach',
    '  ferry run qwen3:8b "Why is the sky blue?"',
  ].join('\n');
}
