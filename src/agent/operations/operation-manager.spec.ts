import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  cancelOf,
  installOf,
  loadOf,
  operationId,
  OperationsHarness,
  RecordingOutlet,
  removeOf,
  unloadOf,
} from '../../../test/support/agent/operations.harness.js';
import { OperationFailure } from '../engines/engine-management.js';
import { EngineFailure } from '../engines/engine.js';
import { CANCEL_GRACE_MS, MAX_LIVE_OPERATIONS } from './operation-manager.js';

let harness: OperationsHarness;
const reported = (): string[] => harness.outlet.said();

beforeEach(async () => {
  harness = await OperationsHarness.running();
});

describe('a COMMAND', () => {
  it('a COMMAND is executed by the engine, with progress and one result', async () => {
    await harness.take(loadOf(1, 'tiny', 4_096));
    const operation = harness.engines.operation('load tiny');
    expect(operation.options).toEqual({ contextTokens: 4_096 });
    await harness.clock.advanceAndSettle(1_000);
    await operation.report('loading', 5, 10);
    expect(reported()).toEqual(['1 running: starting', '1 running: loading 5/10']);
    await operation.finish();
    expect(reported()).toEqual(['1 succeeded fake/tiny']);
  });

  it('fails when the engine loaded less context than requested, and reports how much', async () => {
    await harness.take(loadOf(1, 'tiny', 1_000_000));
    harness.engines.setModel('tiny', 'loaded', 'fake', 131_072);
    await harness.engines.operation('load tiny').finish();
    expect(reported().at(-1)).toBe('1 failed engine_error fake/tiny');
    expect(harness.outlet.lastFailure).toContain('131072 tokens of context instead of 1000000');
  });

  it.each([
    ['unload tiny', unloadOf(1)],
    ['remove tiny', removeOf(1)],
  ])('a COMMAND is translated for the engine: %s', async (call, command) => {
    await harness.take(command);
    await harness.engines.operation(call).finish();
    expect(reported().at(-1)).toBe('1 succeeded fake/tiny');
  });

  it('never runs twice: a repeated one is answered with its state', async () => {
    await harness.take(loadOf(1));
    await harness.engines.operation('load tiny').report('loading', 1, 2);
    reported();
    await harness.take(loadOf(1), loadOf(1));
    expect(reported()).toEqual(['1 running: loading 1/2', '1 running: loading 1/2']);
    await harness.engines.operation('load tiny').finish();
    reported();
    await harness.take(loadOf(1));
    expect(reported()).toEqual(['1 succeeded fake/tiny']);
    expect(harness.engines.calls()).toEqual(['load tiny']);
  });

  it('keeps the source of an install out of the log, since it may contain a token', async () => {
    await harness.take(installOf(1, 'https://example.com/m.gguf?token=geheim'));
    await harness.engines.operations[0]?.fail(new OperationFailure('network', 'no route'));
    expect(harness.logged).toHaveLength(2);
    expect(harness.logged.join()).not.toContain('geheim');
  });
});

