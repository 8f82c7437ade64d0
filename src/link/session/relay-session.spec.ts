import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { completedEnd, helloFacts, openHead, readyFacts, streamHead } from '../../../test/support/link/link-pair.js';
import { LinkMessageError } from '../codec/control-payload.js';
import { CONTROL_STREAM, FrameType, frameName } from '../codec/frame-types.js';
import { LinkProtocolError } from '../link-errors.js';
import { RelayBench } from '../../../test/support/link/relay-session.harness.js';

describe('the handshake', () => {
  it('takes HELLO once, and lets the node speak after READY', () => {
    const heard: string[] = [];
    const bench = new RelayBench({
      onHello: ({ node_name }) => heard.push(`hello ${node_name}`),
      onStatus: ({ paused }) => heard.push(`status ${String(paused)}`),
    });
    bench.say(CONTROL_STREAM, FrameType.hello, helloFacts);
    bench.session.ready(readyFacts);
    const status = { engines: [], paused: true, draining: false, memory_free_bytes: null };
    bench.say(CONTROL_STREAM, FrameType.status, status);
    expect(heard).toEqual(['hello desk', 'status true']);
    bench.say(CONTROL_STREAM, FrameType.hello, helloFacts);
    expect(bench.socket.closedWith).toEqual({ code: 1002, reason: 'HELLO twice' });
  });

  it.each([
    ['before HELLO', false],
    ['between HELLO and READY', true],
  ])('refuses everything else %s', (_when, greeted) => {
    for (const type of [FrameType.status, FrameType.inventory, FrameType.streams, FrameType.goAway, FrameType.ack]) {
      const bench = new RelayBench();
      if (greeted) bench.say(CONTROL_STREAM, FrameType.hello, helloFacts);
      bench.say(type === FrameType.ack ? 1 : CONTROL_STREAM, type);
      expect(bench.socket.closedWith).toEqual({ code: 1002, reason: `${frameName(type)} before READY` });
    }
  });

  it('closes a link that says no HELLO in time', () => {
    const bench = new RelayBench();
    bench.tick(9);
    expect(bench.socket.closedWith).toBeUndefined();
    bench.tick(1);
    expect(bench.socket.closedWith?.code).toBe(1002);
    expect(bench.log).toEqual(['closed handshake_timeout: handshake timed out']);
  });

  it('can send a node away before READY', () => {
    const bench = new RelayBench();
    bench.session.goAway({ reason: 'moved', reconnect_in_ms: 5 });
    expect(bench.sent()).toEqual(['0 GOAWAY']);
  });

  it('refuses text messages', () => {
    const bench = RelayBench.admitted();
    bench.session.receive(Buffer.from('hello'), false);
    expect(bench.socket.closedWith).toEqual({ code: 1002, reason: 'text message' });
  });

  it('lets the owner refuse a node as a broken protocol; what else it throws ends only this link', () => {
    const refusing = new RelayBench({
      onHello: () => {
        throw new LinkProtocolError('no common version');
      },
    });
    refusing.say(CONTROL_STREAM, FrameType.hello, helloFacts);
    expect(refusing.socket.closedWith).toEqual({ code: 1002, reason: 'no common version' });
    const broken = new RelayBench({
      onHello: () => {
        throw new TypeError('a bug');
      },
    });
    broken.say(CONTROL_STREAM, FrameType.hello, helloFacts);
    expect(broken.socket.closedWith).toEqual({ code: 1011, reason: 'internal error' });
    expect(broken.errors).toEqual([new TypeError('a bug')]);
  });
});

