import { beforeEach, describe, expect, it } from '@jest/globals';
import { completedEnd, openHead, readyFacts, streamHead } from '../../../test/support/link/link-pair.js';
import { encodeFrame, encodeWindow } from '../codec/frame-codec.js';
import { CONTROL_STREAM, FrameType } from '../codec/frame-types.js';
import type { RelayStreamHandler } from './relay-stream.js';
import { RelaySessionHarness } from '../../../test/support/link/relay-session.harness.js';

const data = (size: number): Buffer => Buffer.alloc(size, 'x');

describe('a stream at the relay', () => {
  let harness: RelaySessionHarness;
  beforeEach(() => {
    harness = RelaySessionHarness.admitted();
  });

  it('delivers the answer in order, and its end once', () => {
    const { id } = harness.answering('a');
    harness.say(id, FrameType.dataMore, data(3));
    harness.say(id, FrameType.data, data(4));
    harness.say(id, FrameType.end, completedEnd);
    harness.session.closed();
    expect(harness.log).toEqual([
      'a ack',
      'a head',
      'a data 3 more',
      'a data 4',
      'a end completed',
      'closed peer_closed: socket closed',
    ]);
  });

  it('a stream at the relay is read ahead, with the others of a message of several, before any of their frames is passed on', () => {
    const reader = (name: string): Partial<RelayStreamHandler> => ({
      readAhead: () => harness.log.push(`${name} read ahead`),
    });
    const [a, b, over] = ['a', 'b', 'over'].map((name) => harness.answering(name, reader(name)));
    harness.session.receive(encodeFrame(over!.id, FrameType.data, data(1)), true);
    over!.reset('cancelled');
    harness.log.length = 0;
    const frames = [over!, b!, a!].map(({ id }, at) => encodeFrame(id, FrameType.data, data(at + 1)));
    harness.session.receive(Buffer.concat(frames), true);
    expect(harness.log).toEqual(['b read ahead', 'a read ahead', 'b data 2', 'a data 3']);
    harness.log.length = 0;
    harness.session.receive(encodeFrame(a!.id, FrameType.data, data(1)), true);
    expect(harness.log).toEqual(['a data 1']);
  });

  it('sends the body within credit, then as the node grants more', () => {
    const { id } = harness.open('a', data(600_000));
    const bodies = (lines: string[]): number =>
      lines.reduce((sum, line) => sum + (line.includes('BODY') ? Number(line.split(' ')[2]) : 0), 0);
    expect(bodies(harness.sent())).toBe(262_144);
    harness.say(id, FrameType.window, encodeWindow(131_072));
    expect(bodies(harness.sent())).toBe(131_072);
    harness.say(id, FrameType.window, encodeWindow(262_144));
    const rest = harness.sent();
    expect(bodies(rest)).toBe(600_000 - 393_216);
    expect(rest.at(-1)).toMatch(/last$/);
  });

  it('announces the length of the body, and ends even an empty one', () => {
    harness.session.open({ ...openHead(99), body_bytes: 99 }, Buffer.alloc(0), {
      onAck() {},
      onReject() {},
      onHead() {},
      onData() {},
      onEnd() {},
      onLost() {},
    });
    harness.flushes.run();
    expect(harness.socket.sent.toString()).toContain('"body_bytes":0');
    expect(harness.sent()).toEqual(['1 OPEN', '1 BODY 0 last']);
  });

  it('drops the body of a cancelled request', () => {
    const stream = harness.open('a', data(200_000));
    stream.reset('cancelled');
    expect(harness.sent()).toEqual(['1 OPEN', '1 RESET cancelled']);
    const rejected = harness.open('b', data(200_000));
    harness.say(rejected.id, FrameType.reject, { reason: 'busy', message: null });
    expect(harness.sent()).toEqual(['2 OPEN']);
  });

  it('returns credit for bytes that the client accepted, in half windows', () => {
    const stream = harness.answering('a');
    harness.say(stream.id, FrameType.data, data(40_000));
    stream.consumed(32_767);
    expect(harness.sent()).toEqual([]);
    stream.consumed(1);
    expect(harness.sent()).toEqual([`${stream.id} WINDOW 32768`]);
  });

  it('returns credit every fifteen seconds for a slow client, so that the node does not time out', () => {
    const stream = harness.answering('a');
    harness.say(stream.id, FrameType.data, data(40_000));
    stream.consumed(100);
    harness.tick(14);
    expect(harness.sent()).toEqual([]);
    harness.tick(1);
    expect(harness.sent()).toEqual([`${stream.id} WINDOW 100`]);
    harness.tick(15);
    expect(harness.sent()).toEqual([]);
  });

  it('resets once and never calls the handler again', () => {
    const stream = harness.answering('a');
    stream.reset('cancelled');
    stream.reset('timed_out');
    stream.consumed(10);
    harness.session.closed();
    expect(harness.sent()).toEqual([]);
    expect(harness.log).toEqual(['a ack', 'a head', 'closed peer_closed: socket closed']);
  });

  it('ends when the node resets it', () => {
    const stream = harness.answering('a');
    harness.say(stream.id, FrameType.reset, { reason: 'internal' });
    stream.reset('cancelled');
    expect(harness.log.at(-1)).toBe('a lost internal');
    expect(harness.session.openStreams).toBe(0);
    expect(harness.sent()).toEqual([]);
  });

  it('a stream at the relay is reset with timed_out when the node grants no credit for a minute', () => {
    harness.open('a', data(300_000));
    harness.sent();
    harness.tick(59);
    expect(harness.session.openStreams).toBe(1);
    harness.tick(1);
    expect(harness.log).toEqual(['a lost timed_out']);
    expect(harness.sent()).toEqual(['1 RESET timed_out']);
  });

  it.each<[string, (id: number) => void, string]>([
    [
      'DATA before HEAD',
      (id) => {
        harness.say(id, FrameType.data, 'x');
      },
      'DATA before HEAD',
    ],
    [
      'HEAD before ACK',
      (id) => {
        harness.say(id, FrameType.head, streamHead);
      },
      'HEAD out of order',
    ],
    [
      'END before ACK',
      (id) => {
        harness.say(id, FrameType.end, completedEnd);
      },
      'END before ACK',
    ],
    [
      'ACK twice',
      (id) => {
        harness.say(id, FrameType.ack);
        harness.say(id, FrameType.ack);
      },
      'ACK out of order',
    ],
    [
      'ACK with a payload',
      (id) => {
        harness.say(id, FrameType.ack, '{}');
      },
      'malformed ACK',
    ],
    [
      'REJECT after ACK',
      (id) => {
        harness.say(id, FrameType.ack);
        harness.say(id, FrameType.reject, { reason: 'busy', message: null });
      },
      'REJECT after ACK',
    ],
    [
      'completed without HEAD',
      (id) => {
        harness.say(id, FrameType.ack);
        harness.say(id, FrameType.end, completedEnd);
      },
      'completed without HEAD',
    ],
    [
      'OPEN from a node',
      (id) => {
        harness.say(id, FrameType.open, openHead(2));
      },
      'OPEN is not for the relay',
    ],
    [
      'BODY from a node',
      (id) => {
        harness.say(id, FrameType.body, '\x01');
      },
      'BODY is not for the relay',
    ],
    [
      'a malformed RESET',
      (id) => {
        harness.say(id, FrameType.reset, { reason: 'because' });
      },
      'malformed RESET',
    ],
    [
      'an unknown stream',
      (id) => {
        harness.say(id + 1, FrameType.ack);
      },
      'unknown stream',
    ],
    [
      'an unknown stream in STREAMS',
      (id) => {
        harness.say(CONTROL_STREAM, FrameType.streams, { streams: [id + 1] });
      },
      'unknown stream',
    ],
    [
      'READY from a node',
      () => {
        harness.say(CONTROL_STREAM, FrameType.ready, readyFacts);
      },
      'READY is not for the relay',
    ],
  ])('closes the link for %s', (_name, misbehave, reason) => {
    misbehave(harness.open('a').id);
    expect(harness.socket.closedWith).toEqual({ code: 1002, reason });
    expect(harness.log.at(-2)).toBe('a lost node_disconnected');
    expect(harness.log.at(-1)).toBe(`closed protocol_error: ${reason}`);
  });

  it.each<[string, (id: number) => void, string]>([
    [
      'empty DATA',
      (id) => {
        harness.say(id, FrameType.data);
      },
      'empty DATA',
    ],
    [
      'HEAD twice',
      (id) => {
        harness.say(id, FrameType.head, streamHead);
      },
      'HEAD out of order',
    ],
    [
      'a completed answer that stops inside an event',
      (id) => {
        harness.say(id, FrameType.dataMore, 'x');
        harness.say(id, FrameType.end, completedEnd);
      },
      'completed inside an event',
    ],
    [
      'more than the window',
      (id) => {
        harness.say(id, FrameType.data, data(65_536));
        harness.say(id, FrameType.data, 'x');
      },
      'window overrun',
    ],
  ])('closes the link for %s', (_name, misbehave, reason) => {
    misbehave(harness.answering('a').id);
    expect(harness.socket.closedWith).toEqual({ code: 1002, reason });
  });

  it.each<[string, number[], string]>([
    ['longer', [5, 6], 'DATA beyond the content length'],
    ['shorter', [5], 'completed short of the content length'],
  ])('closes the link for a JSON body %s than HEAD said', (_name, sizes, reason) => {
    const { id } = harness.open('a');
    harness.say(id, FrameType.ack);
    harness.say(id, FrameType.head, { status: 200, content_type: 'application/json', content_length: 10 });
    for (const size of sizes) harness.say(id, FrameType.data, data(size));
    harness.say(id, FrameType.end, completedEnd);
    expect(harness.socket.closedWith).toEqual({ code: 1002, reason });
  });

  it('a stream at the relay may fail inside an event, which is never marked complete', () => {
    const { id } = harness.answering('a');
    harness.say(id, FrameType.dataMore, 'x');
    harness.say(id, FrameType.end, { ...completedEnd, outcome: 'failed' });
    expect(harness.log.at(-1)).toBe('a end failed');
    expect(harness.socket.closedWith).toBeUndefined();
  });
});

