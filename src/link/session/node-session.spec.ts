import { describe, expect, it } from '@jest/globals';
import { helloFacts, openHead, readyFacts } from '../../../test/support/link/link-pair.js';
import { NodeSessionHarness } from '../../../test/support/link/node-session.harness.js';
import { CONTROL_STREAM, FrameType } from '../codec/frame-types.js';

describe('the handshake at the node', () => {
  it('sends only HELLO before READY', () => {
    const harness = new NodeSessionHarness();
    expect(() => {
      harness.session.sendStatus({ engines: [], paused: false, draining: false, memory_free_bytes: null });
    }).toThrow('link unavailable: not_ready');
    harness.session.hello(helloFacts);
    harness.say(CONTROL_STREAM, FrameType.ready, readyFacts);
    harness.session.sendStatus({ engines: [], paused: false, draining: false, memory_free_bytes: null });
    expect(harness.log).toEqual(['ready 7']);
    expect(harness.sent().map((line) => line.split(' ')[1])).toEqual(['HELLO', 'STATUS']);
  });

  it('closes a link whose relay does not respond', () => {
    const harness = new NodeSessionHarness();
    harness.session.hello(helloFacts);
    harness.tick(10);
    expect(harness.log).toEqual(['closed handshake_timeout: handshake timed out']);
  });

  it('accepts GOAWAY before READY', () => {
    const harness = new NodeSessionHarness();
    harness.session.hello(helloFacts);
    harness.say(CONTROL_STREAM, FrameType.goAway, { reason: 'draining', reconnect_in_ms: 100 });
    expect(harness.log).toEqual(['goaway draining']);
    expect(harness.socket.closedWith).toBeUndefined();
  });

  it.each<[string, (harness: NodeSessionHarness) => void, string]>([
    [
      'OPEN before READY',
      (harness) => {
        harness.say(1, FrameType.open, openHead(1));
      },
      'OPEN before READY',
    ],
    [
      'READY twice',
      (harness) => {
        harness.say(0, FrameType.ready, readyFacts);
        harness.say(0, FrameType.ready, readyFacts);
      },
      'READY twice',
    ],
    [
      'limits that allow no progress',
      (harness) => {
        harness.say(0, FrameType.ready, { ...readyFacts, limits: { ...readyFacts.limits, to_relay_window_bytes: 0 } });
      },
      'malformed READY',
    ],
  ])('closes the link for %s', (_name, misbehave, reason) => {
    const harness = new NodeSessionHarness();
    harness.session.hello(helloFacts);
    misbehave(harness);
    expect(harness.socket.closedWith).toEqual({ code: 1002, reason });
  });

  it('sends nothing after the link has closed', () => {
    const harness = NodeSessionHarness.admitted();
    harness.session.closed();
    harness.session.sendStatus({ engines: [], paused: false, draining: false, memory_free_bytes: null });
    harness.session.goAway({ reason: 'draining', reconnect_in_ms: 0 });
    harness.tick(60);
    expect(harness.sent()).toEqual([]);
  });
});

describe('operations at the node', () => {
  const operation_id = `op_${'0'.repeat(32)}`;
  const progress = { operation_id, state: 'running', phase: 'loading', completed_bytes: 1, total_bytes: 2 } as const;
  const result = { operation_id, outcome: 'succeeded', failure: null, model_key: 'a/b' } as const;
  const greeted = (): [NodeSessionHarness, string[]] => {
    const commands: string[] = [];
    const harness = new NodeSessionHarness({ onCommand: ({ verb }) => commands.push(verb) });
    harness.session.hello(helloFacts);
    harness.say(CONTROL_STREAM, FrameType.ready, readyFacts);
    harness.sent();
    return [harness, commands];
  };

  it('operations at the node are reported to the relay', () => {
    const [harness] = greeted();
    expect([harness.session.sendProgress(progress), harness.session.sendResult(result)]).toEqual([true, true]);
    expect(harness.sent().map((line) => line.split(' ')[1])).toEqual(['PROGRESS', 'RESULT']);
  });

  it('operations at the node are not reported before READY, nor once the link is closed', () => {
    const early = new NodeSessionHarness();
    expect(() => early.session.sendProgress(progress)).toThrow('link unavailable: not_ready');
    const [late] = greeted();
    late.session.closed();
    expect(late.session.sendResult(result)).toBe(false);
  });

  it('arrive as commands; a malformed one closes the link', () => {
    const [harness, commands] = greeted();
    harness.say(CONTROL_STREAM, FrameType.command, { verb: 'cancel', operation_id, more: 1 });
    expect(commands).toEqual(['cancel']);
    harness.say(CONTROL_STREAM, FrameType.command, { verb: 'cancel', operation_id: 'op_../../etc' });
    expect(harness.socket.closedWith).toEqual({ code: 1002, reason: 'malformed COMMAND' });
  });

  it('operations at the node keep the link open when the handler of a command throws', () => {
    const harness = new NodeSessionHarness({
      onCommand: () => {
        throw new Error('a bug');
      },
    });
    harness.session.hello(helloFacts);
    harness.say(CONTROL_STREAM, FrameType.ready, readyFacts);
    harness.say(CONTROL_STREAM, FrameType.command, { verb: 'cancel', operation_id });
    expect(harness.socket.closedWith).toBeUndefined();
    expect(harness.errors).toEqual([new Error('a bug')]);
  });
});

describe('STREAMS from the node', () => {
  it('lists the open streams every thirty seconds, even when there are none', () => {
    const harness = NodeSessionHarness.admitted();
    harness.tick(30);
    expect(harness.sent()).toEqual(['0 STREAMS {"streams":[]}']);
    harness.open(4);
    harness.open(9).reject('busy');
    harness.tick(29);
    expect(harness.sent().filter((line) => line.includes('STREAMS'))).toEqual([]);
    harness.tick(1);
    expect(harness.sent()).toEqual(['0 STREAMS {"streams":[4]}']);
  });
});
