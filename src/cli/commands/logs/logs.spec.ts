/** `ferry logs` as a person and a program run it: files of this computer, and what the relay knows about another one. */
import { generateKeyPairSync } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CommandLine } from '../../../../test/support/cli/command-line.js';
import { respondToEverything } from '../../../../test/support/cli/management-responses.js';
import { NODE, node } from '../../../../test/support/cli/node-responses.js';
import { shapeProblems } from '../../../../test/support/cli/shape-problems.js';
import { JournalLog } from '../local-logs/journal-log.js';

let line: CommandLine;
let directory: string;
beforeAll(async () => {
  line = await CommandLine.start();
  respondToEverything(line);
});
afterAll(() => line.stop());
beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'ferry-logs-'));
});
afterEach(() => rm(directory, { recursive: true }));

/** Without the services of the user who runs the tests. */
const logs = (words: string) =>
  line.ferry(words, { FERRY_DATA_DIR: directory, XDG_CONFIG_HOME: path.join(directory, 'config') });

const relayLine = (second: number, level: string, msg: string): string =>
  `${JSON.stringify({ level, time: `2026-11-23T10:00:${String(second).padStart(2, '0')}.000Z`, msg })}\n`;
const nodeLine = (second: number, level: number, msg: string): string =>
  `${JSON.stringify({ level, time: Date.parse('2026-11-23T10:00:00Z') + second * 1_000, pid: 1, msg })}\n`;

async function writeLogs(): Promise<void> {
  await mkdir(path.join(directory, 'logs'));
  await writeFile(
    path.join(directory, 'logs', 'relay.log'),
    relayLine(1, 'info', 'one') + relayLine(3, 'warn', 'three') + relayLine(5, 'info', 'five'),
  );
  await writeFile(
    path.join(directory, 'logs', 'node.log'),
    `${nodeLine(2, 30, 'two')}${nodeLine(4, 50, 'four')}Error: boom\n`,
  );
}

const words = (stdout: string): string[] =>
  stdout
    .trimEnd()
    .split('\n')
    .map((text) => text.split(/ +/).at(-1) ?? '');

describe('ferry logs', () => {
  it('merges the logs of relay and node by time', async () => {
    await writeLogs();
    const { code, stdout, stderr } = await logs('logs');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(words(stdout)).toEqual(['one', 'two', 'three', 'four', 'boom', 'five']);
    expect(stdout).toMatch(/^2026-11-2\d \d\d:\d\d:03 warn {2}relay three$/m);
    expect(stdout).toMatch(/:04 error node {2}four$/m);
  });

  it('shows the requested number of lines, of the requested level and part', async () => {
    await writeLogs();
    expect(words((await logs('logs --lines 2')).stdout)).toEqual(['boom', 'five']);
    expect(words((await logs('logs --level warn')).stdout)).toEqual(['three', 'four', 'boom']);
    expect(words((await logs('logs --part relay -n 1')).stdout)).toEqual(['five']);
    expect(await logs('logs --lines 10001')).toMatchObject({ code: 2 });
  });

  it('prints a document of the documented shape for each line', async () => {
    await writeLogs();
    const { stdout } = await logs('logs --json');
    const documents = stdout
      .trimEnd()
      .split('\n')
      .map((text) => JSON.parse(text) as object);
    expect(documents).toHaveLength(6);
    for (const document of documents) expect(shapeProblems('logs', document)).toEqual([]);
    expect(documents[1]).toEqual({
      object: 'log_line',
      time: '2026-11-23T10:00:02.000Z',
      part: 'node',
      level: 'info',
      message: 'two',
      fields: { pid: 1 },
    });
  });

  it('prints the expected path when there is no log', async () => {
    const { code, stdout, stderr } = await logs('logs');
    expect({ code, stdout }).toEqual({ code: 5, stdout: '' });
    expect(stderr).toBe(
      `error: there is no log of Ferry in ${path.join(directory, 'logs')}\n` +
        '  try: ferry up keeps one there; ferry serve and ferry node run write theirs to stderr\n',
    );
  });

  it('shows the log of this computer, when its own node is named', async () => {
    await writeLogs();
    await mkdir(path.join(directory, 'node'));
    const nodeId = `nd_${'9'.repeat(32)}`;
    const identity = {
      version: 1,
      node_id: nodeId,
      node_name: 'here',
      account_id: 'acc_1',
      cluster_id: 'cl_1',
      relay_url: line.baseUrl,
      relay_host: new URL(line.baseUrl).host,
      private_key: generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }),
    };
    await writeFile(path.join(directory, 'node', 'identity.json'), JSON.stringify(identity), { mode: 0o600 });
    line.received.length = 0;
    const { code, stdout } = await logs(`logs ${nodeId}`);
    expect({ code, words: words(stdout) }).toEqual({ code: 0, words: ['two', 'four', 'boom'] });
    expect(line.received).toEqual([]);
  });
});

