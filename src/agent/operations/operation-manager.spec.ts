import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  cancelOf,
  installOf,
  loadOf,
  operationId,
  OperationsBench,
  RecordingOutlet,
  removeOf,
  unloadOf,
} from '../../../test/support/agent/operations.harness.js';
import { OperationFailure } from '../engines/engine-management.js';
import { EngineFailure } from '../engines/engine.js';
import { CANCEL_GRACE_MS, MAX_LIVE_OPERATIONS } from './operation-manager.js';

let bench: OperationsBench;
const said = (): string[] => bench.outlet.said();

beforeEach(async () => {
  bench = await OperationsBench.running();
});

describe('a COMMAND', () => {
  it('is done by the engine, with progress and one result', async () => {
    await bench.take(loadOf(1, 'tiny', 4_096));
    const job = bench.engines.job('load tiny');
    expect(job.options).toEqual({ contextTokens: 4_096 });
    await bench.clock.advanceAndSettle(1_000);
    await job.report('loading', 5, 10);
    expect(said()).toEqual(['1 running: starting', '1 running: loading 5/10']);
    await job.finish();
    expect(said()).toEqual(['1 succeeded lab/tiny']);
  });

  it('fails when the engine took less context than it was asked for, and says how much there is', async () => {
    await bench.take(loadOf(1, 'tiny', 1_000_000));
    bench.engines.setModel('tiny', 'loaded', 'lab', 131_072);
    await bench.engines.job('load tiny').finish();
    expect(said().at(-1)).toBe('1 failed engine_error lab/tiny');
    expect(bench.outlet.lastFailure).toContain('131072 tokens of context instead of 1000000');
  });

  it.each([
    ['unload tiny', unloadOf(1)],
    ['remove tiny', removeOf(1)],
  ])('reaches the engine in its own words: %s', async (told, command) => {
    await bench.take(command);
    await bench.engines.job(told).finish();
    expect(said().at(-1)).toBe('1 succeeded lab/tiny');
  });

  it('never runs twice: a repeated one is answered with how far it is', async () => {
    await bench.take(loadOf(1));
    await bench.engines.job('load tiny').report('loading', 1, 2);
    said();
    await bench.take(loadOf(1), loadOf(1));
    expect(said()).toEqual(['1 running: loading 1/2', '1 running: loading 1/2']);
    await bench.engines.job('load tiny').finish();
    said();
    await bench.take(loadOf(1));
    expect(said()).toEqual(['1 succeeded lab/tiny']);
    expect(bench.engines.told()).toEqual(['load tiny']);
  });

  it('leaves the source of an install out of the log: an address may carry a token', async () => {
    await bench.take(installOf(1, 'https://example.com/m.gguf?token=geheim'));
    await bench.engines.jobs[0]?.fail(new OperationFailure('network', 'no route'));
    expect(bench.logged).toHaveLength(2);
    expect(bench.logged.join()).not.toContain('geheim');
  });
});

