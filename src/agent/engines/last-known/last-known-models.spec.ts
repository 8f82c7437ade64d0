import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock } from '../../../../test/support/clock/manual-clock.js';
import { modelReport } from '../../../../test/support/link/model-report.js';
import type { EngineModel } from '../engine.js';
import { LastKnownModels } from './last-known-models.js';

const DAY_MS = 86_400_000;
const found = { kind: 'vllm', url: 'http://127.0.0.1:8000/' };

const model = (name: string, state: EngineModel['state'] = 'loaded'): EngineModel => modelReport(name, { state });

let directory: string;
let clock: ManualClock;
let failures: unknown[];
let begun: LastKnownModels[];
beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'last-known-'));
  clock = new ManualClock();
  failures = [];
  begun = [];
});
afterEach(async () => {
  // A write that is under way would fail in a folder that is gone.
  for (const known of begun) await known.close();
  await rm(directory, { recursive: true });
});

const file = (): string => path.join(directory, 'node', 'last-known-models.json');
const begin = async (maxAgeMs = DAY_MS): Promise<LastKnownModels> => {
  const known = new LastKnownModels({ file: file(), maxAgeMs, clock, onFailure: (error) => failures.push(error) });
  begun.push(known);
  await known.load();
  return known;
};

describe('last-known models of engines', () => {
  it('last-known models of engines are reported as installed', async () => {
    const known = await begin();
    known.answered('one', [model('a'), model('b', 'failed')], null);
    expect(known.of('one').map(({ engine_model: name, state }) => [name, state])).toEqual([
      ['a', 'installed'],
      ['b', 'installed'],
    ]);
    expect(known.of('two')).toEqual([]);
  });

  it('last-known models of engines are empty when the engine reports none', async () => {
    const known = await begin();
    known.answered('one', [model('a')], null);
    known.answered('one', [], null);
    expect(known.of('one')).toEqual([]);
  });

  it('last-known models of engines are forgotten a day after its last answer', async () => {
    const known = await begin();
    known.answered('one', [model('a')], null);
    clock.advance(DAY_MS / 2);
    known.stillResponds('one');
    clock.advance(DAY_MS - 1);
    expect([known.forgetOld(), known.of('one').length]).toEqual([false, 1]);
    clock.advance(1);
    expect([known.of('one'), known.forgetOld(), known.forgetOld()]).toEqual([[], true, false]);
  });

  it('last-known models of 64 engines are read from the file, and those of no more', async () => {
    const before = await begin();
    before.answered('one', [model('a')], null);
    await before.close();
    const {
      engines: [record],
    } = JSON.parse(await readFile(file(), 'utf8')) as { engines: object[] };
    const engines = Array.from({ length: 66 }, (_, index) => ({ ...record, name: `engine-${index}` }));
    await writeFile(file(), JSON.stringify({ version: 1, engines }));
    const known = await begin();
    expect([63, 64, 65].map((index) => known.of(`engine-${index}`).length)).toEqual([1, 0, 0]);
  });

  it('last-known models of engines are not kept when the setting disables it', async () => {
    const known = await begin(0);
    known.answered('one', [model('a')], null);
    expect(known.of('one')).toEqual([]);
  });

  it("last-known models of engines last-known models of engines survive a restart of the node, with the engine's address", async () => {
    const before = await begin();
    before.answered('one', [model('a')], null);
    before.answered('vllm', [model('b'), model('c')], found);
    await before.close();
    const after = await begin();
    expect(after.of('one')).toMatchObject([{ engine_model: 'a', state: 'installed' }]);
    expect(after.found).toEqual([{ ...found, models: 2 }]);
    clock.advance(DAY_MS);
    expect((await begin()).of('one')).toEqual([]);
    expect(failures).toEqual([]);
  });

  it('date from the last answer also after a kill without any change', async () => {
    const before = await begin();
    before.answered('one', [model('a')], null);
    for (let hour = 0; hour < 100; hour += 1) {
      clock.advance(DAY_MS / 24);
      before.stillResponds('one');
      await new Promise(setImmediate);
    }
    clock.advance(DAY_MS / 24);
    before.stillResponds('one');
    await before.close();
    expect((await begin()).of('one')).toHaveLength(1);
  });

  it('last-known models of engines are empty when the file is damaged', async () => {
    const before = await begin();
    before.answered('one', [model('a')], null);
    await before.close();
    const record = JSON.parse(await readFile(file(), 'utf8')) as { engines: unknown[] };
    await writeFile(file(), JSON.stringify({ version: 1, engines: [{ name: 'odd' }, ...record.engines] }));
    expect((await begin()).of('one')).toHaveLength(1);
    await writeFile(file(), '{"version":1,');
    expect([(await begin()).of('one'), failures.length]).toEqual([[], 1]);
  });

  it('last-known models of engines are not written before the file was read, since it may belong to a running node', async () => {
    const running = await begin();
    running.answered('one', [model('a')], null);
    await running.close();
    const refused = new LastKnownModels({ file: file(), maxAgeMs: DAY_MS, clock, onFailure: () => undefined });
    await refused.close();
    expect((await begin()).of('one')).toHaveLength(1);
  });
});