describe('STREAMS', () => {
  it('resets what only the node knows, and ends what only the relay knows after one round of grace', () => {
    const bench = RelayBench.admitted();
    const [gone, kept, orphan] = [bench.answering('gone'), bench.answering('kept'), bench.answering('orphan')];
    gone.reset('cancelled');
    bench.sent();
    const streams = [gone.id, kept.id];
    bench.say(CONTROL_STREAM, FrameType.streams, { streams });
    expect(bench.sent()).toEqual([`${gone.id} RESET unknown_stream`]);
    const young = bench.open('young');
    bench.sent();
    bench.say(CONTROL_STREAM, FrameType.streams, { streams: [kept.id] });
    expect(bench.sent()).toEqual([`${orphan.id} RESET unknown_stream`]);
    expect(bench.log.at(-1)).toBe('orphan lost unknown_stream');
    bench.say(CONTROL_STREAM, FrameType.streams, { streams: [kept.id, young.id] });
    bench.say(CONTROL_STREAM, FrameType.streams, { streams: [kept.id] });
    expect(bench.session.openStreams).toBe(2);
  });
});

describe('opening streams', () => {
  const unavailable = (bench: RelayBench, reason: string): void => {
    expect(bench.session.available).toBe(false);
    expect(() => bench.open('x')).toThrow(`link unavailable: ${reason}`);
  };

  it('is refused before READY, after GOAWAY either way, when full, and when closed', () => {
    unavailable(new RelayBench(), 'not_ready');
    const leaving = RelayBench.admitted();
    leaving.session.goAway({ reason: 'draining', reconnect_in_ms: 0 });
    unavailable(leaving, 'draining');
    const left = RelayBench.admitted();
    left.say(CONTROL_STREAM, FrameType.goAway, { reason: 'draining', reconnect_in_ms: 0 });
    unavailable(left, 'draining');
    const full = RelayBench.admitted({ max_streams: 1 });
    full.open('a');
    unavailable(full, 'full');
    const closed = RelayBench.admitted();
    closed.session.closed();
    unavailable(closed, 'closed');
  });

  it('refuses a head that no node would take, and goes on', () => {
    const bench = RelayBench.admitted();
    const head = { ...openHead(2), public_model: 'm'.repeat(601) };
    const quiet = { onAck() {}, onReject() {}, onHead() {}, onData() {}, onEnd() {}, onLost() {} };
    expect(() => bench.session.open(head, Buffer.from('{}'), quiet)).toThrow(LinkMessageError);
    expect(bench.open('a').id).toBe(1);
  });

  it('never puts an OPEN behind the GOAWAY', () => {
    const bench = RelayBench.admitted();
    bench.open('a');
    bench.session.goAway({ reason: 'draining', reconnect_in_ms: 0 });
    expect(bench.sent()).toEqual(['1 OPEN', '1 BODY 2 last', '0 GOAWAY']);
  });
});

describe('COMMAND', () => {
  const operation_id = `op_${'0'.repeat(32)}`;
  const cancel = { verb: 'cancel', operation_id } as const;
  const admitted = (limits = readyFacts.limits): RelayBench => {
    const bench = new RelayBench();
    bench.say(CONTROL_STREAM, FrameType.hello, { ...helloFacts, features: ['operations'] });
    bench.session.ready({ ...readyFacts, limits });
    bench.sent();
    return bench;
  };

  it('is sent to a node that takes it, also when it has as many requests as it may', () => {
    const bench = admitted({ ...readyFacts.limits, max_streams: 1 });
    bench.open('a');
    bench.sent();
    expect(bench.session.takesCommands).toBe(true);
    expect(bench.session.sendCommand(cancel)).toBe(true);
    expect(bench.sent()).toEqual(['0 COMMAND']);
  });

  it('is not sent without the feature, before READY, while the link drains and after its end', () => {
    const old = RelayBench.admitted();
    const early = new RelayBench();
    early.say(CONTROL_STREAM, FrameType.hello, { ...helloFacts, features: ['operations'] });
    const leaving = admitted();
    leaving.say(CONTROL_STREAM, FrameType.goAway, { reason: 'draining', reconnect_in_ms: 0 });
    const closed = admitted();
    closed.session.closed();
    for (const bench of [old, early, leaving, closed]) {
      expect(bench.session.sendCommand(cancel)).toBe(false);
      expect(bench.sent()).toEqual([]);
    }
    expect(old.session.takesCommands).toBe(false);
  });

  it('is refused when no node would take it, and the link goes on', () => {
    const bench = admitted();
    expect(() => bench.session.sendCommand({ verb: 'cancel', operation_id: 'op_1' })).toThrow(LinkMessageError);
    expect(bench.session.sendCommand(cancel)).toBe(true);
  });
});

