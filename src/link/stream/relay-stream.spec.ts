import { beforeEach, describe, expect, it } from '@jest/globals';
import { completedEnd, openHead, readyFacts, streamHead } from '../../../test/support/link/link-pair.js';
import { encodeFrame, encodeWindow } from '../codec/frame-codec.js';
import { CONTROL_STREAM, FrameType } from '../codec/frame-types.js';
import { RelayBench } from '../../../test/support/link/relay-session.harness.js';

const data = (size: number): Buffer => Buffer.alloc(size, 'x');

describe('a stream at the relay', () => {
  let bench: RelayBench;
  beforeEach(() => {
    bench = RelayBench.admitted();
  });

  it('tells the answer in order, and its end once', () => {
    const { id } = bench.answering('a');
    bench.say(id, FrameType.dataMore, data(3));
    bench.say(id, FrameType.data, data(4));
    bench.say(id, FrameType.end, completedEnd);
    bench.session.closed();
    expect(bench.log).toEqual([
      'a ack',
      'a head',
      'a data 3 more',
      'a data 4',
      'a end completed',
      'closed peer_closed: socket closed',
    ]);
  });

  it('sends the body as far as credit goes, then as the node grants more', () => {
    const { id } = bench.open('a', data(600_000));
    const bodies = (lines: string[]): number =>
      lines.reduce((sum, line) => sum + (line.includes('BODY') ? Number(line.split(' ')[2]) : 0), 0);
    expect(bodies(bench.sent())).toBe(262_144);
    bench.say(id, FrameType.window, encodeWindow(131_072));
    expect(bodies(bench.sent())).toBe(131_072);
    bench.say(id, FrameType.window, encodeWindow(262_144));
    const rest = bench.sent();
    expect(bodies(rest)).toBe(600_000 - 393_216);
    expect(rest.at(-1)).toMatch(/last$/);
  });

  it('says the true length of the body, and always ends it, even when it is empty', () => {
    bench.session.open({ ...openHead(99), body_bytes: 99 }, Buffer.alloc(0), {
      onAck() {},
      onReject() {},
      onHead() {},
      onData() {},
      onEnd() {},
      onLost() {},
    });
    bench.flushes.run();
    expect(bench.socket.sent.toString()).toContain('"body_bytes":0');
    expect(bench.sent()).toEqual(['1 OPEN', '1 BODY 0 last']);
  });

  it('forgets a body that nobody wants any more', () => {
    const stream = bench.open('a', data(200_000));
    stream.reset('cancelled');
    expect(bench.sent()).toEqual(['1 OPEN', '1 RESET cancelled']);
    const rejected = bench.open('b', data(200_000));
    bench.say(rejected.id, FrameType.reject, { reason: 'busy', message: null });
    expect(bench.sent()).toEqual(['2 OPEN']);
  });

  it('gives credit back for what the client took, in half windows', () => {
    const stream = bench.answering('a');
    bench.say(stream.id, FrameType.data, data(40_000));
    stream.taken(32_767);
    expect(bench.sent()).toEqual([]);
    stream.taken(1);
    expect(bench.sent()).toEqual([`${stream.id} WINDOW 32768`]);
  });

  it('gives credit back every fifteen seconds to a client that takes little: the node must not take it for dead', () => {
    const stream = bench.answering('a');
    bench.say(stream.id, FrameType.data, data(40_000));
    stream.taken(100);
    bench.tick(14);
    expect(bench.sent()).toEqual([]);
    bench.tick(1);
    expect(bench.sent()).toEqual([`${stream.id} WINDOW 100`]);
    bench.tick(15);
    expect(bench.sent()).toEqual([]);
  });

  it('resets once, whoever asks, and calls the handler no more', () => {
    const stream = bench.answering('a');
    stream.reset('cancelled');
    stream.reset('timed_out');
    stream.taken(10);
    bench.session.closed();
    expect(bench.sent()).toEqual([]);
    expect(bench.log).toEqual(['a ack', 'a head', 'closed peer_closed: socket closed']);
  });

  it('ends when the node resets it', () => {
    const stream = bench.answering('a');
    bench.say(stream.id, FrameType.reset, { reason: 'internal' });
    stream.reset('cancelled');
    expect(bench.log.at(-1)).toBe('a lost internal');
    expect(bench.session.openStreams).toBe(0);
    expect(bench.sent()).toEqual([]);
  });

  it('is reset with timed_out when the node grants no credit for a minute', () => {
    bench.open('a', data(300_000));
    bench.sent();
    bench.tick(59);
    expect(bench.session.openStreams).toBe(1);
    bench.tick(1);
    expect(bench.log).toEqual(['a lost timed_out']);
    expect(bench.sent()).toEqual(['1 RESET timed_out']);
  });

  it.each<[string, (id: number) => void, string]>([
    [
      'DATA before HEAD',
      (id) => {
        bench.say(id, FrameType.data, 'x');
      },
      'DATA before HEAD',
    ],
    [
      'HEAD before ACK',
      (id) => {
        bench.say(id, FrameType.head, streamHead);
      },
      'HEAD out of order',
    ],
    [
      'END before ACK',
      (id) => {
        bench.say(id, FrameType.end, completedEnd);
      },
      'END before ACK',
    ],
    [
      'ACK twice',
      (id) => {
        bench.say(id, FrameType.ack);
        bench.say(id, FrameType.ack);
      },
      'ACK out of order',
    ],
    [
      'ACK with a payload',
      (id) => {
        bench.say(id, FrameType.ack, '{}');
      },
      'malformed ACK',
    ],
    [
      'REJECT after ACK',
      (id) => {
        bench.say(id, FrameType.ack);
        bench.say(id, FrameType.reject, { reason: 'busy', message: null });
      },
      'REJECT after ACK',
    ],
    [
      'completed without HEAD',
      (id) => {
        bench.say(id, FrameType.ack);
        bench.say(id, FrameType.end, completedEnd);
      },
      'completed without HEAD',
    ],
    [
      'OPEN from a node',
      (id) => {
        bench.say(id, FrameType.open, openHead(2));
      },
      'OPEN is not for the relay',
    ],
    [
      'BODY from a node',
      (id) => {
        bench.say(id, FrameType.body, '\x01');
      },
      'BODY is not for the relay',
    ],
    [
      'a malformed RESET',
      (id) => {
        bench.say(id, FrameType.reset, { reason: 'because' });
      },
      'malformed RESET',
    ],
    [
      'an unknown stream',
      (id) => {
        bench.say(id + 1, FrameType.ack);
      },
      'unknown stream',
    ],
    [
      'an unknown stream in STREAMS',
      (id) => {
        bench.say(CONTROL_STREAM, FrameType.streams, { streams: [id + 1] });
      },
      'unknown stream',
    ],
    [
      'READY from a node',
      () => {
        bench.say(CONTROL_STREAM, FrameType.ready, readyFacts);
      },
      'READY is not for the relay',
    ],
  ])('closes the link for %s', (_name, misbehave, reason) => {
    misbehave(bench.open('a').id);
    expect(bench.socket.closedWith).toEqual({ code: 1002, reason });
    expect(bench.log.at(-2)).toBe('a lost node_disconnected');
    expect(bench.log.at(-1)).toBe(`closed protocol_error: ${reason}`);
  });

  it.each<[string, (id: number) => void, string]>([
    [
      'empty DATA',
      (id) => {
        bench.say(id, FrameType.data);
      },
      'empty DATA',
    ],
    [
      'HEAD twice',
      (id) => {
        bench.say(id, FrameType.head, streamHead);
      },
      'HEAD out of order',
    ],
    [
      'a completed answer that stops inside an event',
      (id) => {
        bench.say(id, FrameType.dataMore, 'x');
        bench.say(id, FrameType.end, completedEnd);
      },
      'completed inside an event',
    ],
    [
      'more than the window',
      (id) => {
        bench.say(id, FrameType.data, data(65_536));
        bench.say(id, FrameType.data, 'x');
      },
      'window overrun',
    ],
  ])('closes the link for %s', (_name, misbehave, reason) => {
    misbehave(bench.answering('a').id);
    expect(bench.socket.closedWith).toEqual({ code: 1002, reason });
  });

  it.each<[string, number[], string]>([
    ['longer', [5, 6], 'DATA beyond the content length'],
    ['shorter', [5], 'completed short of the content length'],
  ])('closes the link for a JSON body %s than HEAD said', (_name, sizes, reason) => {
    const { id } = bench.open('a');
    bench.say(id, FrameType.ack);
    bench.say(id, FrameType.head, { status: 200, content_type: 'application/json', content_length: 10 });
    for (const size of sizes) bench.say(id, FrameType.data, data(size));
    bench.say(id, FrameType.end, completedEnd);
    expect(bench.socket.closedWith).toEqual({ code: 1002, reason });
  });

  it('may fail inside an event: then nothing pretends to be whole', () => {
    const { id } = bench.answering('a');
    bench.say(id, FrameType.dataMore, 'x');
    bench.say(id, FrameType.end, { ...completedEnd, outcome: 'failed' });
    expect(bench.log.at(-1)).toBe('a end failed');
    expect(bench.socket.closedWith).toBeUndefined();
  });
});

