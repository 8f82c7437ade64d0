import { beforeEach, describe, expect, it } from '@jest/globals';
import { settled } from '../../../test/support/clock/settled.js';
import { ManualClock } from '../../../test/support/clock/manual-clock.js';
import {
  FakeEngines,
  cancelOf,
  installOf,
  loadOf,
  MemoryFile,
  OperationsHarness,
  operationId,
  removeOf,
  unloadOf,
} from '../../../test/support/agent/operations.harness.js';
import type { CommandMessage } from '../../link/messages.js';
import { OperationFailure } from '../engines/engine-management.js';
import { ENGINE_SEARCH_MS } from './operation-manager.js';

let clock: ManualClock;

const engineWith = (...models: readonly string[]): FakeEngines => {
  const engines = new FakeEngines();
  engines.addEngine('fake');
  for (const model of models) engines.setModel(model, 'installed');
  return engines;
};

/** A process that is no more, and what it has left on the disk. */
const left = async (...commands: CommandMessage[]): Promise<OperationsHarness> => {
  const harness = new OperationsHarness({ clock, engines: engineWith('tiny', 'small') });
  await harness.operations.start();
  harness.operations.attach(harness.outlet);
  await harness.take(...commands);
  return harness;
};

const restarted = async (before: OperationsHarness, engines: FakeEngines): Promise<OperationsHarness> => {
  const harness = new OperationsHarness({ clock, engines, file: new MemoryFile(before.file.text) });
  await harness.operations.start();
  await settled();
  harness.operations.attach(harness.outlet);
  return harness;
};

beforeEach(() => {
  clock = new ManualClock();
});

describe('after a crash', () => {
  it('unfinished operations are resumed in the same order', async () => {
    const before = await left(loadOf(1), unloadOf(2), loadOf(3, 'small', 512));
    const after = await restarted(before, engineWith('tiny', 'small'));
    expect(after.engines.calls()).toEqual(['load tiny', 'load small']);
    expect(after.engines.operation('load small').options).toEqual({ contextTokens: 512 });
    expect(after.outlet.said()).toEqual(['1 running: starting', '2 queued: waiting', '3 running: starting']);
    await after.engines.operation('load tiny').finish();
    expect(after.engines.calls().at(-1)).toBe('unload tiny');
  });

  it('finished operations are reported again and not repeated', async () => {
    const before = await left(loadOf(1));
    await before.engines.operation('load tiny').fail(new OperationFailure('out_of_memory', 'no room'));
    const after = await restarted(before, engineWith('tiny'));
    expect(after.outlet.said()).toEqual(['1 failed out_of_memory fake/tiny']);
    await after.take(loadOf(1));
    expect(after.outlet.said()).toEqual(['1 failed out_of_memory fake/tiny']);
    expect(after.engines.calls()).toEqual([]);
  });

  it('an install that had reached its load resumes with the load', async () => {
    const before = await left({ ...installOf(1, 'https://example.com/tiny.gguf'), load: true });
    await before.engines.operations[0]?.finish('tiny');
    expect(before.engines.calls().at(-1)).toBe('load tiny');
    const after = await restarted(before, engineWith('tiny'));
    expect(after.engines.calls()).toEqual(['load tiny']);
    await after.engines.operation('load tiny').finish();
    expect(after.outlet.said().at(-1)).toBe('1 succeeded fake/tiny');
  });

  it('an engine that is not up yet is awaited', async () => {
    const before = await left(loadOf(1));
    const engines = new FakeEngines();
    const after = await restarted(before, engines);
    await clock.advanceAndSettle(ENGINE_SEARCH_MS - 1);
    expect(after.operations.live).toHaveLength(1);
    engines.addEngine('fake');
    engines.setModel('tiny', 'installed');
    await settled();
    await engines.operation('load tiny').finish();
    expect(after.outlet.said().at(-1)).toBe('1 succeeded fake/tiny');
    expect(clock.pendingTimers).toBe(0);
  });

  it('an engine that never comes up is reported as missing', async () => {
    const before = await left(loadOf(1), installOf(2, 'a', 'fake'));
    const after = await restarted(before, new FakeEngines());
    after.outlet.said();
    await clock.advanceAndSettle(ENGINE_SEARCH_MS);
    expect(after.outlet.said()).toEqual(['1 failed unknown_engine fake/tiny', '2 failed unknown_engine']);
  });

  it('waiting for an engine can be cancelled', async () => {
    const before = await left(loadOf(1));
    const after = await restarted(before, new FakeEngines());
    await after.take(cancelOf(1));
    expect(after.outlet.said().at(-1)).toBe('1 cancelled fake/tiny');
    expect(clock.pendingTimers).toBe(0);
  });

  it.each([
    ['load', loadOf(1), 'loaded' as const],
    ['unload', unloadOf(1), 'installed' as const],
    ['remove', removeOf(1), null],
  ])('a %s that was done before it was recorded is not repeated', async (_verb, command, state) => {
    const before = await left(command);
    const engines = engineWith();
    if (state !== null) engines.setModel('tiny', state);
    const after = await restarted(before, engines);
    await clock.advanceAndSettle(ENGINE_SEARCH_MS);
    expect(after.outlet.said().at(-1)).toBe('1 succeeded fake/tiny');
    expect(engines.calls()).toEqual([]);
  });

  it('an operation that never started does not count existing state as its success', async () => {
    const before = await left(loadOf(1), unloadOf(2));
    const engines = engineWith();
    engines.setModel('tiny', 'installed');
    const after = await restarted(before, engines);
    await engines.operation('load tiny').finish();
    expect(engines.calls()).toEqual(['load tiny', 'unload tiny']);
    expect(after.operations.live).toHaveLength(1);
  });

  it('a requested cancellation is kept', async () => {
    const before = await left(loadOf(1), cancelOf(1));
    const after = await restarted(before, engineWith('tiny'));
    expect(after.outlet.said()).toEqual(['1 cancelled fake/tiny']);
    expect(after.engines.calls()).toEqual([]);
  });

  it('an install resumes with the engine that accepted it', async () => {
    const before = await left(installOf(1, 'm'));
    await before.engines.operation('install m').report('downloading', 1, 2);
    const engines = new FakeEngines();
    engines.addEngine('ollama');
    const after = await restarted(before, engines);
    expect(engines.calls()).toEqual([]);
    engines.addEngine('fake');
    await settled();
    await engines.operation('install m').finish('m:latest');
    expect(after.outlet.said().at(-1)).toBe('1 succeeded fake/m:latest');
  });
});