describe('progress', () => {
  it('goes out at most four times a second, always the newest, and what is left before the result', async () => {
    await bench.take(loadOf(1));
    const job = bench.engines.job('load tiny');
    for (let bytes = 0; bytes < 1_000; bytes += 1) {
      await job.report('loading', bytes, 1_000);
      if (bytes % 10 === 9) await bench.clock.advanceAndSettle(10);
    }
    // A second's worth, after the first, which goes out at once.
    expect(said()).toEqual([
      '1 running: starting',
      '1 running: loading 249/1000',
      '1 running: loading 499/1000',
      '1 running: loading 749/1000',
      '1 running: loading 999/1000',
    ]);
    await job.report('verifying', 1_000, 1_000);
    await job.finish();
    expect(said()).toEqual(['1 running: verifying 1000/1000', '1 succeeded lab/tiny']);
    expect(bench.clock.pendingTimers).toBe(0);
  });

  it('is not said again when nothing has changed, nor after the result', async () => {
    await bench.take(loadOf(1));
    const job = bench.engines.job('load tiny');
    await job.report('loading');
    await bench.clock.advanceAndSettle(1_000);
    said();
    await job.report('loading');
    await bench.clock.advanceAndSettle(1_000);
    expect(said()).toEqual([]);
    await job.finish();
    said();
    await job.report('still here');
    await bench.clock.advanceAndSettle(1_000);
    expect(said()).toEqual([]);
  });

  it('is made fit for the message, whatever an engine counts', async () => {
    await bench.take(loadOf(1));
    const job = bench.engines.job('load tiny');
    await job.report('x'.repeat(1_000), Number.NaN, -1);
    expect(bench.operations.live[0]).toMatchObject({
      phase: 'x'.repeat(200),
      completed_bytes: null,
      total_bytes: null,
    });
    await job.report('loading', 10.7, Number.POSITIVE_INFINITY);
    expect(bench.operations.live[0]).toMatchObject({ completed_bytes: 10, total_bytes: null });
  });
});

describe('several operations', () => {
  it('run one at a time for a model, in their order, and beside each other for different ones', async () => {
    await bench.take(loadOf(1), unloadOf(2), removeOf(3), loadOf(4, 'small'));
    expect(bench.engines.told()).toEqual(['load tiny', 'load small']);
    expect(bench.operations.live.map(({ state }) => state)).toEqual(['running', 'queued', 'queued', 'running']);
    await bench.engines.job('load tiny').fail(new Error('no'));
    await bench.engines.job('unload tiny').finish();
    expect(bench.engines.told()).toEqual(['load tiny', 'load small', 'unload tiny', 'remove tiny']);
  });

  it('download at most two models at once, and no source twice', async () => {
    await bench.take(installOf(1, 'a'), installOf(2, 'a'), installOf(3, 'b'), installOf(4, 'c'), loadOf(5));
    expect(bench.engines.told()).toEqual(['install a', 'install b', 'load tiny']);
    await bench.engines.job('install b').finish('b');
    expect(bench.engines.told().at(-1)).toBe('install c');
  });

  it('are refused beyond the bound of the queue, the same answer for the same id', async () => {
    const many = Array.from({ length: MAX_LIVE_OPERATIONS }, (_, index) => installOf(index + 1, `m${index}`));
    await bench.take(...many);
    said();
    await bench.take(installOf(99, 'one-more'));
    expect(said()).toEqual(['99 failed too_many_operations']);
    await bench.engines.job('install m0').finish('m0');
    said();
    await bench.take(installOf(99, 'one-more'), installOf(100, 'another'));
    expect(said()).toEqual(['99 failed too_many_operations', '100 queued: waiting']);
  });
});

describe('cancel', () => {
  it('ends one that waits, and the engine never hears of it', async () => {
    await bench.take(loadOf(1), unloadOf(2), cancelOf(2));
    await bench.engines.job('load tiny').finish();
    expect(said()).toEqual([
      '1 running: starting',
      '2 queued: waiting',
      '2 cancelled lab/tiny',
      '1 succeeded lab/tiny',
    ]);
    expect(bench.engines.told()).toEqual(['load tiny']);
  });

  it('stops one that runs, and says so when the engine has let go', async () => {
    await bench.take(loadOf(1), cancelOf(1), cancelOf(1));
    const job = bench.engines.job('load tiny');
    expect(job.aborted).toBe(true);
    said();
    await job.fail(new Error('aborted'));
    expect(said()).toEqual(['1 cancelled lab/tiny']);
    expect(bench.unexpected).toEqual([]);
    expect(bench.clock.pendingTimers).toBe(0);
  });

  it('tells the truth about one that was done before it could be stopped', async () => {
    await bench.take(loadOf(1), cancelOf(1));
    await bench.engines.job('load tiny').finish();
    expect(said().at(-1)).toBe('1 succeeded lab/tiny');
    await bench.take(cancelOf(1));
    expect(said()).toEqual(['1 succeeded lab/tiny']);
  });

  it('does not wait for ever for an engine, whose model stays taken until it lets go', async () => {
    await bench.take(loadOf(1), cancelOf(1), unloadOf(2));
    said();
    await bench.clock.advanceAndSettle(CANCEL_GRACE_MS);
    expect(said()).toEqual(['1 cancelled lab/tiny']);
    expect(bench.engines.told()).toEqual(['load tiny']);
    await bench.engines.job('load tiny').finish();
    expect(said()).toEqual(['2 running: starting']);
    expect(bench.engines.told()).toEqual(['load tiny', 'unload tiny']);
  });

  it('that overtakes its COMMAND keeps it from beginning', async () => {
    await bench.take(cancelOf(1), loadOf(1));
    expect(said()).toEqual(['1 cancelled', '1 cancelled']);
    expect(bench.engines.told()).toEqual([]);
  });
});