describe('progress', () => {
  it('progress is sent at most four times a second, always the newest, and flushed before the result', async () => {
    await harness.take(loadOf(1));
    const operation = harness.engines.operation('load tiny');
    for (let bytes = 0; bytes < 1_000; bytes += 1) {
      await operation.report('loading', bytes, 1_000);
      if (bytes % 10 === 9) await harness.clock.advanceAndSettle(10);
    }
    // A second's worth, after the first, which goes out at once.
    expect(reported()).toEqual([
      '1 running: starting',
      '1 running: loading 249/1000',
      '1 running: loading 499/1000',
      '1 running: loading 749/1000',
      '1 running: loading 999/1000',
    ]);
    await operation.report('verifying', 1_000, 1_000);
    await operation.finish();
    expect(reported()).toEqual(['1 running: verifying 1000/1000', '1 succeeded fake/tiny']);
    expect(harness.clock.pendingTimers).toBe(0);
  });

  it('progress is not repeated without a change, nor after the result', async () => {
    await harness.take(loadOf(1));
    const operation = harness.engines.operation('load tiny');
    await operation.report('loading');
    await harness.clock.advanceAndSettle(1_000);
    reported();
    await operation.report('loading');
    await harness.clock.advanceAndSettle(1_000);
    expect(reported()).toEqual([]);
    await operation.finish();
    reported();
    await operation.report('still here');
    await harness.clock.advanceAndSettle(1_000);
    expect(reported()).toEqual([]);
  });

  it('progress is clamped to the limits of the message', async () => {
    await harness.take(loadOf(1));
    const operation = harness.engines.operation('load tiny');
    await operation.report('x'.repeat(1_000), Number.NaN, -1);
    expect(harness.operations.live[0]).toMatchObject({
      phase: 'x'.repeat(200),
      completed_bytes: null,
      total_bytes: null,
    });
    await operation.report('loading', 10.7, Number.POSITIVE_INFINITY);
    expect(harness.operations.live[0]).toMatchObject({ completed_bytes: 10, total_bytes: null });
  });
});

describe('concurrent operations', () => {
  it('concurrent operations run one at a time per model, in order, and in parallel for different ones', async () => {
    await harness.take(loadOf(1), unloadOf(2), removeOf(3), loadOf(4, 'small'));
    expect(harness.engines.calls()).toEqual(['load tiny', 'load small']);
    expect(harness.operations.live.map(({ state }) => state)).toEqual(['running', 'queued', 'queued', 'running']);
    await harness.engines.operation('load tiny').fail(new Error('no'));
    await harness.engines.operation('unload tiny').finish();
    expect(harness.engines.calls()).toEqual(['load tiny', 'load small', 'unload tiny', 'remove tiny']);
  });

  it('download at most two models at once, and no source twice', async () => {
    await harness.take(installOf(1, 'a'), installOf(2, 'a'), installOf(3, 'b'), installOf(4, 'c'), loadOf(5));
    expect(harness.engines.calls()).toEqual(['install a', 'install b', 'load tiny']);
    await harness.engines.operation('install b').finish('b');
    expect(harness.engines.calls().at(-1)).toBe('install c');
  });

  it('concurrent operations are refused beyond the bound of the queue, the same answer for the same id', async () => {
    const many = Array.from({ length: MAX_LIVE_OPERATIONS }, (_, index) => installOf(index + 1, `m${index}`));
    await harness.take(...many);
    reported();
    await harness.take(installOf(99, 'one-more'));
    expect(reported()).toEqual(['99 failed too_many_operations']);
    await harness.engines.operation('install m0').finish('m0');
    reported();
    await harness.take(installOf(99, 'one-more'), installOf(100, 'another'));
    expect(reported()).toEqual(['99 failed too_many_operations', '100 queued: waiting']);
  });
});

describe('cancel', () => {
  it('ends a queued operation without calling the engine', async () => {
    await harness.take(loadOf(1), unloadOf(2), cancelOf(2));
    await harness.engines.operation('load tiny').finish();
    expect(reported()).toEqual([
      '1 running: starting',
      '2 queued: waiting',
      '2 cancelled fake/tiny',
      '1 succeeded fake/tiny',
    ]);
    expect(harness.engines.calls()).toEqual(['load tiny']);
  });

  it('stops a running operation, and reports when the engine has stopped', async () => {
    await harness.take(loadOf(1), cancelOf(1), cancelOf(1));
    const operation = harness.engines.operation('load tiny');
    expect(operation.aborted).toBe(true);
    reported();
    await operation.fail(new Error('aborted'));
    expect(reported()).toEqual(['1 cancelled fake/tiny']);
    expect(harness.unexpected).toEqual([]);
    expect(harness.clock.pendingTimers).toBe(0);
  });

  it('reports success for an operation that finished before it could be stopped', async () => {
    await harness.take(loadOf(1), cancelOf(1));
    await harness.engines.operation('load tiny').finish();
    expect(reported().at(-1)).toBe('1 succeeded fake/tiny');
    await harness.take(cancelOf(1));
    expect(reported()).toEqual(['1 succeeded fake/tiny']);
  });

  it('waits for the engine for a bounded time; the model stays locked until the engine has stopped', async () => {
    await harness.take(loadOf(1), cancelOf(1), unloadOf(2));
    reported();
    await harness.clock.advanceAndSettle(CANCEL_GRACE_MS);
    expect(reported()).toEqual(['1 cancelled fake/tiny']);
    expect(harness.engines.calls()).toEqual(['load tiny']);
    await harness.engines.operation('load tiny').finish();
    expect(reported()).toEqual(['2 running: starting']);
    expect(harness.engines.calls()).toEqual(['load tiny', 'unload tiny']);
  });

  it('cancel that overtakes its COMMAND prevents it from starting', async () => {
    await harness.take(cancelOf(1), loadOf(1));
    expect(reported()).toEqual(['1 cancelled', '1 cancelled']);
    expect(harness.engines.calls()).toEqual([]);
  });
});

