import { beforeEach, describe, expect, it } from '@jest/globals';
import { settled } from '../../../test/support/clock/settled.js';
import { completedEnd, streamHead } from '../../../test/support/link/link-pair.js';
import { NodeSessionHarness } from '../../../test/support/link/node-session.harness.js';
import { encodeWindow } from '../codec/frame-codec.js';
import { FrameType } from '../codec/frame-types.js';
import { headMessage, type EndMessage } from '../messages.js';
import type { NodeLinkStream } from './node-stream.js';

const data = (size: number): Buffer => Buffer.alloc(size, 'x');
/** The current state of a promise. */
const outcome = (promise: Promise<void> | undefined): string[] => {
  const outcomes: string[] = [];
  void promise?.then(
    () => outcomes.push('sent'),
    (error: unknown) => outcomes.push(String(error)),
  );
  return outcomes;
};

describe('writing an answer', () => {
  let harness: NodeSessionHarness;
  beforeEach(() => {
    harness = NodeSessionHarness.admitted();
  });

  it('writing an answer is synchronous within credit', () => {
    const stream = harness.answering(1);
    expect(stream.write(data(65_536))).toBeUndefined();
    expect(harness.sent()).toEqual(['1 DATA 65536']);
  });

  it('sends an event larger than its credit in pieces; the last one carries the boundary', async () => {
    const stream = harness.answering(1);
    const result = outcome(stream.write(data(150_000)));
    expect(harness.sent()).toEqual(['1 DATA_MORE 65536']);
    harness.say(1, FrameType.window, encodeWindow(65_536));
    await settled();
    expect(result).toEqual([]);
    expect(harness.sent()).toEqual(['1 DATA_MORE 65536']);
    harness.say(1, FrameType.window, encodeWindow(65_536));
    await settled();
    expect(result).toEqual(['sent']);
    expect(harness.sent()).toEqual(['1 DATA 18928']);
  });

  it('writing an answer is rejected when the stream is reset while waiting', async () => {
    const result = outcome(harness.answering(1).write(data(100_000)));
    harness.say(1, FrameType.reset, { reason: 'timed_out' });
    await settled();
    expect(result).toEqual(['LinkStreamClosedError: link stream closed: timed_out']);
  });

  it('writing an answer is rejected, and the stream reset, when no credit comes for a minute', async () => {
    const result = outcome(harness.answering(1).write(data(100_000)));
    harness.tick(59);
    harness.sent();
    harness.tick(1);
    await settled();
    expect(result).toEqual(['LinkStreamClosedError: link stream closed: timed_out']);
    expect(harness.log).toEqual(['1 reset timed_out']);
    expect(harness.sent()).toContain('1 RESET {"reason":"timed_out"}');
  });

  it('waits a minute again after each grant', () => {
    const result = outcome(harness.answering(1).write(data(200_000)));
    for (let grant = 0; grant < 2; grant += 1) {
      harness.tick(50);
      harness.say(1, FrameType.window, encodeWindow(1_000));
    }
    harness.tick(50);
    expect(result).toEqual([]);
    expect(harness.log).toEqual([]);
  });

  it('marks the boundary of a JSON body only at its end', () => {
    const stream = harness.open(1);
    stream.ack();
    stream.head({ status: 200, content_type: 'application/json', content_length: 30 });
    expect([stream.write(data(10)), stream.write(data(20))]).toEqual([undefined, undefined]);
    stream.end(completedEnd);
    expect(harness.sent().map((line) => line.split(' ').slice(1, 3).join(' ').split('{')[0]?.trim())).toEqual([
      'ACK',
      'HEAD',
      'DATA 30',
      'END',
    ]);
    const other = harness.open(2);
    other.ack();
    other.head({ status: 200, content_type: 'application/json', content_length: 30 });
    expect(other.write(data(10))).toBeUndefined();
    expect(harness.sent().at(-1)).toBe('2 DATA_MORE 10');
  });

  it.each<[string, (stream: NodeLinkStream) => void, string]>([
    [
      'two writes at a time',
      (stream) => {
        stream.write(data(70_000))?.catch(() => undefined);
        void stream.write(data(1));
      },
      'one write at a time',
    ],
    [
      'ack twice',
      (stream) => {
        stream.ack();
      },
      'ACK out of order',
    ],
    [
      'head twice',
      (stream) => {
        stream.head(streamHead);
      },
      'HEAD out of order',
    ],
    [
      'reject after ack',
      (stream) => {
        stream.reject('busy');
      },
      'REJECT after ACK',
    ],
    [
      'an end while a write waits',
      (stream) => {
        stream.write(data(70_000))?.catch(() => undefined);
        stream.end(completedEnd);
      },
      'completed while a write waits',
    ],
  ])('throws for %s before anything is sent', (_name, misuse, message) => {
    const stream = harness.answering(1);
    expect(() => {
      misuse(stream);
    }).toThrow(message);
    expect(harness.sent().filter((line) => !line.includes('DATA'))).toEqual([]);
    expect(harness.session.openStreams).toBe(1);
  });

  it('writing an answer may fail while a write waits; its rest is dropped', async () => {
    const stream = harness.answering(1);
    const result = outcome(stream.write(data(100_000)));
    stream.end({ ...completedEnd, outcome: 'failed' });
    await settled();
    expect(result).toEqual(['LinkStreamClosedError: link stream closed: ended']);
    expect(harness.sent().map((line) => line.split('{')[0]?.trim())).toEqual(['1 DATA_MORE 65536', '1 END']);
  });

  it('lists in HEAD the fields that a translation dropped, within the limits of the message', () => {
    const stream = harness.open(1);
    stream.ack();
    stream.head({ ...streamHead, translation: { native: false, dropped: Array<string>(100).fill('d'.repeat(300)) } });
    const head = headMessage.parse(JSON.parse(harness.sent().at(-1)?.replace('1 HEAD ', '') ?? ''));
    expect([head.translation?.dropped.length, head.translation?.dropped[0]?.length]).toEqual([64, 200]);
  });

  it('ends with a message within the size limit', () => {
    const failure: EndMessage['failure'] = {
      code: 'engine_error',
      status: 99,
      message: 'é'.repeat(10_000),
      param: 'p'.repeat(500),
      retry_after_seconds: 1e9,
    };
    const usage: EndMessage['usage'] = {
      input_tokens: -1,
      output_tokens: 0.5,
      cached_tokens: null,
      reasoning_tokens: null,
      source: 'engine',
    };
    const dropped = Array<string>(100).fill('d'.repeat(300));
    harness.answering(1).end({ ...completedEnd, outcome: 'failed', failure, usage, dropped });
    const end = JSON.parse(harness.sent()[0]?.slice('1 END '.length) ?? '') as EndMessage;
    expect([end.failure?.message.length, end.failure?.param?.length]).toEqual([4_000, 200]);
    expect([end.failure?.status, end.failure?.retry_after_seconds, end.usage]).toEqual([null, null, null]);
    expect([end.dropped.length, end.dropped[0]?.length]).toEqual([64, 200]);
  });

  it('ends with all given fields when they are valid', () => {
    const failure = { code: 'engine_error', status: 429, message: 'm', param: 'p', retry_after_seconds: 3 } as const;
    const usage = {
      input_tokens: 1,
      output_tokens: 2,
      cached_tokens: null,
      reasoning_tokens: 4,
      source: 'engine',
    } as const;
    const message: EndMessage = { ...completedEnd, outcome: 'failed', failure, usage, dropped: ['user'] };
    harness.answering(1).end(message);
    expect(JSON.parse(harness.sent()[0]?.slice('1 END '.length) ?? '')).toEqual(message);
  });
});