describe('at shutdown of the node', () => {
  it('running operations are interrupted and resumed at the next start', async () => {
    const before = await left(loadOf(1), unloadOf(2));
    const operation = before.engines.operation('load tiny');
    before.outlet.said();
    const stopped = before.operations.stop();
    expect(operation.aborted).toBe(true);
    await operation.fail(new Error('aborted'));
    await stopped;
    expect(before.outlet.said()).toEqual([]);
    const after = await restarted(before, engineWith('tiny'));
    expect(after.engines.calls()).toEqual(['load tiny']);
    expect(after.operations.live.map(({ id }) => id)).toEqual([operationId(1), operationId(2)]);
  });

  it('operations finished during shutdown are recorded as finished', async () => {
    const before = await left(loadOf(1));
    const stopped = before.operations.stop();
    await before.engines.operation('load tiny').finish();
    await stopped;
    const after = await restarted(before, engineWith('tiny'));
    expect(after.outlet.said()).toEqual(['1 succeeded fake/tiny']);
  });

  it('an engine that does not stop delays shutdown for a bounded time', async () => {
    const before = await left(loadOf(1), cancelOf(1));
    let over = false;
    const stopped = before.operations.stop().then(() => (over = true));
    await clock.advanceAndSettle(5_000);
    await stopped;
    expect(over).toBe(true);
    expect(clock.pendingTimers).toBe(0);
  });

  it('no operation starts while draining, and running ones may finish', async () => {
    const before = await left(loadOf(1), unloadOf(2));
    before.operations.close();
    await before.take(loadOf(3, 'small'));
    await before.engines.operation('load tiny').finish();
    expect(before.engines.calls()).toEqual(['load tiny']);
    expect(before.outlet.said().at(-1)).toBe('1 succeeded fake/tiny');
    expect(before.operations.live.map(({ id }) => id)).toEqual([operationId(2)]);
  });
});

describe('the memory of finished operations', () => {
  it('the memory of finished operations has the last hundred entries', async () => {
    const harness = await left(...Array.from({ length: 150 }, (_, index) => cancelOf(index + 1)));
    const after = await restarted(harness, engineWith());
    const reported = after.outlet.said();
    expect(reported).toHaveLength(100);
    expect([reported[0], reported.at(-1)]).toEqual(['51 cancelled', '150 cancelled']);
  });

  it('spans a day, across restarts', async () => {
    const harness = await left(cancelOf(1));
    await clock.advanceAndSettle(23 * 3_600_000);
    const after = await restarted(harness, engineWith());
    expect(after.outlet.said()).toEqual(['1 cancelled']);
    await clock.advanceAndSettle(2 * 3_600_000);
    after.operations.attach(after.outlet);
    expect(after.outlet.said()).toEqual([]);
  });
});
