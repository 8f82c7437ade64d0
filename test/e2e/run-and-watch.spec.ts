/** `ferry run`, `requests`, `explain` and `top` as real processes against a relay and a node with the tiny model. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import path from 'node:path';
import { eventually } from '../support/clock/eventually.js';
import { shapeProblems } from '../support/cli/shape-problems.js';
import { ferry, FerryProcess, repositoryRoot, type CommandResult } from '../support/process/ferry-process.js';
import { TestNode } from '../support/process/test-node.js';
import { TestRelay } from '../support/process/test-relay.js';

const ESCAPE = String.fromCharCode(27);

describe('running and watching', () => {
  let relay: TestRelay;
  let node: TestNode;

  beforeAll(async () => {
    relay = await TestRelay.start();
    node = await TestNode.start(relay, { name: 'studio' });
  }, 90_000);

  afterAll(async () => {
    await node.stop();
    await relay.stop();
  }, 30_000);

  const run = (...words: string[]): Promise<CommandResult> => ferry(words, relay.commandEnv);
  const logged = async (): Promise<readonly { id: string }[]> =>
    (JSON.parse((await run('requests', '--json')).stdout) as { data: { id: string }[] }).data;

  it('loads an installed model, found by a part of its name, and prints the answer', async () => {
    expect((await run('models', 'unload', 'tiny')).code).toBe(0);
    const { code, stdout, stderr } = await run('run', 'tin', '--max-tokens', '8', 'Count to 8');
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('Loaded tiny on studio') });
    expect(stdout.trim()).not.toBe('');
  }, 90_000);

  it('gives advice for a model that no node has', async () => {
    const { code, stderr } = await run('run', 'nothing-like-this');
    expect({ code, stderr }).toEqual({ code: 5, stderr: expect.stringContaining('ferry models search') });
  });

  it('lists the request, and explains the latest or one by a prefix of its id', async () => {
    const rows = await eventually(
      'the request is logged',
      async () => ((await logged()).length > 0 ? logged() : undefined),
      30_000,
    );
    for (const row of rows) expect(shapeProblems('requests', row)).toEqual([]);
    const id = rows[0]?.id ?? '';
    const whole = (await run('requests')).stdout;
    expect(whole).toContain(id);
    expect(whole).toMatch(/tiny +studio +completed +\d+/);
    const latest = await run('explain');
    expect(latest.stdout).toMatch(new RegExp(`^${id} · tiny · completed · \\d+ tokens · `));
    expect(latest.stdout).toMatch(/^first token +\S+ s +\S+ s$/m);
    expect((await run('explain', id.slice(0, 16))).stdout).toBe(latest.stdout);
  }, 60_000);

  it('follows requests, one line for each', async () => {
    const follower = FerryProcess.start(['requests', '--follow', '--json'], relay.commandEnv);
    await new Promise((resolve) => setTimeout(resolve, 4_000));
    expect(follower.stdout).toBe('');
    const answer = await run('chat', '-m', 'tiny', '--max-tokens', '4', '--json', 'Hi');
    const { request_id: id } = JSON.parse(answer.stdout) as { request_id: string };
    await eventually('its line', () => follower.stdout.includes(id), 30_000);
    expect(shapeProblems('requests', JSON.parse(follower.stdout))).toEqual([]);
    follower.child.kill('SIGINT');
    expect(await follower.exited).toBe(130);
  }, 60_000);

  it('shows one frame of top in a pipe, and none without --once', async () => {
    expect((await run('top')).code).toBe(2);
    expect((await run('top', '--once')).stdout).toMatch(/^● studio +tiny +/m);
    expect(shapeProblems('top', JSON.parse((await run('top', '--json')).stdout))).toEqual([]);
  }, 30_000);

  it.each([
    ['q', 'q'],
    ['Ctrl-C', String.fromCharCode(3)],
  ])(
    'restores the terminal after %s',
    async (_, key) => {
      const entry = path.join(repositoryRoot, 'bin/ferry.js');
      const command = `stty cols 80 rows 24; '${process.execPath}' '${entry}' top; stty -a`;
      const person = FerryProcess.startProgram(
        'script',
        ['--quiet', '--return', '--command', command, '/dev/null'],
        repositoryRoot,
        { ...relay.commandEnv, TERM: 'xterm', NO_COLOR: undefined },
        'pipe',
      );
      await eventually('the first frame', () => person.stdout.includes('studio'), 20_000);
      person.type(key);
      expect(await person.exited).toBe(0);
      expect(person.stdout.indexOf(`${ESCAPE}[?1049h`)).toBeLessThan(person.stdout.lastIndexOf(`${ESCAPE}[?1049l`));
      expect(person.stdout).toContain(`${ESCAPE}[?25h`);
      expect(person.stdout).toMatch(/[^-]icanon .*[^-]echo /s);
    },
    40_000,
  );
});
