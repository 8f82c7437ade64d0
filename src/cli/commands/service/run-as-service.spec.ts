/** What `ferry service install` waits for: the word of the service that nothing can end it any more, and no time. */
import { EventEmitter } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../../../../test/support/clock/eventually.js';
import { readInstance } from '../../../kernel/instance-lock.js';
import { createDeferred } from '../../core/supervision/deferred.js';
import { runAsService } from './run-as-service.js';
import { services } from './service-programs.js';
import { waitUntilRunning } from './wait-until-running.js';

let directory: string;
let file: (name: string) => string;

beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'ferry-service-'));
  file = (name) => path.join(directory, name);
});
afterEach(() => rm(directory, { recursive: true, force: true }));

/** The service manager says that the service runs as long as the file `runs` is there. */
const manager = () => ({ probe: ['sh', '-c', `echo x >> '${file('probes')}'; test -e '${file('runs')}'`] });

const probes = async (): Promise<number> =>
  (await readFile(file('probes'), 'utf8').catch(() => '')).split('\n').length - 1;

const reported = (): Promise<object | undefined> => readInstance(file('node'), 'service');

describe('a program that the service manager has started', () => {
  it('runs when it says so, and says no more when it has ended', async () => {
    await writeFile(file('runs'), '');
    const host = Object.assign(new EventEmitter(), { connected: false, exit: () => undefined });
    const settled = createDeferred<undefined>();
    const facts = { node_id: 'nd_1' };
    const env = { FERRY_DATA_DIR: directory, FERRY_SERVICE: 'node' };
    const start = () => Promise.resolve({ facts, close: () => Promise.resolve(), settled: settled.promise });
    const running = runAsService('node', env, start, host);
    let isKnown = false;
    const waiting = waitUntilRunning(services.node, manager(), directory).finally(() => (isKnown = true));
    await eventually('it was asked several times', async () => (await probes()) > 3);
    expect([isKnown, await reported()]).toEqual([false, { pid: process.pid, ready: null }]);
    settled.resolve(undefined);
    await expect(waiting).resolves.toBe(true);
    expect(await reported()).toEqual({ pid: process.pid, ready: facts });
    host.emit('SIGTERM');
    await running;
    expect(await reported()).toBeUndefined();
  });

  it('a program that the service manager has started is not known to run when it says nothing for long', async () => {
    await writeFile(file('runs'), '');
    await expect(waitUntilRunning(services.serve, manager(), directory, 600)).resolves.toBe(false);
    expect(await probes()).toBeGreaterThan(0);
  });

  it('a program that the service manager has started has not got to run when it ends before, however long that takes', async () => {
    await writeFile(file('runs'), '');
    const waiting = waitUntilRunning(services.serve, manager(), directory);
    const failure = expect(waiting).rejects.toThrow('ended as soon as it was started');
    await eventually('it was asked several times', async () => (await probes()) > 3);
    await rm(file('runs'));
    await failure;
  });
});

it('says nothing where a person has started it', async () => {
  const host = Object.assign(new EventEmitter(), { connected: false, exit: () => undefined });
  const started = createDeferred<undefined>();
  const running = runAsService(
    'node',
    { FERRY_DATA_DIR: directory },
    () => {
      started.resolve(undefined);
      return Promise.resolve({ facts: {}, close: () => Promise.resolve() });
    },
    host,
  );
  await started.promise;
  expect(await reported()).toBeUndefined();
  host.emit('SIGTERM');
  await running;
});