describe('the end of a link', () => {
  it('loses every stream first, then says so once; what waits is sent before an orderly close', () => {
    const bench = RelayBench.admitted();
    bench.open('a');
    bench.open('b');
    bench.session.close(4401, 'revoked');
    bench.session.close(1000, 'again');
    bench.session.closed();
    expect(bench.sent()).toEqual(['1 OPEN', '2 OPEN', '1 BODY 2 last', '2 BODY 2 last']);
    expect(bench.socket.closedWith).toEqual({ code: 4401, reason: 'revoked' });
    expect(bench.log).toEqual(['a lost node_disconnected', 'b lost node_disconnected', 'closed closed_here: revoked']);
  });

  it('comes after twenty-five silent seconds, at once', () => {
    const bench = RelayBench.admitted();
    bench.open('a');
    bench.tick(24, false);
    expect([bench.socket.pings, bench.socket.terminated]).toEqual([2, false]);
    bench.tick(1, false);
    expect(bench.socket.terminated).toBe(true);
    expect(bench.log).toEqual(['a lost node_disconnected', 'closed dead: nothing heard']);
  });

  it('comes for a node that makes the relay talk and never reads', () => {
    const bench = RelayBench.admitted();
    const { id } = bench.answering('a');
    bench.socket.bufferedBytes = 33 * 1024 * 1024;
    bench.say(id, FrameType.reset, { reason: 'internal' });
    bench.say(CONTROL_STREAM, FrameType.streams, { streams: [id] });
    bench.sent();
    expect(bench.socket.terminated).toBe(true);
    expect(bench.log.at(-1)).toBe('closed backlog: the peer does not read');
  });

  it('leaves no socket open that cannot be closed in order', () => {
    const bench = RelayBench.admitted();
    bench.socket.close = () => {
      throw new RangeError('invalid close code');
    };
    bench.session.close(1006, 'no');
    expect(bench.socket.terminated).toBe(true);
    expect(bench.log).toEqual(['closed closed_here: no']);
  });

  it('survives a socket that throws', () => {
    const bench = RelayBench.admitted();
    bench.socket.send = () => {
      throw new Error('not open');
    };
    bench.open('a');
    bench.sent();
    expect(bench.errors).toEqual([new Error('not open')]);
  });
});

describe('a hostile node', () => {
  it('gets nothing but a closed socket for random frames', () => {
    const types = Object.values(FrameType);
    const frame = fc.record({
      stream: fc.constantFrom(0, 1, 2, 3, 0xffff_ffff),
      type: fc.constantFrom(...types),
      payload: fc.oneof(
        fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
        fc
          .constantFrom<object>(
            {},
            helloFacts,
            streamHead,
            completedEnd,
            { reason: 'busy', message: null },
            { streams: [1, 2] },
            { operation_id: `op_${'a'.repeat(32)}`, outcome: 'succeeded', failure: null, model_key: null },
          )
          .map((message) => Buffer.from(JSON.stringify(message))),
      ),
    });
    fc.assert(
      fc.property(fc.array(frame, { maxLength: 30 }), fc.boolean(), fc.boolean(), (frames, admitted, commanded) => {
        const features = commanded ? ['operations'] : [];
        const bench = admitted ? RelayBench.admitted({}, {}, features) : new RelayBench();
        if (admitted) {
          bench.answering('a');
          bench.open('b');
        }
        for (const { stream, type, payload } of frames) bench.say(stream, type, payload);
        const { closedWith } = bench.socket;
        expect(closedWith === undefined || closedWith.code === 1002).toBe(true);
        bench.session.closed();
        const ends = bench.log.filter((line) => /^[ab] (end|reject|lost)/.test(line));
        expect(ends).toHaveLength(admitted ? 2 : 0);
        expect(bench.session.openStreams).toBe(0);
        expect(bench.errors).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });
});
