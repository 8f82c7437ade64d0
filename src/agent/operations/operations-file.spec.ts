import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../../../test/support/clock/eventually.js';
import { loadOf, operationId } from '../../../test/support/agent/operations.harness.js';
import { OperationsFile, operationsFile, type RememberedOperations } from './operations-file.js';

let directory: string;
let failures: unknown[];

beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'ferry-operations-'));
  failures = [];
});

afterEach(async () => {
  await rm(directory, { recursive: true, force: true });
});

const open = (folder = directory): OperationsFile =>
  new OperationsFile(operationsFile(folder), (error) => {
    failures.push(error);
  });

const remembered = (number = 1): RememberedOperations => ({
  live: [{ command: loadOf(number), started: true, cancel_requested: false }],
  finished: [
    {
      result: { operation_id: operationId(9), outcome: 'cancelled', failure: null, model_key: null },
      finished_at_ms: 5,
    },
  ],
});

describe('the file of operations', () => {
  it('round-trips its contents with mode 0600, and leaves no temporary files', async () => {
    const folder = path.join(directory, 'node');
    const file = open(folder);
    file.save(() => remembered());
    await file.close();
    expect(await open(folder).read()).toEqual(remembered());
    expect((await stat(operationsFile(folder))).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['operations.json']);
    expect(failures).toEqual([]);
  });

  it('writes the newest of many states, at the latest on close', async () => {
    const file = open();
    let asked = 0;
    for (let number = 1; number <= 100; number += 1) {
      file.save(() => {
        asked += 1;
        return remembered(number);
      });
    }
    await file.close();
    expect((await open().read()).live[0]?.command.operation_id).toBe(operationId(100));
    expect(asked).toBeLessThanOrEqual(2);
  });

  it('the file of operations is not written after close, since the next process may read it', async () => {
    const file = open();
    file.save(() => remembered(1));
    await file.close();
    file.save(() => remembered(2));
    await file.close();
    expect(await readFile(operationsFile(directory), 'utf8')).toContain(operationId(1));
  });

  it('the file of operations is empty when it is missing', async () => {
    expect(await open().read()).toEqual({ live: [], finished: [] });
    expect(failures).toEqual([]);
  });

  it.each([
    ['damaged', '{"version":1,"live":['],
    ['of another version', '{"version":2,"live":[],"finished":[]}'],
    ['far too large', ' '.repeat(8 * 1024 * 1024 + 1)],
  ])('the file of operations is empty when it is %s, and the problem is logged', async (_name, text) => {
    await writeFile(operationsFile(directory), text);
    expect(await open().read()).toEqual({ live: [], finished: [] });
    expect(failures).toHaveLength(1);
  });

  it('keeps valid entries beside invalid ones', async () => {
    const { live, finished } = remembered();
    const strange = [
      { ...live[0], command: { verb: 'paint', operation_id: operationId(2) } },
      { ...live[0], command: { verb: 'cancel', operation_id: operationId(3) } },
      { ...live[0], command: { ...loadOf(4), operation_id: '../../etc/passwd' } },
      null,
    ];
    const text = JSON.stringify({ version: 1, live: [...strange, ...live], finished: [{}, ...finished] });
    await writeFile(operationsFile(directory), text);
    expect(await open().read()).toEqual(remembered());
  });

  it('the file of operations that cannot be written is retried at the next change', async () => {
    const folder = path.join(directory, 'taken');
    await writeFile(folder, '');
    const file = open(folder);
    file.save(() => remembered(1));
    await eventually('the write has failed', () => failures.length === 1);
    await rm(folder);
    file.save(() => remembered(2));
    await file.close();
    expect((await open(folder).read()).live[0]?.command.operation_id).toBe(operationId(2));
  });
});