describe('ferry logs NODE', () => {
  const query = (path_: string, rest: string): string => `GET ${path_}?${rest}&limit=50`;
  const failed = {
    id: `req_${'a'.repeat(32)}`,
    started_at: '2025-11-20T10:16:00.000Z',
    node_id: NODE,
    model: 'mdl_1',
    model_name: 'qwen3:8b',
    outcome: 'timed_out',
    code: 'timeout\u001b[2J',
    duration_ms: 1_000,
  };

  it('shows jobs, failed requests, changes and the current problem, as the view of the relay', async () => {
    line.list(query('/api/usage/requests', `node_id=${NODE}&outcome=timed_out`), failed);
    const { code, stdout, stderr } = await logs('logs desk');
    expect(code).toBe(0);
    expect(stderr).toBe(
      'What the relay knows about desk, which is online.\nIts own log is read on that computer, with: ferry logs\n',
    );
    expect(stdout).toMatch(/info {2}joined the account {2}by=up\n/);
    expect(stdout).toMatch(/info {2}load qwen3:8b: asked for {2}engine=ollama {2}job=op_2{32}\n/);
    expect(stdout).toMatch(
      /error request timed out: timeout\[2J {2}model=qwen3:8b {2}duration=1\.0s {2}req_id=req_a{32}\n/,
    );
    const errors = await logs('logs desk --level error');
    expect(errors.stdout.trimEnd().split('\n')).toHaveLength(1);
  });

  it('says when it connected and why it was disconnected', async () => {
    const at = '2025-11-20T10:15:00.000Z';
    line.respond(`GET /api/nodes/${NODE}`, {
      ...node,
      link_events: [
        { at, event: 'connected', reason: null, detail: '' },
        { at, event: 'disconnected', reason: 'dead', detail: 'no frame for 45 s' },
        { at, event: 'disconnected', reason: 'of a newer relay', detail: '' },
      ],
    });
    const { stdout } = await logs('logs desk');
    expect(stdout).toMatch(/info {2}connected\n/);
    expect(stdout).toMatch(
      /warn {2}disconnected: nothing came from the node any more {2}detail="?no frame for 45 s"?\n/,
    );
    expect(stdout).toContain('disconnected: of a newer relay');
    respondToEverything(line);
  });

  it('omits the audit trail when the caller may not read it', async () => {
    const route = query('/api/audit', `object=${NODE}`);
    line.respond(route, { code: 'insufficient_role', detail: 'needs admin' }, 403);
    const { code, stdout } = await logs('logs desk');
    expect(code).toBe(0);
    expect(stdout).toContain('load qwen3:8b');
    respondToEverything(line);
  });

  it('ferry logs NODE does not include the logs of this computer', async () => {
    expect(await logs('logs desk --part node')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--part is for the log of this computer\n  try: '),
    });
    expect(await logs('logs nowhere')).toMatchObject({ code: 5 });
  });
});

describe('the journal of a service', () => {
  it('the journal of a service is read to its end, and followed from there', async () => {
    // A program in place of journalctl, which prints entries as it does.
    const program = path.join(directory, 'journal');
    const entry = (cursor: string, message: unknown): string =>
      JSON.stringify({ __CURSOR: cursor, __REALTIME_TIMESTAMP: '1795434807292000', MESSAGE: message });
    await writeFile(
      program,
      [
        '#!/bin/sh',
        `case "$*" in`,
        `*follow*after-cursor=c3*) echo $$ > '${program}.pid'; echo '${entry('c4', 'four')}'; exec sleep 60;;`,
        `*) echo '${entry('c1', 'one')}'; echo '${entry('c2', [...Buffer.from('two ä')])}'; echo '${entry('c3', relayLine(3, 'warn', 'three').trim())}';;`,
        'esac',
      ].join('\n'),
    );
    await chmod(program, 0o700);
    const journal = new JournalLog('relay', (lines, follow) => [program, String(lines), follow ? 'follow' : 'last']);
    const last = await journal.last(2, () => true);
    expect(last.map(({ record }) => [record.message, record.level, record.timeMs])).toEqual([
      ['two ä', null, 1_795_434_807_292],
      ['three', 'warn', Date.parse('2026-11-23T10:00:03Z')],
    ]);
    const messages: string[] = [];
    while (messages.length === 0) {
      messages.push(...(await journal.added()).map(({ record }) => record.message));
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    expect(messages).toEqual(['four']);
    const follower = Number(await readFile(`${program}.pid`, 'utf8'));
    const signal = (): boolean => process.kill(follower, 0);
    expect(signal()).toBe(true);
    await journal.close();
    expect(signal).toThrow('ESRCH');
  });

  it('the journal of a service is empty where there is no journal', async () => {
    const journal = new JournalLog('relay', () => [path.join(directory, 'nothing-here')]);
    expect(await journal.last(2, () => true)).toEqual([]);
  });
});
