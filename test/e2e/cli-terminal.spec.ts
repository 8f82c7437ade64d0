/** The command line in a terminal, in a pipe, without colours, without a network, and with an expired sign-in. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { shapeProblems } from '../support/cli/shape-problems.js';
import { eventually } from '../support/clock/eventually.js';
import { atTerminal, quote } from '../support/process/at-terminal.js';
import { ferryHere } from '../support/process/ferry-here.js';
import { ferry, FerryProcess, repositoryRoot, type CommandResult } from '../support/process/ferry-process.js';
import { shareRelay } from '../support/process/shared-deployment.js';
import type { Tenant } from '../support/process/tenant.js';
import { TestNode } from '../support/process/test-node.js';

const ESCAPE = String.fromCharCode(27);
/** Ctrl-D. */
const END_OF_INPUT = String.fromCharCode(4);
/** Ctrl-C. */
const INTERRUPT = String.fromCharCode(3);
const entry = path.join(repositoryRoot, 'bin/ferry.js');

/** Runs under `script` of util-linux, which allocates a terminal, because Node alone cannot. */
async function inTerminal(words: readonly string[], env: Record<string, string>, columns = 80): Promise<string> {
  const command = [process.execPath, entry, ...words].map(quote).join(' ');
  const { stdout } = await promisify(execFile)(
    'script',
    ['--quiet', '--return', '--command', `stty cols ${String(columns)}; exec ${command}`, '/dev/null'],
    { env: { PATH: process.env['PATH'], TERM: 'xterm', FERRY_DISCOVERY: 'off', ...env } },
  );
  return stdout;
}