describe('a handler that throws', () => {
  const boom = (): never => {
    throw new Error('boom');
  };

  it.each(['onAck', 'onHead', 'onData'] as const)('from %s ends only its own stream', (method) => {
    const harness = RelaySessionHarness.admitted();
    const other = harness.answering('other');
    const stream = harness.open('a', Buffer.from('{}'), { [method]: boom });
    harness.say(stream.id, FrameType.ack);
    if (method !== 'onAck') harness.say(stream.id, FrameType.head, streamHead);
    if (method === 'onData') harness.say(stream.id, FrameType.data, 'x');
    harness.say(other.id, FrameType.data, 'still here');
    expect(harness.sent().at(-1)).toBe(`${stream.id} RESET internal`);
    expect(harness.log.filter((line) => line.startsWith('a lost'))).toEqual(['a lost internal']);
    expect(harness.log.at(-1)).toBe('other data 10');
    expect(harness.errors).toEqual([new Error('boom')]);
  });

  it('a handler that throws in its last call is reported without other effects', () => {
    const harness = RelaySessionHarness.admitted();
    const [lost, ended, rejected] = ['onLost', 'onEnd', 'onReject'].map((method) =>
      harness.open('a', Buffer.from('{}'), { [method]: boom }),
    );
    harness.say(ended?.id ?? 0, FrameType.ack);
    harness.say(ended?.id ?? 0, FrameType.end, { ...completedEnd, outcome: 'failed' });
    harness.say(rejected?.id ?? 0, FrameType.reject, { reason: 'busy', message: null });
    harness.say(lost?.id ?? 0, FrameType.reset, { reason: 'internal' });
    expect(harness.errors).toHaveLength(3);
    expect(harness.session.openStreams).toBe(0);
    expect(harness.socket.closedWith).toBeUndefined();
  });

  it('a handler that throws may close the link: the rest of the message is ignored', () => {
    const harness = RelaySessionHarness.admitted();
    const stream = harness.answering('a', {
      onData: () => {
        harness.session.close(1001, 'enough');
      },
    });
    const frame = encodeFrame(stream.id, FrameType.data, data(1));
    harness.session.receive(Buffer.concat([frame, frame]), true);
    expect(harness.log.slice(2)).toEqual(['a lost node_disconnected', 'closed closed_here: enough']);
    expect(harness.socket.closedWith).toEqual({ code: 1001, reason: 'enough' });
  });
});

