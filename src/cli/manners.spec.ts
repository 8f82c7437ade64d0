/** What every command of the tree does alike. The tree is walked, so that a new command is held to the same rules. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Command } from 'commander';
import stringWidth from 'string-width';
import { CommandLine } from '../../test/support/cli/command-line.js';
import { commandExamples } from './command-examples.js';
import { createTerminal } from './core/output/terminal.js';
import { createProgram } from './program.js';
import { everyDay } from './short-help.js';

const nowhere = { write: () => true };
const program = createProgram({ terminal: createTerminal(nowhere, nowhere, {}), env: {} });

interface Named {
  readonly words: string;
  readonly command: Command;
}

const below = (command: Command, words = ''): readonly Named[] =>
  command.commands.flatMap((child) => {
    const own = `${words} ${child.name()}`.trim();
    return [{ words: own, command: child }, ...below(child, own)];
  });

const all = below(program);
const groups = all.filter(({ command }) => command.commands.length > 0);
const leaves = all.filter(({ command }) => command.commands.length === 0);

let line: CommandLine;
beforeAll(async () => {
  line = await CommandLine.start();
});
afterAll(() => line.stop());

const run = (words: string) => line.run(words.split(' '), { FERRY_DATA_DIR: line.directory });

it('covers every command', () => {
  expect(all.length).toBeGreaterThan(70);
  expect(groups.map(({ words }) => words)).toEqual(expect.arrayContaining(['keys', 'models jobs', 'node service']));
});

describe.each(all)('ferry $words', ({ words, command }) => {
  it('ferry $words is described in one sentence, as are its arguments and options', () => {
    const texts = [
      command.description(),
      ...command.registeredArguments.map(({ description }) => description),
      ...command.options.map(({ description }) => description),
    ];
    for (const text of texts) {
      expect(text).toMatch(/^\S.*[^.\s]$/);
      // Words of the code and of the API, which nobody types.
      expect(text).not.toMatch(/\b[a-z]+_[a-z_]+\b|\bDTO\b|\bundefined\b|\bnull\b/);
    }
  });

  it('shows its help when asked, on stdout', async () => {
    const { code, stdout, stderr } = await run(`${words} --help`);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`Usage: ferry ${words}`);
  });

  it('refuses an option that does not exist, and names a command that shows those that do', async () => {
    const { code, stdout, stderr } = await run(`${words} --no-such-option-here`);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    // A required option that is missing is said first.
    if (command.options.some(({ mandatory }) => mandatory)) return;
    expect(stderr).toBe(`error: unknown option '--no-such-option-here'\n  try: ferry ${words} --help\n`);
  });
});

describe.each(leaves)('ferry $words', ({ words, command }) => {
  it('ends its help with two examples of itself', async () => {
    const [first = '', second = ''] = commandExamples[words] ?? [];
    for (const example of [first, second]) expect(example).toContain(`ferry ${words}`);
    const { stdout } = await run(`${words} --help`);
    expect(stdout.trimEnd().endsWith(`Examples:\n  ${first}\n  ${second}`)).toBe(true);
  });

  const required = command.registeredArguments.filter((argument) => argument.required);
  if (required.length > 0) {
    it('shows its help where an argument is missing', async () => {
      const { code, stdout, stderr } = await run(words);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      const mandatory = command.options.find((option) => option.mandatory);
      const missing =
        mandatory === undefined
          ? `missing required argument '${required[0]?.name() ?? ''}'`
          : `required option '${mandatory.flags}' not specified`;
      expect(stderr).toContain(`error: ${missing}\n  try: ferry ${words} --help\n\nUsage: ferry ${words}`);
    });
  }

  if (/^(delete|remove|revoke|revoke-.*)$/.test(command.name())) {
    it('asks for confirmation before it removes something, except with --yes', () => {
      expect(command.options.map(({ long }) => long)).toContain('--yes');
    });
  }
});

describe.each(groups)('ferry $words', ({ words, command }) => {
  it('ferry $words without a subcommand lists, or shows its help', async () => {
    const list = command.commands.find((child) => child.name() === 'list');
    const bare = await run(words);
    if (list !== undefined) {
      // Not signed in, so both fail alike; with a relay behind them they list alike.
      expect(bare).toEqual(await run(`${words} list`));
      expect(list.aliases()).toContain('ls');
    } else if (words !== 'login') {
      expect(bare).toMatchObject({ code: 2, stdout: '' });
      expect(bare.stderr).toContain(`Usage: ferry ${words} `);
    }
  });

  it('suggests the command that was meant', async () => {
    // An argument of the group would take any word.
    if (command.registeredArguments.length > 0) return;
    for (const child of command.commands) {
      const name = child.name();
      // Of a short one, everything is about as far away.
      if (name.length < 4) continue;
      const mistyped = `${name.slice(0, -2)}${name.at(-1) ?? ''}${name.at(-2) ?? ''}`;
      if (command.commands.some((sibling) => sibling.name() === mistyped)) continue;
      const { code, stdout, stderr } = await run(`${words} ${mistyped}`);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toContain(`error: unknown command '${mistyped}'`);
      expect(stderr).toMatch(/Did you mean [a-z-]+\?/);
    }
  });

  it('refers to its list of commands when no name is similar', async () => {
    if (command.registeredArguments.length > 0) return;
    const { code, stderr } = await run(`${words} qqqqqqqqqq`);
    expect(code).toBe(2);
    expect(stderr).toContain(`try: ferry ${words} --help`);
  });
});

describe('ferry --help', () => {
  it('ferry --help is one screen of a terminal: the commands of a day, and how to get to the others', async () => {
    const { code, stdout, stderr } = await run('--help');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const lines = stdout.trimEnd().split('\n');
    // 24 rows, of which one is the line that was typed, and one the next prompt.
    expect(lines.length).toBeLessThanOrEqual(22);
    expect(lines.filter((text) => stringWidth(text) > 80)).toEqual([]);
    expect(everyDay).toHaveLength(10);
    for (const [name] of everyDay) expect(program.commands.map((child) => child.name())).toContain(name);
    expect(stdout).toContain('--help --all');
    expect(lines.slice(-3)).toEqual([
      'Examples:',
      expect.stringMatching(/^ {2}ferry /),
      expect.stringMatching(/^ {2}ferry /),
    ]);
  });

  it.each(['--help --all', '--all --help', 'help --all'])(
    'as %s has every command in a group with a heading of its own',
    async (words) => {
      const { code, stdout } = await run(words);
      expect(code).toBe(0);
      const headings = stdout.split('\n').filter((text) => /^\S.*:$/.test(text));
      expect(headings).not.toContain('Commands:');
      for (const child of program.commands) {
        expect(child.helpGroup()).not.toBe('');
        expect(stdout).toMatch(new RegExp(`^  ${child.name()}\\b`, 'm'));
      }
      expect(stdout).toContain('Exit codes: 0 ok');
    },
  );
});

describe.each(groups)('ferry $words --help', ({ words }) => {
  it('ends with two examples of its commands', async () => {
    const { stdout } = await run(`${words} --help`);
    const lines = stdout.trimEnd().split('\n').slice(-3);
    expect(lines[0]).toBe('Examples:');
    for (const example of lines.slice(1)) expect(example).toContain(`ferry ${words}`);
  });
});

describe('a value that the relay refuses', () => {
  const refused = (route: string, detail: string, param: string): void => {
    line.respond(route, { code: 'invalid_request', detail, param, request_id: 'req_1' }, 400);
  };

  it.each([
    ['--rpm', 'keys create a --rpm 2000000', 'requests_per_minute', 'limits.requests_per_minute'],
    ['--expires', 'keys create a --expires 2999-01-01', 'expires_in_seconds', 'expires_in_seconds'],
    ['--description', 'keys create a --description x', 'description', 'description'],
  ])('a value that the relay refuses is named %s, as it was typed', async (typed, words, field, param) => {
    refused('POST /api/keys', `${field} must not be greater than 1000000.`, param);
    const { code, stderr } = await line.ferry(words);
    expect(code).toBe(2);
    expect(stderr).toContain(`error: ${typed} must not be greater than 1000000.\n  try: `);
    expect(stderr).not.toMatch(/[a-z]_[a-z]+ must/);
  });

  it('a value that the relay refuses is refused before it is sent when it is known to be invalid', async () => {
    const { code, stderr } = await line.ferry('keys create a --expires 2020-01-01');
    expect(code).toBe(2);
    expect(stderr).toBe('error: --expires cannot be "2020-01-01"\n  try: a time in the future\n');
  });
});

describe('an error that nobody has written advice for', () => {
  it('names the help of its command', async () => {
    line.respond('POST /api/clusters', { code: 'conflict', detail: 'There is a cluster of this name.' }, 409);
    expect(await line.ferry('clusters create lab')).toMatchObject({
      code: 1,
      stderr: 'error: There is a cluster of this name.\n  try: ferry clusters create --help\n',
    });
    expect(JSON.parse((await line.ferry('clusters create lab --json')).stderr)).toMatchObject({
      error: { code: 'conflict', hint: 'ferry clusters create --help' },
    });
  });
});
