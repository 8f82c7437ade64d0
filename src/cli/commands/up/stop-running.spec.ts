import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CommandLine } from '../../../../test/support/cli/command-line.js';
import { acquireInstanceLock, type InstanceLock } from '../../../kernel/instance-lock.js';
import { describeInstance, UP_LOCK } from './supervisor/claim-data-directory.js';

let directory: string;
let line: CommandLine;
/** Some process of this computer. */
let other: ChildProcess;
let lock: InstanceLock | undefined;

beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'ferry-down-'));
  line = await CommandLine.start();
  other = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'], { stdio: 'ignore' });
  await once(other, 'spawn');
});

afterEach(async () => {
  other.kill('SIGKILL');
  await lock?.release();
  await line.stop();
  await rm(directory, { recursive: true, force: true });
});

const down = async (description: object) => {
  lock = await acquireInstanceLock(directory, UP_LOCK, () => ({
    ...describeInstance(undefined, undefined),
    ...description,
  }));
  return line.run(['down', '--data-dir', directory]);
};

describe('ferry down', () => {
  it('signals nothing here where ferry up runs in a container that shares the directory', async () => {
    const { code, stderr } = await down({ pid: other.pid, pid_namespace: 'pid:[1]' });
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/in another container, as process \d+ there\n {2}try: ferry/),
    ]);
    expect([other.exitCode, other.signalCode]).toEqual([null, null]);
  });

  it('stops the process that holds the directory', async () => {
    const ended = once(other, 'exit').then(() => lock?.release());
    const { code } = await down({ pid: other.pid });
    await ended;
    expect([code, other.signalCode]).toEqual([0, 'SIGTERM']);
  });
});
