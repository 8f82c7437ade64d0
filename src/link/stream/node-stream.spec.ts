import { beforeEach, describe, expect, it } from '@jest/globals';
import { completedEnd, helloFacts, openHead, streamHead } from '../../../test/support/link/link-pair.js';
import { encodeWindow } from '../codec/frame-codec.js';
import { FrameType } from '../codec/frame-types.js';
import { NodeSessionHarness } from '../../../test/support/link/node-session.harness.js';

const data = (size: number): Buffer => Buffer.alloc(size, 'x');

describe('a request at the node', () => {
  let harness: NodeSessionHarness;
  beforeEach(() => {
    harness = NodeSessionHarness.admitted();
  });

  it('delivers its body and returns consumed bytes as credit in half windows', () => {
    const stream = harness.open(1, 262_144);
    for (let chunk = 0; chunk < 4; chunk += 1) harness.body(1, 65_535);
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
      'a body that continues after its last piece',
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
      'credit beyond the limit',
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
    for (let chunk = 0; chunk < 4; chunk += 1) harness.body(1, 65_535);
    harness.body(1, 4);
    expect(harness.socket.closedWith).toBeUndefined();
    harness.body(1, 1);
    expect(harness.socket.closedWith).toEqual({ code: 1002, reason: 'window overrun' });
  });

  it('a request at the node is refused without asking the agent while draining and beyond the stream limit', () => {
    const small = NodeSessionHarness.admitted({ max_streams: 1 });
    small.open(1);
    expect(() => small.open(2)).toThrow();
    expect(small.sent()).toEqual(['2 REJECT {"reason":"busy","message":null}']);
    harness.session.goAway({ reason: 'draining', reconnect_in_ms: 0 });
    expect(() => harness.open(1)).toThrow();
    expect(harness.sent().at(-1)).toBe('1 REJECT {"reason":"draining","message":null}');
  });

  it('a request at the node may be rejected while its body is still arriving; the rest is ignored', () => {
    harness.open(1, 300_000).reject('not_loaded', 'gone');
    harness.body(1, 60_000);
    expect(harness.sent()).toEqual(['1 REJECT {"reason":"not_loaded","message":"gone"}']);
    expect(harness.socket.closedWith).toBeUndefined();
    expect(harness.log).toEqual([]);
  });

  it('a request at the node is reset by the relay: the agent is notified once, and of later calls only the end is sent, once', async () => {
    const stream = harness.answering(1);
    harness.say(1, FrameType.reset, { reason: 'cancelled' });
    harness.say(1, FrameType.reset, { reason: 'cancelled' });
    stream.ack();
    stream.head(streamHead);
    stream.bodyTaken(5);
    stream.end(completedEnd);
    stream.end(completedEnd);
    stream.reject('busy');
    await expect(stream.write(data(1))).rejects.toThrow('link stream closed: cancelled');
    expect(harness.log).toEqual(['1 reset cancelled']);
    expect(harness.sent()).toEqual([
      '1 END {"outcome":"cancelled","failure":null,"usage":null,"timings":{"first_event_ms":1,"total_ms":2},"dropped":[]}',
    ]);
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

  it('a request at the node whose handler throws is reset without affecting others', () => {
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

  it('a request at the node whose link ended while the agent accepted it is notified', () => {
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