describe('frames in flight when the relay reset their stream', () => {
  it('are ignored and counted within the credit of the stream, and close the link beyond it', () => {
    const harness = RelaySessionHarness.admitted();
    const stream = harness.answering('a');
    harness.say(stream.id, FrameType.data, data(10_000));
    stream.reset('cancelled');
    harness.say(stream.id, FrameType.data, data(55_536));
    harness.say(stream.id, FrameType.window, encodeWindow(10));
    harness.say(stream.id, FrameType.end, completedEnd);
    expect(harness.socket.closedWith).toBeUndefined();
    expect(harness.session.lateFrames).toBe(3);
    harness.say(stream.id, FrameType.data, data(1));
    expect(harness.socket.closedWith).toEqual({ code: 1002, reason: 'bytes on a closed stream' });
  });

  it('close the link after END', () => {
    const harness = RelaySessionHarness.admitted();
    const { id } = harness.answering('a');
    harness.say(id, FrameType.end, completedEnd);
    harness.say(id, FrameType.data, data(1));
    expect(harness.socket.closedWith?.reason).toBe('bytes on a closed stream');
  });
});

describe('the limit over all streams of a link', () => {
  it('closes the link when it is exceeded', () => {
    const harness = RelaySessionHarness.admitted({ max_outstanding_bytes: 100_000 });
    const [one, two] = [harness.answering('a'), harness.answering('b')];
    harness.say(one.id, FrameType.data, data(60_000));
    harness.say(two.id, FrameType.data, data(40_000));
    expect(harness.socket.closedWith).toBeUndefined();
    harness.say(two.id, FrameType.data, data(1));
    expect(harness.socket.closedWith).toEqual({ code: 1002, reason: 'link window overrun' });
  });

  it('the limit over all streams of a link does not count ended streams', () => {
    const harness = RelaySessionHarness.admitted({ max_outstanding_bytes: 100_000 });
    for (let round = 0; round < 10; round += 1) {
      const stream = harness.answering('a');
      harness.say(stream.id, FrameType.data, data(60_000));
      if (round % 2 === 0) stream.reset('cancelled');
      else harness.say(stream.id, FrameType.end, completedEnd);
    }
    expect(harness.socket.closedWith).toBeUndefined();
  });

  it('returns held credit when half of the limit is used, so that streams do not stall', () => {
    const harness = RelaySessionHarness.admitted({ max_outstanding_bytes: 100_000 });
    const [one, two] = [harness.answering('a'), harness.answering('b')];
    harness.say(one.id, FrameType.data, data(20_000));
    one.consumed(20_000);
    expect(harness.sent()).toEqual([]);
    harness.say(two.id, FrameType.data, data(40_000));
    expect(harness.sent()).toEqual([`${one.id} WINDOW 20000`]);
    harness.say(one.id, FrameType.data, data(20_000));
    two.consumed(500);
    expect(harness.sent()).toEqual([`${two.id} WINDOW 500`]);
  });
});