describe('a failure', () => {
  const failing = async (error: unknown): Promise<string[]> => {
    await bench.take(loadOf(1));
    await bench.engines.job('load tiny').fail(error);
    return said().slice(1);
  };

  it('keeps the code that the engine gave', async () => {
    expect(await failing(new OperationFailure('out_of_memory', 'no room'))).toEqual([
      '1 failed out_of_memory lab/tiny',
    ]);
  });

  it('of the engine itself is an engine error', async () => {
    const failure = {
      code: 'engine_error',
      status: null,
      message: 'no',
      param: null,
      retry_after_seconds: null,
    } as const;
    expect(await failing(new EngineFailure(failure))).toEqual(['1 failed engine_error lab/tiny']);
  });

  it('that nobody foresaw is told to the log only', async () => {
    const error = new TypeError('secret detail');
    expect(await failing(error)).toEqual(['1 failed internal lab/tiny']);
    expect(bench.unexpected).toEqual([error]);
    expect(bench.file.text).not.toContain('secret detail');
  });

  it('never has more text than a RESULT takes', async () => {
    await failing(new OperationFailure('network', 'x'.repeat(10_000)));
    expect(bench.file.current?.finished[0]?.result.failure?.message).toHaveLength(4_000);
  });

  it.each([
    ['a model that is not there', loadOf(1, 'gone'), 'unknown_model'],
    ['an engine that is not there', { ...loadOf(1), model_key: 'other/tiny' }, 'unknown_engine'],
    ['an engine to install with that is not there', installOf(1, 'a', 'other'), 'unknown_engine'],
    ['a key like a built-in property', { ...loadOf(1), model_key: '__proto__' }, 'unknown_engine'],
  ])('names %s', async (_name, command, code) => {
    await bench.take(command);
    expect(said().at(-1)).toContain(`1 failed ${code}`);
    expect(bench.engines.told()).toEqual([]);
  });

  it('says what an engine cannot be told to do', async () => {
    bench.engines.addEngine('fixed', 'fixed', []);
    bench.engines.setModel('m', 'loaded', 'fixed');
    await bench.take({ ...unloadOf(1), model_key: 'fixed/m' }, installOf(2, 'a', 'fixed'));
    expect(said().filter((line) => line.includes('failed'))).toEqual([
      '1 failed unsupported fixed/m',
      '2 failed unsupported',
    ]);
  });
});