describe('a handler that throws', () => {
  const boom = (): never => {
    throw new Error('boom');
  };

  it.each(['onAck', 'onHead', 'onData'] as const)('from %s costs its own stream and no other', (method) => {
    const bench = RelayBench.admitted();
    const other = bench.answering('other');
    const stream = bench.open('a', Buffer.from('{}'), { [method]: boom });
    bench.say(stream.id, FrameType.ack);
    if (method !== 'onAck') bench.say(stream.id, FrameType.head, streamHead);
    if (method === 'onData') bench.say(stream.id, FrameType.data, 'x');
    bench.say(other.id, FrameType.data, 'still here');
    expect(bench.sent().at(-1)).toBe(`${stream.id} RESET internal`);
    expect(bench.log.filter((line) => line.startsWith('a lost'))).toEqual(['a lost internal']);
    expect(bench.log.at(-1)).toBe('other data 10');
    expect(bench.errors).toEqual([new Error('boom')]);
  });

  it('as its last call is reported, and nothing else happens', () => {
    const bench = RelayBench.admitted();
    const [lost, ended, rejected] = ['onLost', 'onEnd', 'onReject'].map((method) =>
      bench.open('a', Buffer.from('{}'), { [method]: boom }),
    );
    bench.say(ended?.id ?? 0, FrameType.ack);
    bench.say(ended?.id ?? 0, FrameType.end, { ...completedEnd, outcome: 'failed' });
    bench.say(rejected?.id ?? 0, FrameType.reject, { reason: 'busy', message: null });
    bench.say(lost?.id ?? 0, FrameType.reset, { reason: 'internal' });
    expect(bench.errors).toHaveLength(3);
    expect(bench.session.openStreams).toBe(0);
    expect(bench.socket.closedWith).toBeUndefined();
  });

  it('may close the link from within: the rest of the message is not looked at', () => {
    const bench = RelayBench.admitted();
    const stream = bench.answering('a', {
      onData: () => {
        bench.session.close(1001, 'enough');
      },
    });
    const frame = encodeFrame(stream.id, FrameType.data, data(1));
    bench.session.receive(Buffer.concat([frame, frame]), true);
    expect(bench.log.slice(2)).toEqual(['a lost node_disconnected', 'closed closed_here: enough']);
    expect(bench.socket.closedWith).toEqual({ code: 1001, reason: 'enough' });
  });
});