describe('the command line in a terminal and in a pipe', () => {
  let relay: Tenant;
  let node: TestNode;

  shareRelay((tenant) => (relay = tenant));

  beforeAll(async () => {
    node = await TestNode.start(relay, { name: 'a computer with quite a long name, as people give them' });
  }, 90_000);

  afterAll(() => node.stop(), 30_000);

  const run = (words: readonly string[], env: Record<string, string> = {}): Promise<CommandResult> =>
    ferry(words, { ...relay.commandEnv, ...env });
  const runHere = (words: readonly string[]): Promise<CommandResult> => ferryHere(words, relay.commandEnv);

  describe('on a terminal', () => {
    it('draws headings in bold and fits tables into the window; ids are whole, with --wide', async () => {
      const shown = await inTerminal(['nodes'], relay.commandEnv, 60);
      expect(shown).toContain(`${ESCAPE}[1m`);
      expect(shown).toMatch(/a compu.*….*give them/);
      expect(shown).not.toContain(await node.id());
      expect(await inTerminal(['nodes', '--wide'], relay.commandEnv, 60)).toContain(await node.id());
    });

    it('the command line in a terminal and in a pipe on a terminal has no colours with NO_COLOR', async () => {
      const shown = await inTerminal(['clusters'], { ...relay.commandEnv, NO_COLOR: '1' });
      expect(shown).toContain('home');
      expect(shown).not.toContain(ESCAPE);
    });
  });

  it('reads pasted lines as one question, and keeps input typed during an answer', async () => {
    const asked = async (): Promise<number> =>
      (await relay.manage<{ data: unknown[] }>('GET', '/requests?limit=200')).data.length;
    const before = await asked();
    const person = atTerminal(['chat', '-m', 'tiny', '--max-tokens', '4'], relay.commandEnv);
    await eventually('the prompt is there', () => person.stdout.includes('> '), 20_000);
    // In one write, as a terminal delivers what was typed while the program was busy.
    person.type(`${ESCAPE}[200~Say\rhello${ESCAPE}[201~\rCount to 8\r`);
    await eventually('both are asked', async () => (await asked()) >= before + 2, 20_000);
    person.type(END_OF_INPUT);
    expect([await person.exited, await asked()]).toEqual([0, before + 2]);
  }, 60_000);

  describe('in a pipe', () => {
    it('truncates nothing and has no colours, unless forced', async () => {
      const plain = await run(['nodes'], { NO_COLOR: '' });
      expect(plain.stdout).toContain('a computer with quite a long name, as people give them');
      expect(plain.stdout).not.toContain(ESCAPE);
      expect((await run(['nodes'], { NO_COLOR: '', FORCE_COLOR: '1' })).stdout).toContain(ESCAPE);
      expect((await run(['nodes'], { NO_COLOR: '1', FORCE_COLOR: '1' })).stdout).not.toContain(ESCAPE);
    });

    it('prints only the answer to a question from the command line', async () => {
      const reported = await run(['chat', '-m', 'tiny', '--max-tokens', '8', 'Count to 8']);
      expect({ code: reported.code, empty: reported.stdout.trim() === '' }).toEqual({ code: 0, empty: false });
      const json = await run(['chat', '-m', 'tiny', '--max-tokens', '8', 'Count to 8', '--json']);
      const response = JSON.parse(json.stdout) as { request_id: string };
      expect(shapeProblems('chat', response)).toEqual([]);
      const explained = await runHere(['explain', response.request_id, '--json']);
      expect(shapeProblems('explain', JSON.parse(explained.stdout))).toEqual([]);
    }, 60_000);
  });

  it('prints the documented shapes from a real relay', async () => {
    await runHere(['keys', 'create', 'shapes']);
    for (const words of ['clusters list', 'nodes list', 'keys list', 'users list', 'users invites', 'audit']) {
      const { stdout } = await runHere([...words.split(' '), '--json']);
      const { data } = JSON.parse(stdout) as { data: unknown[] };
      for (const row of data) expect(shapeProblems(words, row)).toEqual([]);
    }
    for (const words of ['status', 'whoami', 'usage']) {
      const { code, stdout } = await runHere([words, '--json']);
      expect({ words, code }).toEqual({ words, code: 0 });
      expect(shapeProblems(words, JSON.parse(stdout))).toEqual([]);
    }
  }, 60_000);

  it('exits with 3 and the next step without a network', async () => {
    const result = await run(['status', '--base-url', 'http://127.0.0.1:9', '--token', 'ferry-cli-x']);
    expect(result.code).toBe(3);
    expect(result.stdout).toMatch(/^Reachable +no$/m);
    expect(result.stderr).toContain('ferry up');
  });

  it('signs in by code, and exits with 4 and the next step once that sign-in has ended', async () => {
    const config = { FERRY_CONFIG_DIR: path.join(relay.dataDirectory, 'person'), FERRY_DATA_DIR: '' };
    const login = FerryProcess.start(['login', relay.baseUrl], config);
    await eventually('the code is shown', () => Promise.resolve(/Code: \S+/.test(login.stderr)), 20_000);
    const code = /Code: (\S+)/.exec(login.stderr)?.[1] ?? '';
    expect((await runHere(['login', 'approve', code, '--yes'])).code).toBe(0);
    expect(await login.exited).toBe(0);
    const person = (...words: string[]): Promise<CommandResult> => ferry(words, config);
    expect((await ferryHere(['clusters'], config)).code).toBe(0);

    // It has no API key yet: a script is told how to get one, a person is offered one.
    expect((await person('chat', '-m', 'tiny', 'Hi')).stderr).toContain('ferry keys create NAME --save');
    const chat = atTerminal(['chat', '-m', 'tiny', '--max-tokens', '4'], { ...config, FERRY_DISCOVERY: 'off' });
    await eventually('it is offered', () => chat.stdout.includes('Make one and keep it?'), 20_000);
    chat.type('\r');
    await eventually('the chat begins', () => chat.stdout.includes('/help for commands'), 20_000);
    chat.type(END_OF_INPUT);
    expect(await chat.exited).toBe(0);
    expect((await person('chat', '-m', 'tiny', '--max-tokens', '4', 'Hi')).code).toBe(0);

    const file = await readFile(path.join(config.FERRY_CONFIG_DIR, 'credentials.json'), 'utf8');
    const { cli_token: token } = JSON.parse(file) as { cli_token: string };
    await fetch(`${relay.baseUrl}/api/sign-out`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: '{}',
    });
    const ended = await person('clusters');
    expect(ended.code).toBe(4);
    expect(ended.stderr).toContain(`ferry login ${relay.baseUrl}`);
  }, 60_000);

  it('the command line in a terminal and in a pipe has commands in a chat, and loads the requested model', async () => {
    expect((await runHere(['models', 'unload', 'tiny'])).code).toBe(0);
    const declines = atTerminal(['chat', '-m', 'tiny', 'hi'], relay.commandEnv);
    await eventually('it offers to load', () => declines.stdout.includes('tiny is not loaded. Load it on'), 20_000);
    declines.type('n');
    expect(await declines.exited).toBe(6);
    expect(stripVTControlCharacters(declines.stdout)).toMatch(
      /error: tiny is not loaded\r?\n {2}try: ferry models load tiny/,
    );
    const person = atTerminal(['chat', '-m', 'tiny', '--max-tokens', '4'], relay.commandEnv);
    const saved = path.join(relay.dataDirectory, 'chat.json');
    const steps: readonly (readonly [typed: string, shown: string])[] = [
      ['\r', '/help for commands'],
      ['/help\r', '/save [FILE]'],
      ['/system Be brief.\r', 'System prompt: Be brief.'],
      ['/model\r', '/model NAME or number'],
      ['/nothing\r', 'unknown command /nothing'],
      ['/model 1\r', 'The next answer is from tiny'],
      ['Hi\r/save ' + saved + '\r', 'Saved 2 messages'],
      ['/save ' + saved + '\r', 'exists already'],
    ];
    await eventually('it offers to load', () => person.stdout.includes('tiny is not loaded. Load it on'), 20_000);
    for (const [typed, shown] of steps) {
      person.type(typed);
      await eventually(shown, () => person.stdout.includes(shown), 30_000);
    }
    person.type(END_OF_INPUT);
    expect(await person.exited).toBe(0);
    expect(JSON.parse(await readFile(saved, 'utf8'))).toMatchObject({
      model: 'tiny',
      messages: [{ role: 'system', content: 'Be brief.' }, { role: 'user', content: 'Hi' }, { role: 'assistant' }],
    });
  }, 90_000);

  it('shows what a node does in text on its terminal, and what the relay knows about it', async () => {
    const env = { FERRY_DATA_DIR: path.join(relay.dataDirectory, 'second'), FERRY_DISCOVERY: 'off' };
    const { join_token: token } = await relay.manage<{ join_token: string }>('POST', '/join-tokens', {});
    const joined = await ferryHere(['node', 'join', token, '--relay', relay.baseUrl, '--name', 'second'], env);
    expect(joined.code).toBe(0);
    const following = FerryProcess.start(['logs', 'second', '--follow', '--json'], { ...relay.commandEnv });
    await eventually('it knows the node', () => following.stdout.includes('joined the account'), 20_000);
    const person = atTerminal(['node', 'run'], env);
    const connected = /^\d\d:\d\d:\d\d info {2}connected to the relay {2}relay=http/m;
    await eventually('the node says that it is connected', () => connected.test(person.stdout), 20_000);
    expect(person.stdout).not.toContain('{"level"');
    await eventually('the relay says so', () => following.stdout.includes('came online'), 20_000);
    person.type(INTERRUPT);
    expect(await person.exited).toBe(0);
    await eventually('the relay says that it is gone', () => following.stdout.includes('went offline'), 20_000);
    expect(await following.stop('SIGINT')).toBe(130);
    const lines = following.stdout.trimEnd().split('\n');
    for (const text of lines) expect(shapeProblems('logs', JSON.parse(text))).toEqual([]);
    const shown = await runHere(['logs', 'second']);
    expect({ code: shown.code, stderr: shown.stderr }).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('What the relay knows about second, which is offline.'),
    });
    expect(shown.stdout).toMatch(/ warn {2}last seen online/m);
  }, 90_000);

  it('completes command lines in bash', async () => {
    const script = `ferry() { ${quote(process.execPath)} ${quote(entry)} "$@"; }
eval "$(ferry completion bash)"
for words in 'clusters cr' 'models lo' 'nodes pause a' 'models load ti' 'keys roll qui'; do
  COMP_WORDS=(ferry $words); COMP_CWORD=$(( \${#COMP_WORDS[@]} - 1 )); _ferry_complete; printf '%s\\n' "\${COMPREPLY[@]}"
done`;
    const { stdout } = await promisify(execFile)('bash', ['-c', script], {
      env: { ...process.env, ...relay.commandEnv },
    });
    expect(stdout.split('\n')).toEqual([
      'create',
      'load',
      'a\\ computer\\ with\\ quite\\ a\\ long\\ name\\,\\ as\\ people\\ give\\ them',
      'tiny',
      'quickstart',
      '',
    ]);
  });
});