describe('a failure', () => {
  const failing = async (error: unknown): Promise<string[]> => {
    await harness.take(loadOf(1));
    await harness.engines.operation('load tiny').fail(error);
    return reported().slice(1);
  };

  it("keeps the engine's code", async () => {
    expect(await failing(new OperationFailure('out_of_memory', 'no room'))).toEqual([
      '1 failed out_of_memory fake/tiny',
    ]);
  });

  it('a failure of the engine itself is an engine error', async () => {
    const failure = {
      code: 'engine_error',
      status: null,
      message: 'no',
      param: null,
      retry_after_seconds: null,
    } as const;
    expect(await failing(new EngineFailure(failure))).toEqual(['1 failed engine_error fake/tiny']);
  });

  it('a failure that is unexpected goes to the log only', async () => {
    const error = new TypeError('secret detail');
    expect(await failing(error)).toEqual(['1 failed internal fake/tiny']);
    expect(harness.unexpected).toEqual([error]);
    expect(harness.file.text).not.toContain('secret detail');
  });

  it('truncates its text to the limit of RESULT', async () => {
    await failing(new OperationFailure('network', 'x'.repeat(10_000)));
    expect(harness.file.current?.finished[0]?.result.failure?.message).toHaveLength(4_000);
  });

  it.each([
    ['a model that is not there', loadOf(1, 'gone'), 'unknown_model'],
    ['an engine that is not there', { ...loadOf(1), model_key: 'other/tiny' }, 'unknown_engine'],
    ['an engine to install with that is not there', installOf(1, 'a', 'other'), 'unknown_engine'],
    ['a key like a built-in property', { ...loadOf(1), model_key: '__proto__' }, 'unknown_engine'],
  ])('names %s', async (_name, command, code) => {
    await harness.take(command);
    expect(reported().at(-1)).toContain(`1 failed ${code}`);
    expect(harness.engines.calls()).toEqual([]);
  });

  it('names an unsupported verb', async () => {
    harness.engines.addEngine('fixed', 'fixed', []);
    harness.engines.setModel('m', 'loaded', 'fixed');
    await harness.take({ ...unloadOf(1), model_key: 'fixed/m' }, installOf(2, 'a', 'fixed'));
    expect(reported().filter((line) => line.includes('failed'))).toEqual([
      '1 failed unsupported fixed/m',
      '2 failed unsupported',
    ]);
  });
});