describe('frames that were on their way when the relay reset their stream', () => {
  it('are ignored and counted as far as the stream had credit, and break the link beyond', () => {
    const bench = RelayBench.admitted();
    const stream = bench.answering('a');
    bench.say(stream.id, FrameType.data, data(10_000));
    stream.reset('cancelled');
    bench.say(stream.id, FrameType.data, data(55_536));
    bench.say(stream.id, FrameType.window, encodeWindow(10));
    bench.say(stream.id, FrameType.end, completedEnd);
    expect(bench.socket.closedWith).toBeUndefined();
    expect(bench.session.lateFrames).toBe(3);
    bench.say(stream.id, FrameType.data, data(1));
    expect(bench.socket.closedWith).toEqual({ code: 1002, reason: 'bytes on a closed stream' });
  });

  it('do not exist after END: bytes behind it break the link', () => {
    const bench = RelayBench.admitted();
    const { id } = bench.answering('a');
    bench.say(id, FrameType.end, completedEnd);
    bench.say(id, FrameType.data, data(1));
    expect(bench.socket.closedWith?.reason).toBe('bytes on a closed stream');
  });
});

describe('the bound over all streams of a link', () => {
  it('breaks the link when it is overrun', () => {
    const bench = RelayBench.admitted({ max_outstanding_bytes: 100_000 });
    const [one, two] = [bench.answering('a'), bench.answering('b')];
    bench.say(one.id, FrameType.data, data(60_000));
    bench.say(two.id, FrameType.data, data(40_000));
    expect(bench.socket.closedWith).toBeUndefined();
    bench.say(two.id, FrameType.data, data(1));
    expect(bench.socket.closedWith).toEqual({ code: 1002, reason: 'link window overrun' });
  });

  it('counts no stream that is over', () => {
    const bench = RelayBench.admitted({ max_outstanding_bytes: 100_000 });
    for (let round = 0; round < 10; round += 1) {
      const stream = bench.answering('a');
      bench.say(stream.id, FrameType.data, data(60_000));
      if (round % 2 === 0) stream.reset('cancelled');
      else bench.say(stream.id, FrameType.end, completedEnd);
    }
    expect(bench.socket.closedWith).toBeUndefined();
  });

  it('brings held-back credit to light when half of it is used: otherwise all streams would stand still', () => {
    const bench = RelayBench.admitted({ max_outstanding_bytes: 100_000 });
    const [one, two] = [bench.answering('a'), bench.answering('b')];
    bench.say(one.id, FrameType.data, data(20_000));
    one.taken(20_000);
    expect(bench.sent()).toEqual([]);
    bench.say(two.id, FrameType.data, data(40_000));
    expect(bench.sent()).toEqual([`${one.id} WINDOW 20000`]);
    bench.say(one.id, FrameType.data, data(20_000));
    two.taken(500);
    expect(bench.sent()).toEqual([`${two.id} WINDOW 500`]);
  });
});
