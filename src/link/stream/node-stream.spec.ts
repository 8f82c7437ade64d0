import { beforeEach, describe, expect, it } from '@jest/globals';
import { completedEnd, helloFacts, openHead, streamHead } from '../../../test/support/link/link-pair.js';
import { encodeWindow } from '../codec/frame-codec.js';
import { FrameType } from '../codec/frame-types.js';
import { headMessage, type EndMessage } from '../messages.js';
import type { NodeLinkStream } from './node-stream.js';
import { NodeSessionHarness } from '../../../test/support/link/node-session.harness.js';

const data = (size: number): Buffer => Buffer.alloc(size, 'x');
/** What a promise has come to, without waiting for it. */
const outcome = (promise: Promise<void> | undefined): string[] => {
  const outcomes: string[] = [];
  void promise?.then(
    () => outcomes.push('sent'),
    (error: unknown) => outcomes.push(String(error)),
  );
  return outcomes;
};
const settled = (): Promise<void> => new Promise(setImmediate);

describe('a request at the node', () => {
  let harness: NodeSessionHarness;
  beforeEach(() => {
    harness = NodeSessionHarness.admitted();
  });

  it('delivers its body and returns consumed bytes as credit in half windows', () => {
    const stream = harness.open(1, 262_144);
    for (let piece = 0; piece < 4; piece += 1) harness.body(1, 65_535);
    stream.bodyTaken(131_071);
    expect(harness.sent()).toEqual([]);
    stream.bodyTaken(1);
    expect(harness.sent()).toEqual(['1 WINDOW 131072']);
    harness.body(1, 4, true);
    stream.bodyTaken(131_072);
    expect(harness.sent()).toEqual([]);
    expect(harness.log.at(-1)).toBe('1 body 4 last');
  });

  it('returns body credit every fifteen seconds for a slow engine', () => {
    const stream = harness.open(1, 1_000);
    harness.body(1, 500);
    stream.bodyTaken(10);
    harness.tick(15);
    expect(harness.sent()).toEqual(['1 WINDOW 10']);
  });

  it.each<[string, () => void, string]>([
    [
      'a body longer than OPEN said',
      () => {
        harness.body(1, 3);
      },
      'BODY is not as long as OPEN said',
    ],
    [
      'a body shorter than OPEN said',
      () => {
        harness.body(1, 1, true);
      },
      'BODY is not as long as OPEN said',
    ],
    [
      'a body that goes on after its last piece',
      () => {
        harness.body(1, 2, true);
        harness.body(1, 0, true);
      },
      'BODY after the last',
    ],
    [
      'a stream id that was used before',
      () => {
        harness.say(1, FrameType.open, openHead(2));
      },
      'stream id used again',
    ],
    [
      'an unknown stream',
      () => {
        harness.say(2, FrameType.reset, { reason: 'cancelled' });
      },
      'unknown stream',
    ],
    [
      'an answer from the relay',
      () => {
        harness.say(1, FrameType.ack);
      },
      'ACK is not for a node',
    ],
    [
      'HELLO from the relay',
      () => {
        harness.say(0, FrameType.hello, helloFacts);
      },
      'HELLO is not for a node',
    ],
    [
      'credit beyond any bound',
      () => {
        harness.say(1, FrameType.window, encodeWindow(0xffff_ffff));
      },
      'WINDOW over 16 MiB',
    ],
  ])('closes the link for %s', (_name, misbehave, reason) => {
    harness.open(1);
    misbehave();
    expect(harness.socket.closedWith).toEqual({ code: 1002, reason });
    expect(harness.log.slice(-2)).toEqual(['1 reset link_closed', `closed protocol_error: ${reason}`]);
  });

  it('closes the link for a body beyond its window', () => {
    harness.open(1, 1_000_000);
    for (let piece = 0; piece < 4; piece += 1) harness.body(1, 65_535);
    harness.body(1, 4);
    expect(harness.socket.closedWith).toBeUndefined();
    harness.body(1, 1);
    expect(harness.socket.closedWith).toEqual({ code: 1002, reason: 'window overrun' });
  });

  it('is refused without asking the agent while draining and beyond the stream limit', () => {
    const small = NodeSessionHarness.admitted({ max_streams: 1 });
    small.open(1);
    expect(() => small.open(2)).toThrow();
    expect(small.sent()).toEqual(['2 REJECT {"reason":"busy","message":null}']);
    harness.session.goAway({ reason: 'draining', reconnect_in_ms: 0 });
    expect(() => harness.open(1)).toThrow();
    expect(harness.sent().at(-1)).toBe('1 REJECT {"reason":"draining","message":null}');
  });

  it('may be refused while its body is still coming: the rest is ignored', () => {
    harness.open(1, 300_000).reject('not_loaded', 'gone');
    harness.body(1, 60_000);
    expect(harness.sent()).toEqual(['1 REJECT {"reason":"not_loaded","message":"gone"}']);
    expect(harness.socket.closedWith).toBeUndefined();
    expect(harness.log).toEqual([]);
  });

  it('is reset by the relay: the agent is notified once, and later calls have no effect', async () => {
    const stream = harness.answering(1);
    harness.say(1, FrameType.reset, { reason: 'cancelled' });
    harness.say(1, FrameType.reset, { reason: 'cancelled' });
    stream.ack();
    stream.head(streamHead);
    stream.bodyTaken(5);
    stream.end(completedEnd);
    stream.reject('busy');
    await expect(stream.write(data(1))).rejects.toThrow('link stream closed: cancelled');
    expect(harness.log).toEqual(['1 reset cancelled']);
    expect(harness.sent()).toEqual([]);
    expect(harness.session.openStreams).toBe(0);
  });

  it('delivers no body after a reset by the relay', () => {
    harness.open(1, 100);
    harness.say(1, FrameType.reset, { reason: 'cancelled' });
    harness.body(1, 1);
    expect(harness.socket.closedWith).toEqual({ code: 1002, reason: 'bytes on a closed stream' });
  });

  it('drops queued data after a reset', () => {
    const stream = harness.answering(1);
    expect(stream.write(data(100))).toBeUndefined();
    harness.say(1, FrameType.reset, { reason: 'cancelled' });
    expect(harness.sent()).toEqual([]);
  });

  it('whose handler throws is reset without affecting others', () => {
    const throwing = NodeSessionHarness.admitted(
      {},
      {
        onOpen: (head) => {
          if (head.body_bytes === 1) throw new Error('in onOpen');
          return {
            onBody: () => {
              throw new Error('in onBody');
            },
            onReset: (reason) => throwing.log.push(`reset ${reason}`),
          };
        },
      },
    );
    throwing.say(1, FrameType.open, openHead(1));
    throwing.say(2, FrameType.open, openHead(2));
    throwing.body(2, 2, true);
    expect(throwing.sent()).toEqual(['1 RESET {"reason":"internal"}', '2 RESET {"reason":"internal"}']);
    expect(throwing.log).toEqual(['reset internal']);
    expect(throwing.errors).toEqual([new Error('in onOpen'), new Error('in onBody')]);
    expect(throwing.socket.closedWith).toBeUndefined();
  });

  it('whose link ended while the agent accepted it is notified', () => {
    const closing: NodeSessionHarness = NodeSessionHarness.admitted(
      {},
      {
        onOpen: () => {
          closing.session.close();
          return { onBody() {}, onReset: (reason) => closing.log.push(`reset ${reason}`) };
        },
      },
    );
    closing.say(1, FrameType.open, openHead(1));
    expect(closing.log).toEqual(['closed closed_here: ', 'reset link_closed']);
  });
});

describe('writing an answer', () => {
  let harness: NodeSessionHarness;
  beforeEach(() => {
    harness = NodeSessionHarness.admitted();
  });

  it('is synchronous within credit', () => {
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

  it('is rejected when the stream is reset while waiting', async () => {
    const result = outcome(harness.answering(1).write(data(100_000)));
    harness.say(1, FrameType.reset, { reason: 'timed_out' });
    await settled();
    expect(result).toEqual(['LinkStreamClosedError: link stream closed: timed_out']);
  });

  it('is rejected, and the stream reset, when no credit comes for a minute', async () => {
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

  it('may fail while a write waits; its rest is dropped', async () => {
    const stream = harness.answering(1);
    const result = outcome(stream.write(data(100_000)));
    stream.end({ ...completedEnd, outcome: 'failed' });
    await settled();
    expect(result).toEqual(['LinkStreamClosedError: link stream closed: ended']);
    expect(harness.sent().map((line) => line.split('{')[0]?.trim())).toEqual(['1 DATA_MORE 65536', '1 END']);
  });

  it('names in HEAD what a translation dropped, within the bounds of the message', () => {
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

describe('the bound over all streams at the node', () => {
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
