import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { completedEnd, helloFacts, openHead, readyFacts, streamHead } from '../../../test/support/link/link-pair.js';
import { LinkMessageError } from '../codec/control-payload.js';
import { CONTROL_STREAM, FrameType, frameName } from '../codec/frame-types.js';
import { LinkProtocolError } from '../link-errors.js';
import { RelaySessionHarness } from '../../../test/support/link/relay-session.harness.js';

describe('the handshake', () => {
  it('accepts HELLO once, and frames of the node after READY', () => {
    const heard: string[] = [];
    const harness = new RelaySessionHarness({
      onHello: ({ node_name }) => heard.push(`hello ${node_name}`),
      onStatus: ({ paused }) => heard.push(`status ${String(paused)}`),
    });
    harness.say(CONTROL_STREAM, FrameType.hello, helloFacts);
    harness.session.ready(readyFacts);
    const status = { engines: [], paused: true, draining: false, memory_free_bytes: null };
    harness.say(CONTROL_STREAM, FrameType.status, status);
    expect(heard).toEqual(['hello desk', 'status true']);
    harness.say(CONTROL_STREAM, FrameType.hello, helloFacts);
    expect(harness.socket.closedWith).toEqual({ code: 1002, reason: 'HELLO twice' });
  });

  it.each([
    ['before HELLO', false],
    ['between HELLO and READY', true],
  ])('refuses everything else %s', (_when, greeted) => {
    for (const type of [FrameType.status, FrameType.inventory, FrameType.streams, FrameType.goAway, FrameType.ack]) {
      const harness = new RelaySessionHarness();
      if (greeted) harness.say(CONTROL_STREAM, FrameType.hello, helloFacts);
      harness.say(type === FrameType.ack ? 1 : CONTROL_STREAM, type);
      expect(harness.socket.closedWith).toEqual({ code: 1002, reason: `${frameName(type)} before READY` });
    }
  });

  it('closes a link without HELLO in time', () => {
    const harness = new RelaySessionHarness();
    harness.tick(9);
    expect(harness.socket.closedWith).toBeUndefined();
    harness.tick(1);
    expect(harness.socket.closedWith?.code).toBe(1002);
    expect(harness.log).toEqual(['closed handshake_timeout: handshake timed out']);
  });

  it('the handshake can send a node away before READY', () => {
    const harness = new RelaySessionHarness();
    harness.session.goAway({ reason: 'moved', reconnect_in_ms: 5 });
    expect(harness.sent()).toEqual(['0 GOAWAY']);
  });

  it('refuses text messages', () => {
    const harness = RelaySessionHarness.admitted();
    harness.session.receive(Buffer.from('hello'), false);
    expect(harness.socket.closedWith).toEqual({ code: 1002, reason: 'text message' });
  });

  it('lets its owner refuse a node with a protocol error; any other error ends only this link', () => {
    const refusing = new RelaySessionHarness({
      onHello: () => {
        throw new LinkProtocolError('no common version');
      },
    });
    refusing.say(CONTROL_STREAM, FrameType.hello, helloFacts);
    expect(refusing.socket.closedWith).toEqual({ code: 1002, reason: 'no common version' });
    const broken = new RelaySessionHarness({
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
  it('resets streams unknown to the relay, and ends those unknown to the node after one round of grace', () => {
    const harness = RelaySessionHarness.admitted();
    const [gone, kept, orphan] = [harness.answering('gone'), harness.answering('kept'), harness.answering('orphan')];
    gone.reset('cancelled');
    harness.sent();
    const streams = [gone.id, kept.id];
    harness.say(CONTROL_STREAM, FrameType.streams, { streams });
    expect(harness.sent()).toEqual([`${gone.id} RESET unknown_stream`]);
    const young = harness.open('young');
    harness.sent();
    harness.say(CONTROL_STREAM, FrameType.streams, { streams: [kept.id] });
    expect(harness.sent()).toEqual([`${orphan.id} RESET unknown_stream`]);
    expect(harness.log.at(-1)).toBe('orphan lost unknown_stream');
    harness.say(CONTROL_STREAM, FrameType.streams, { streams: [kept.id, young.id] });
    harness.say(CONTROL_STREAM, FrameType.streams, { streams: [kept.id] });
    expect(harness.session.openStreams).toBe(2);
  });
});

describe('opening streams', () => {
  const unavailable = (harness: RelaySessionHarness, reason: string): void => {
    expect(harness.session.available).toBe(false);
    expect(() => harness.open('x')).toThrow(`link unavailable: ${reason}`);
  };

  it('opening streams is refused before READY, after GOAWAY in either direction, when full, and when closed', () => {
    unavailable(new RelaySessionHarness(), 'not_ready');
    const leaving = RelaySessionHarness.admitted();
    leaving.session.goAway({ reason: 'draining', reconnect_in_ms: 0 });
    unavailable(leaving, 'draining');
    const left = RelaySessionHarness.admitted();
    left.say(CONTROL_STREAM, FrameType.goAway, { reason: 'draining', reconnect_in_ms: 0 });
    unavailable(left, 'draining');
    const closed = RelaySessionHarness.admitted();
    closed.session.closed();
    unavailable(closed, 'closed');
  });

  it('opening streams is refused at the request limit, on a link that takes requests again when one ends', () => {
    const full = RelaySessionHarness.admitted({ max_streams: 2 });
    expect(full.session.freeStreams).toBe(2);
    full.open('a');
    full.open('b');
    expect(() => full.open('c')).toThrow('link unavailable: full');
    expect([full.session.available, full.session.freeStreams]).toEqual([true, 0]);
    full.session.goAway({ reason: 'draining', reconnect_in_ms: 0 });
    expect([full.session.available, full.session.freeStreams]).toEqual([false, 0]);
  });

  it('refuses a head beyond the limits and continues', () => {
    const harness = RelaySessionHarness.admitted();
    const head = { ...openHead(2), public_model: 'm'.repeat(601) };
    const quiet = { onAck() {}, onReject() {}, onHead() {}, onData() {}, onEnd() {}, onLost() {} };
    expect(() => harness.session.open(head, Buffer.from('{}'), quiet)).toThrow(LinkMessageError);
    expect(harness.open('a').id).toBe(1);
  });

  it('never sends an OPEN after GOAWAY', () => {
    const harness = RelaySessionHarness.admitted();
    harness.open('a');
    harness.session.goAway({ reason: 'draining', reconnect_in_ms: 0 });
    expect(harness.sent()).toEqual(['1 OPEN', '1 BODY 2 last', '0 GOAWAY']);
  });
});

describe('COMMAND', () => {
  const operation_id = `op_${'0'.repeat(32)}`;
  const cancel = { verb: 'cancel', operation_id } as const;
  const admitted = (limits = readyFacts.limits): RelaySessionHarness => {
    const harness = new RelaySessionHarness();
    harness.say(CONTROL_STREAM, FrameType.hello, helloFacts);
    harness.session.ready({ ...readyFacts, limits });
    harness.sent();
    return harness;
  };

  it('COMMAND is sent to a node, also at its request limit', () => {
    const harness = admitted({ ...readyFacts.limits, max_streams: 1 });
    harness.open('a');
    harness.sent();
    expect(harness.session.sendCommand(cancel)).toBe(true);
    expect(harness.sent()).toEqual(['0 COMMAND']);
  });

  it('COMMAND is not sent before READY, while the link drains and after its end', () => {
    const early = new RelaySessionHarness();
    early.say(CONTROL_STREAM, FrameType.hello, helloFacts);
    const leaving = admitted();
    leaving.say(CONTROL_STREAM, FrameType.goAway, { reason: 'draining', reconnect_in_ms: 0 });
    const closed = admitted();
    closed.session.closed();
    for (const harness of [early, leaving, closed]) {
      expect(harness.session.sendCommand(cancel)).toBe(false);
      expect(harness.sent()).toEqual([]);
    }
  });

  it('COMMAND is refused beyond the limits, and the link stays open', () => {
    const harness = admitted();
    expect(() => harness.session.sendCommand({ verb: 'cancel', operation_id: 'op_1' })).toThrow(LinkMessageError);
    expect(harness.session.sendCommand(cancel)).toBe(true);
  });
});

describe('the end of a link', () => {
  it('loses every stream first, then reports once; queued frames are sent before an orderly close', () => {
    const harness = RelaySessionHarness.admitted();
    harness.open('a');
    harness.open('b');
    harness.session.close(4401, 'revoked');
    harness.session.close(1000, 'again');
    harness.session.closed();
    expect(harness.sent()).toEqual(['1 OPEN', '2 OPEN', '1 BODY 2 last', '2 BODY 2 last']);
    expect(harness.socket.closedWith).toEqual({ code: 4401, reason: 'revoked' });
    expect(harness.log).toEqual([
      'a lost node_disconnected',
      'b lost node_disconnected',
      'closed closed_here: revoked',
    ]);
  });

  it('comes after twenty-five silent seconds', () => {
    const harness = RelaySessionHarness.admitted();
    harness.open('a');
    harness.tick(24, false);
    expect([harness.socket.pings, harness.socket.terminated]).toEqual([3, false]);
    harness.tick(1, false);
    expect(harness.socket.terminated).toBe(true);
    expect(harness.log).toEqual(['a lost node_disconnected', 'closed dead: nothing heard']);
  });

  it('comes for a node that never reads', () => {
    const harness = RelaySessionHarness.admitted();
    const { id } = harness.answering('a');
    harness.socket.bufferedBytes = 33 * 1024 * 1024;
    harness.say(id, FrameType.reset, { reason: 'internal' });
    harness.say(CONTROL_STREAM, FrameType.streams, { streams: [id] });
    harness.sent();
    expect(harness.socket.terminated).toBe(true);
    expect(harness.log.at(-1)).toBe('closed backlog: the peer does not read');
  });

  it('terminates a socket that does not close in order', () => {
    const harness = RelaySessionHarness.admitted();
    harness.socket.close = () => {
      throw new RangeError('invalid close code');
    };
    harness.session.close(1006, 'no');
    expect(harness.socket.terminated).toBe(true);
    expect(harness.log).toEqual(['closed closed_here: no']);
  });

  it('survives a socket that throws', () => {
    const harness = RelaySessionHarness.admitted();
    harness.socket.send = () => {
      throw new Error('not open');
    };
    harness.open('a');
    harness.sent();
    expect(harness.errors).toEqual([new Error('not open')]);
  });
});

describe('a hostile node', () => {
  it('gets only a closed socket for random frames', () => {
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
      fc.property(fc.array(frame, { maxLength: 30 }), fc.boolean(), (frames, admitted) => {
        const harness = admitted ? RelaySessionHarness.admitted() : new RelaySessionHarness();
        if (admitted) {
          harness.answering('a');
          harness.open('b');
        }
        for (const { stream, type, payload } of frames) harness.say(stream, type, payload);
        const { closedWith } = harness.socket;
        expect(closedWith === undefined || closedWith.code === 1002).toBe(true);
        harness.session.closed();
        const ends = harness.log.filter((line) => /^[ab] (end|reject|lost)/.test(line));
        expect(ends).toHaveLength(admitted ? 2 : 0);
        expect(harness.session.openStreams).toBe(0);
        expect(harness.errors).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });
});
