import { describe, expect, it } from '@jest/globals';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { ManualClock } from '../../../test/support/clock/manual-clock.js';
import { FlushQueue } from '../../../test/support/link/link-pair.js';
import { FrameBatcher, HOLD_MS, QUIET_MS } from './frame-batcher.js';
import { decodeBody, decodeMessage, type Frame } from '../codec/frame-codec.js';
import { StreamQueue } from './stream-queue.js';
import { FrameType, MAX_LINK_MESSAGE_BYTES } from '../codec/frame-types.js';

class Bench {
  readonly messages: Buffer[] = [];
  readonly flushes = new FlushQueue();
  readonly clock = new ManualClock();
  readonly batcher = new FrameBatcher({
    send: (message) => this.messages.push(message),
    nowMs: () => this.clock.monotonicMs(),
    scheduleFlush: this.flushes.schedule,
  });

  get frames(): Frame[] {
    return this.messages.flatMap((message) => decodeMessage(message));
  }

  summary(): string[] {
    return this.frames.map(({ stream, type, payload }) => `${stream} ${type} ${payload.length}`);
  }
}

const endOfCallback = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve));
const data = (size: number, fill = 'x'): Buffer => Buffer.alloc(size, fill);

describe('FrameBatcher', () => {
  it('sends everything of one turn of the event loop as one message of its exact size', () => {
    const bench = new Bench();
    const [one, two] = [new StreamQueue(1), new StreamQueue(2)];
    bench.batcher.pushControl(one, FrameType.ack, Buffer.alloc(0));
    bench.batcher.pushData(two, data(100), true);
    bench.batcher.pushFirst(9, FrameType.window, Buffer.from([0, 0, 1, 0]));
    expect(bench.messages).toHaveLength(0);
    bench.flushes.run();
    expect(bench.messages.map((message) => message.length)).toEqual([8 + 8 + 108 + 4]);
    expect(bench.summary()).toEqual(['9 13 4', '1 7 0', '2 10 100']);
    expect(bench.flushes.run()).toBe(false);
  });

  it('sends at once when 64 KiB wait, without a turn of the event loop', () => {
    const bench = new Bench();
    const queue = new StreamQueue(1);
    bench.batcher.pushData(queue, data(65_535), true);
    expect(bench.messages).toHaveLength(0);
    bench.batcher.pushData(queue, data(1), true);
    expect(bench.summary()).toEqual(['1 10 65536']);
    expect(bench.batcher.queuedBytes).toBe(0);
  });

  it('merges consecutive DATA of a stream up to 64 KiB, complete events only', () => {
    const bench = new Bench();
    const queue = new StreamQueue(1);
    for (const size of [30_000, 30_000, 5_000]) bench.batcher.pushData(queue, data(size), true);
    bench.flushes.run();
    expect(bench.summary()).toEqual(['1 10 65000']);
    for (const size of [40_000, 25_000]) bench.batcher.pushData(queue, data(size), true);
    bench.batcher.pushData(queue, data(40_000), true);
    bench.flushes.run();
    expect(bench.summary().slice(1)).toEqual(['1 10 65000', '1 10 40000']);
  });

  it('joins the pieces of an event to DATA, and keeps an event boundary apart from what follows inside the next event', () => {
    const bench = new Bench();
    const queue = new StreamQueue(1);
    bench.batcher.pushData(queue, data(10), false);
    bench.batcher.pushData(queue, data(20), false);
    bench.batcher.pushData(queue, data(30), true);
    bench.batcher.pushData(queue, data(40), false);
    bench.flushes.run();
    expect(bench.summary()).toEqual(['1 10 60', '1 11 40']);
  });

  it('splits an oversized event into DATA_MORE and a last DATA', () => {
    const bench = new Bench();
    bench.batcher.pushData(new StreamQueue(1), data(150_000), true);
    expect(bench.summary()).toEqual(['1 11 65536', '1 11 65536', '1 10 18928']);
  });

  it('cuts a body with its flag byte inside the frame limit, and flags the last piece only', () => {
    const bench = new Bench();
    bench.batcher.pushBody(new StreamQueue(1), data(70_000), true);
    bench.flushes.run();
    expect(bench.summary()).toEqual(['1 6 65536', '1 6 4466']);
    expect(bench.frames.map(({ payload }) => decodeBody(payload).last)).toEqual([false, true]);
  });

  it('never merges across a control frame of the stream', () => {
    const bench = new Bench();
    const queue = new StreamQueue(1);
    bench.batcher.pushControl(queue, FrameType.head, Buffer.from('{}'));
    bench.batcher.pushData(queue, data(5), true);
    bench.batcher.pushControl(queue, FrameType.end, Buffer.from('{}'));
    bench.flushes.run();
    expect(bench.summary()).toEqual(['1 9 2', '1 10 5', '1 12 2']);
  });

  it('takes turns between streams: a token waits for one slice of the large uploads', () => {
    const bench = new Bench();
    const [first, second, token] = [new StreamQueue(1), new StreamQueue(2), new StreamQueue(3)];
    bench.batcher.pushBody(first, data(262_144), true);
    bench.batcher.pushBody(second, data(262_144), true);
    bench.batcher.pushData(token, data(50), true);
    bench.flushes.run();
    expect(bench.summary().slice(0, 4)).toEqual(['1 6 16385', '2 6 16385', '3 10 50', '1 6 16385']);
    expect(decodeMessage(bench.messages[0] ?? Buffer.alloc(0)).some(({ stream }) => stream === 3)).toBe(true);
    expect(bench.messages.every((message) => message.length <= 2 * 65_536 + 8)).toBe(true);
  });

  it('drops the bytes of a cancelled stream and keeps its control frames', () => {
    const bench = new Bench();
    const queue = new StreamQueue(1);
    bench.batcher.pushControl(queue, FrameType.open, Buffer.from('{}'));
    bench.batcher.pushBody(queue, data(50_000), true);
    bench.batcher.pushControl(queue, FrameType.reset, Buffer.from('{}'));
    bench.batcher.dropBytes(queue);
    expect(bench.batcher.queuedBytes).toBe(4);
    bench.flushes.run();
    expect(bench.summary()).toEqual(['1 5 2', '1 14 2']);
  });

  it('sends frames that are pushed while it sends', () => {
    const queue = new StreamQueue(1);
    const flushes = new FlushQueue();
    const sizes: number[] = [];
    const batcher: FrameBatcher = new FrameBatcher({
      send: (message) => {
        sizes.push(message.length);
        if (sizes.length < 3) batcher.pushData(queue, data(10), true);
      },
      nowMs: () => 0,
      scheduleFlush: flushes.schedule,
    });
    batcher.pushData(queue, data(10), true);
    flushes.run();
    expect(sizes).toEqual([18, 18, 18]);
  });

  it('runs deferred work once after the flush', () => {
    const bench = new Bench();
    const sentBefore: number[] = [];
    bench.batcher.pushData(new StreamQueue(1), data(10), true);
    bench.batcher.afterFlush(() => sentBefore.push(bench.messages.length));
    bench.flushes.run();
    bench.flushes.run();
    expect(sentBefore).toEqual([1]);
  });

  describe('when a message leaves', () => {
    const open = (bench: Bench, stream: number): StreamQueue => {
      const queue = new StreamQueue(stream);
      bench.batcher.pushControl(queue, FrameType.head, Buffer.from('{}'));
      bench.batcher.pushData(queue, data(5), true);
      return queue;
    };

    it('is after the running callback, on a quiet link', () => {
      const bench = new Bench();
      open(bench, 1);
      expect(bench.flushes.moments).toEqual(['callback']);
      bench.flushes.run();
      expect(bench.summary()).toEqual(['1 9 2', '1 10 5']);
      bench.clock.advance(QUIET_MS);
      open(bench, 2);
      expect(bench.flushes.moments).toEqual(['callback']);
    });

    it('is the end of the turn, on a busy link', () => {
      const bench = new Bench();
      open(bench, 1);
      bench.flushes.run();
      bench.clock.advance(QUIET_MS / 2);
      open(bench, 2);
      expect(bench.flushes.moments).toEqual(['turn']);
    });

    it('is the end of the turn for credit and for events of a running stream, on a quiet link', () => {
      const bench = new Bench();
      const queue = open(bench, 1);
      bench.flushes.run();
      bench.clock.advance(QUIET_MS);
      bench.batcher.pushData(queue, data(5), true);
      expect(bench.flushes.moments).toEqual(['turn']);
      bench.flushes.run();
      bench.clock.advance(QUIET_MS);
      bench.batcher.pushFirst(1, FrameType.window, Buffer.from([0, 0, 1, 0]));
      expect(bench.flushes.moments).toEqual(['turn']);
    });

    it('is later for events of running streams on a busy link, so that they share a message', () => {
      const bench = new Bench();
      const queues = [open(bench, 1), open(bench, 2)];
      bench.flushes.run();
      const before = bench.messages.length;
      for (const queue of queues) bench.batcher.pushData(queue, data(7), true);
      expect(bench.flushes.moments).toEqual(['hold']);
      bench.flushes.run();
      expect(bench.messages).toHaveLength(before + 1);
      expect(bench.summary().slice(-2)).toEqual(['1 10 7', '2 10 7']);
    });

    it('is that of the first frame that must not wait: a held event leaves with it', () => {
      const bench = new Bench();
      const queue = open(bench, 1);
      bench.flushes.run();
      bench.batcher.pushData(queue, data(7), true);
      bench.batcher.pushControl(queue, FrameType.end, Buffer.from('{}'));
      expect(bench.flushes.moments).toEqual(['hold', 'turn']);
      bench.flushes.run();
      expect(bench.summary().slice(-2)).toEqual(['1 10 7', '1 12 2']);
      expect(bench.messages).toHaveLength(2);
    });

    it('is in this order in the event loop of Node', async () => {
      const sent: number[] = [];
      let nowMs = 0;
      const batcher = new FrameBatcher({ send: ({ length }) => sent.push(length), nowMs: () => nowMs });
      const queue = new StreamQueue(1);
      batcher.pushData(queue, data(1), true);
      batcher.pushData(queue, data(1), true);
      expect(sent).toEqual([]);
      await endOfCallback();
      expect(sent).toEqual([10]);
      batcher.pushControl(queue, FrameType.end, Buffer.from('{}'));
      await endOfCallback();
      expect(sent).toEqual([10]);
      await turn();
      expect(sent).toEqual([10, 10]);
      nowMs = HOLD_MS / 2;
      batcher.pushData(queue, data(3), true);
      while (sent.length < 3) await turn();
      expect(sent).toEqual([10, 10, 11]);
    });
  });

  it('sends nothing after it was disposed of', () => {
    const bench = new Bench();
    const queue = new StreamQueue(1);
    bench.batcher.pushData(queue, data(10), true);
    bench.batcher.dispose();
    bench.batcher.pushData(queue, data(100_000), true);
    bench.batcher.pushFirst(0, FrameType.status, Buffer.from('{}'));
    bench.flushes.run();
    expect(bench.messages).toHaveLength(0);
  });

  it('refuses to hold more than any credit allows', () => {
    const bench = new Bench();
    expect(() => {
      bench.batcher.pushData(new StreamQueue(1), data(18 * 1024 * 1024), true);
    }).toThrow(RangeError);
  });

  it('preserves order, bytes and event boundaries of every stream under any interleaving', () => {
    const push = fc.record({
      kind: fc.constantFrom('data', 'more', 'body', 'control', 'flush'),
      stream: fc.integer({ min: 1, max: 4 }),
      size: fc.oneof(
        { weight: 8, arbitrary: fc.integer({ min: 1, max: 300 }) },
        { weight: 2, arbitrary: fc.integer({ min: 1, max: 100_000 }) },
      ),
    });
    fc.assert(
      fc.property(fc.array(push, { maxLength: 60 }), (pushes) => {
        const bench = new Bench();
        const lanes = [0, 1, 2, 3, 4].map((stream) => new StreamQueue(stream));
        const expected = new Map<number, string[]>();
        pushes.forEach(({ kind, stream, size }, index) => {
          if (kind === 'flush') {
            bench.flushes.run();
            return;
          }
          const queue = lanes[stream] as StreamQueue;
          const bytes = data(size, String.fromCharCode(97 + (index % 26)));
          const log = expected.get(stream) ?? [];
          expected.set(stream, log);
          if (kind === 'control') {
            bench.batcher.pushControl(queue, FrameType.head, bytes.subarray(0, 100));
            log.push(`control ${bytes.toString('latin1', 0, 100)}`);
          } else if (kind === 'body') {
            bench.batcher.pushBody(queue, bytes, true);
            log.push(`body ${bytes.toString('latin1')}`);
          } else {
            bench.batcher.pushData(queue, bytes, kind === 'data');
            log.push(`data ${bytes.toString('latin1')}${kind === 'data' ? '|' : ''}`);
          }
        });
        bench.flushes.run();
        for (const [stream, log] of expected) {
          expect(normalised(bench.frames.filter((frame) => frame.stream === stream))).toBe(joined(log));
        }
        expect(bench.messages.every((message) => message.length <= MAX_LINK_MESSAGE_BYTES)).toBe(true);
        expect(bench.batcher.queuedBytes).toBe(0);
      }),
      { numRuns: 200 },
    );
  });
});

/** Runs of DATA as one text; the boundary at the end of a run is kept, those inside may merge away. */
function joined(log: readonly string[]): string {
  return log
    .join('\n')
    .replaceAll('\ndata ', '')
    .replaceAll(/\|(?!\n|$)/g, '');
}

function normalised(frames: readonly Frame[]): string {
  const log: string[] = [];
  let body = '';
  for (const { type, payload } of frames) {
    if (type === FrameType.head) log.push(`control ${payload.toString('latin1')}`);
    else if (type === FrameType.body) {
      const { last, bytes } = decodeBody(payload);
      body += bytes.toString('latin1');
      if (!last) continue;
      log.push(`body ${body}`);
      body = '';
    } else log.push(`data ${payload.toString('latin1')}${type === FrameType.data ? '|' : ''}`);
  }
  return joined(log);
}