describe('links', () => {
  it('are not needed: the job goes on, and the next one hears what became of it', async () => {
    await bench.take(loadOf(1), loadOf(2, 'small'));
    bench.operations.detach(bench.outlet);
    said();
    await bench.engines.job('load tiny').finish();
    await bench.engines.job('load small').report('loading', 1, 2);
    expect(said()).toEqual([]);
    const next = new RecordingOutlet();
    bench.operations.attach(next);
    expect(next.said()).toEqual(['1 succeeded lab/tiny', '2 running: loading 1/2']);
  });

  it('of which there are two hear nothing on the older one, whose end is no loss', async () => {
    const newer = new RecordingOutlet();
    bench.operations.attach(newer);
    await bench.take(loadOf(1));
    bench.operations.detach(bench.outlet);
    await bench.engines.job('load tiny').finish();
    expect(said()).toEqual([]);
    expect(newer.said()).toEqual(['1 running: starting', '1 succeeded lab/tiny']);
  });

  it('that cannot take a message cost nobody anything but it', async () => {
    const error = new Error('unsendable');
    bench.operations.attach({
      sendProgress: () => {
        throw error;
      },
      sendResult: () => undefined,
    });
    await bench.take(loadOf(1));
    expect(bench.unexpected).toEqual([error]);
    expect(bench.engines.told()).toEqual(['load tiny']);
  });
});

describe('what people at the node see', () => {
  it('is every live operation', async () => {
    await bench.take(installOf(1, 'qwen3:8b'), loadOf(2), unloadOf(3));
    expect(bench.operations.live).toEqual([
      {
        id: operationId(1),
        kind: 'install',
        subject: 'qwen3:8b',
        state: 'running',
        phase: 'starting',
        completed_bytes: null,
        total_bytes: null,
      },
      expect.objectContaining({ id: operationId(2), kind: 'load', subject: 'lab/tiny', state: 'running' }),
      expect.objectContaining({ id: operationId(3), kind: 'unload', state: 'queued', phase: 'waiting' }),
    ]);
  });
});

describe('an install that loads afterwards', () => {
  const install = { ...installOf(1, 'qwen3:8b'), load: true };

  it('is one operation, whose load is done by the node alone', async () => {
    await bench.take(install);
    await bench.engines.job('install qwen3:8b').report('downloading', 1, 2);
    bench.engines.setModel('qwen3', 'installed');
    await bench.engines.job('install qwen3:8b').finish('qwen3');
    expect(bench.engines.told()).toEqual(['install qwen3:8b', 'load qwen3']);
    expect(said().some((text) => text.includes('succeeded'))).toBe(false);
    await bench.engines.job('load qwen3').finish();
    expect(said().at(-1)).toBe('1 succeeded lab/qwen3');
  });

  it('waits until the inventory has the model', async () => {
    await bench.take(install);
    await bench.engines.job('install qwen3:8b').finish('qwen3');
    expect(bench.engines.told()).toEqual(['install qwen3:8b']);
    bench.engines.setModel('qwen3', 'installed');
    await bench.clock.advanceAndSettle(0);
    expect(bench.engines.told()).toEqual(['install qwen3:8b', 'load qwen3']);
  });

  it('says that the model is installed when it cannot be loaded', async () => {
    await bench.take(install);
    bench.engines.setModel('qwen3', 'installed');
    await bench.engines.job('install qwen3:8b').finish('qwen3');
    await bench.engines.job('load qwen3').fail(new OperationFailure('out_of_memory', 'it needs 5 GB'));
    expect(said().at(-1)).toBe('1 failed out_of_memory lab/qwen3');
    expect(bench.outlet.lastFailure).toBe('The model is installed, but not loaded: it needs 5 GB');
  });

  it('is cancelled while it loads', async () => {
    await bench.take(install);
    bench.engines.setModel('qwen3', 'installed');
    await bench.engines.job('install qwen3:8b').finish('qwen3');
    await bench.take(cancelOf(1));
    expect(bench.engines.job('load qwen3').aborted).toBe(true);
  });

  it('begins nothing where the engine cannot load', async () => {
    bench.engines.addEngine('shelf', 'shelf', ['install']);
    await bench.take({ ...installOf(2, 'a', 'shelf'), load: true });
    expect(bench.engines.told()).toEqual([]);
    expect(said().at(-1)).toContain('failed');
  });
});