describe('the limit over all streams at the node', () => {
  it('limits streams, shares returned credit, and never blocks a stream that has sent nothing', () => {
    const harness = NodeSessionHarness.admitted({ max_streams: 4, max_outstanding_bytes: 80_000 });
    const streams = [1, 2, 3].map((id) => harness.answering(id));
    const waiting = streams.slice(0, 2).map((stream) => outcome(stream.write(data(60_000))));
    expect(harness.sent()).toEqual(['1 DATA_MORE 16384', '2 DATA_MORE 10000', '1 DATA_MORE 33616']);
    expect(streams[2]?.write(data(10_000))).toBeUndefined();
    expect(harness.sent()).toEqual(['3 DATA 10000']);
    harness.say(1, FrameType.window, encodeWindow(30_000));
    expect(harness.sent()).toEqual(['1 DATA 10000', '2 DATA_MORE 20000']);
    expect(waiting).toEqual([[], []]);
  });

  it('releases the bytes of a stream only after its last frame is sent', () => {
    const harness = NodeSessionHarness.admitted({ max_streams: 2, max_outstanding_bytes: 64_000 });
    const [first, second] = [harness.answering(1), harness.answering(2)];
    expect(first.write(data(48_000))).toBeUndefined();
    first.end(completedEnd);
    void second.write(data(48_000));
    let outstanding = 0;
    for (const line of [...harness.sent(), ...harness.sent()]) {
      const [stream, type, size] = line.split(' ');
      if (type?.startsWith('DATA')) outstanding += Number(size);
      if (stream === '1' && type === 'END') outstanding -= 48_000;
      expect(outstanding).toBeLessThanOrEqual(64_000);
    }
    expect(outstanding).toBe(48_000);
  });
});