describe('links', () => {
  it('links are not needed: the operation continues, and the next link gets its result', async () => {
    await harness.take(loadOf(1), loadOf(2, 'small'));
    harness.operations.detach(harness.outlet);
    reported();
    await harness.engines.operation('load tiny').finish();
    await harness.engines.operation('load small').report('loading', 1, 2);
    expect(reported()).toEqual([]);
    const next = new RecordingOutlet();
    harness.operations.attach(next);
    expect(next.said()).toEqual(['1 succeeded fake/tiny', '2 running: loading 1/2']);
  });

  it('links get reports on the newer of two only', async () => {
    const newer = new RecordingOutlet();
    harness.operations.attach(newer);
    await harness.take(loadOf(1));
    harness.operations.detach(harness.outlet);
    await harness.engines.operation('load tiny').finish();
    expect(reported()).toEqual([]);
    expect(newer.said()).toEqual(['1 running: starting', '1 succeeded fake/tiny']);
  });

  it('links that cannot take a message lose only that message', async () => {
    const error = new Error('unsendable');
    harness.operations.attach({
      sendProgress: () => {
        throw error;
      },
      sendResult: () => undefined,
    });
    await harness.take(loadOf(1));
    expect(harness.unexpected).toEqual([error]);
    expect(harness.engines.calls()).toEqual(['load tiny']);
  });
});

describe('operations shown at the node', () => {
  it('operations shown at the node are all live operations', async () => {
    await harness.take(installOf(1, 'qwen3:8b'), loadOf(2), unloadOf(3));
    expect(harness.operations.live).toEqual([
      {
        id: operationId(1),
        kind: 'install',
        subject: 'qwen3:8b',
        state: 'running',
        phase: 'starting',
        completed_bytes: null,
        total_bytes: null,
      },
      expect.objectContaining({ id: operationId(2), kind: 'load', subject: 'fake/tiny', state: 'running' }),
      expect.objectContaining({ id: operationId(3), kind: 'unload', state: 'queued', phase: 'waiting' }),
    ]);
  });
});

describe('an install followed by a load', () => {
  const install = { ...installOf(1, 'qwen3:8b'), load: true };

  it('an install followed by a load is one operation, whose load needs no second command', async () => {
    await harness.take(install);
    await harness.engines.operation('install qwen3:8b').report('downloading', 1, 2);
    harness.engines.setModel('qwen3', 'installed');
    await harness.engines.operation('install qwen3:8b').finish('qwen3');
    expect(harness.engines.calls()).toEqual(['install qwen3:8b', 'load qwen3']);
    expect(reported().some((text) => text.includes('succeeded'))).toBe(false);
    await harness.engines.operation('load qwen3').finish();
    expect(reported().at(-1)).toBe('1 succeeded fake/qwen3');
  });

  it('waits until the inventory has the model', async () => {
    await harness.take(install);
    await harness.engines.operation('install qwen3:8b').finish('qwen3');
    expect(harness.engines.calls()).toEqual(['install qwen3:8b']);
    harness.engines.setModel('qwen3', 'installed');
    await harness.clock.advanceAndSettle(0);
    expect(harness.engines.calls()).toEqual(['install qwen3:8b', 'load qwen3']);
  });

  it('reports that the model is installed when it cannot be loaded', async () => {
    await harness.take(install);
    harness.engines.setModel('qwen3', 'installed');
    await harness.engines.operation('install qwen3:8b').finish('qwen3');
    await harness.engines.operation('load qwen3').fail(new OperationFailure('out_of_memory', 'it needs 5 GB'));
    expect(reported().at(-1)).toBe('1 failed out_of_memory fake/qwen3');
    expect(harness.outlet.lastFailure).toBe('The model is installed, but not loaded: it needs 5 GB');
  });

  it('an install followed by a load is cancelled while it loads', async () => {
    await harness.take(install);
    harness.engines.setModel('qwen3', 'installed');
    await harness.engines.operation('install qwen3:8b').finish('qwen3');
    await harness.take(cancelOf(1));
    expect(harness.engines.operation('load qwen3').aborted).toBe(true);
  });

  it('an install followed by a load does not start where the engine cannot load', async () => {
    harness.engines.addEngine('shelf', 'shelf', ['install']);
    await harness.take({ ...installOf(2, 'a', 'shelf'), load: true });
    expect(harness.engines.calls()).toEqual([]);
    expect(reported().at(-1)).toContain('failed');
  });
});
