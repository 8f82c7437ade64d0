import { describe, expect, it } from '@jest/globals';
import { helloFacts, openHead, readyFacts } from '../../../test/support/link/link-pair.js';
import { NodeBench } from '../../../test/support/link/node-session.harness.js';
import { CONTROL_STREAM, FrameType } from '../codec/frame-types.js';

describe('the handshake at the node', () => {
  it('speaks nothing but HELLO before READY', () => {
    const bench = new NodeBench();
    expect(() => {
      bench.session.sendStatus({ engines: [], paused: false, draining: false, memory_free_bytes: null });
    }).toThrow('link unavailable: not_ready');
    bench.session.hello(helloFacts);
    bench.say(CONTROL_STREAM, FrameType.ready, readyFacts);
    bench.session.sendStatus({ engines: [], paused: false, draining: false, memory_free_bytes: null });
    expect(bench.log).toEqual(['ready 7']);
    expect(bench.sent().map((line) => line.split(' ')[1])).toEqual(['HELLO', 'STATUS']);
  });

  it('gives a relay up that does not answer', () => {
    const bench = new NodeBench();
    bench.session.hello(helloFacts);
    bench.tick(10);
    expect(bench.log).toEqual(['closed handshake_timeout: handshake timed out']);
  });

  it('hears a relay that sends it away at once', () => {
    const bench = new NodeBench();
    bench.session.hello(helloFacts);
    bench.say(CONTROL_STREAM, FrameType.goAway, { reason: 'draining', reconnect_in_ms: 100 });
    expect(bench.log).toEqual(['goaway draining']);
    expect(bench.socket.closedWith).toBeUndefined();
  });

  it.each<[string, (bench: NodeBench) => void, string]>([
    [
      'OPEN before READY',
      (bench) => {
        bench.say(1, FrameType.open, openHead(1));
      },
      'OPEN before READY',
    ],
    [
      'READY twice',
      (bench) => {
        bench.say(0, FrameType.ready, readyFacts);
        bench.say(0, FrameType.ready, readyFacts);
      },
      'READY twice',
    ],
    [
      'limits that would stand still',
      (bench) => {
        bench.say(0, FrameType.ready, { ...readyFacts, limits: { ...readyFacts.limits, to_relay_window_bytes: 0 } });
      },
      'malformed READY',
    ],
  ])('closes the link for %s', (_name, misbehave, reason) => {
    const bench = new NodeBench();
    bench.session.hello(helloFacts);
    misbehave(bench);
    expect(bench.socket.closedWith).toEqual({ code: 1002, reason });
  });

  it('sends nothing any more once the link is closed, and does not mind being asked to', () => {
    const bench = NodeBench.admitted();
    bench.session.closed();
    bench.session.sendStatus({ engines: [], paused: false, draining: false, memory_free_bytes: null });
    bench.session.goAway({ reason: 'draining', reconnect_in_ms: 0 });
    bench.tick(60);
    expect(bench.sent()).toEqual([]);
  });
});

describe('operations at the node', () => {
  const operation_id = `op_${'0'.repeat(32)}`;
  const features = ['operations'];
  const progress = { operation_id, state: 'running', phase: 'loading', completed_bytes: 1, total_bytes: 2 } as const;
  const result = { operation_id, outcome: 'succeeded', failure: null, model_key: 'a/b' } as const;
  const greeted = (ofNode: string[], ofRelay: string[] | null | undefined): [NodeBench, string[]] => {
    const commands: string[] = [];
    const bench = new NodeBench({ onCommand: ({ verb }) => commands.push(verb) });
    bench.session.hello({ ...helloFacts, features: ofNode });
    bench.say(CONTROL_STREAM, FrameType.ready, { ...readyFacts, features: ofRelay });
    bench.sent();
    return [bench, commands];
  };

  it('are reported to a relay that knows them only', () => {
    const [bench] = greeted(features, ['later', ...features]);
    expect([bench.session.sendProgress(progress), bench.session.sendResult(result)]).toEqual([true, true]);
    expect(bench.sent().map((line) => line.split(' ')[1])).toEqual(['PROGRESS', 'RESULT']);
    for (const announced of [undefined, null, [], ['later']]) {
      const [older] = greeted(features, announced);
      expect([older.session.sendProgress(progress), older.session.sendResult(result)]).toEqual([false, false]);
      expect(older.sent()).toEqual([]);
    }
  });

  it('are not reported before READY, nor once the link is closed', () => {
    const early = new NodeBench();
    expect(() => early.session.sendProgress(progress)).toThrow('link unavailable: not_ready');
    const [late] = greeted(features, features);
    late.session.closed();
    expect(late.session.sendResult(result)).toBe(false);
  });

  it('come as commands, of which a malformed one closes the link', () => {
    const [bench, commands] = greeted(features, features);
    bench.say(CONTROL_STREAM, FrameType.command, { verb: 'cancel', operation_id, more: 1 });
    expect(commands).toEqual(['cancel']);
    bench.say(CONTROL_STREAM, FrameType.command, { verb: 'cancel', operation_id: 'op_../../etc' });
    expect(bench.socket.closedWith).toEqual({ code: 1002, reason: 'malformed COMMAND' });
  });

  it('never cost the link when the handler of a command throws', () => {
    const bench = new NodeBench({
      onCommand: () => {
        throw new Error('a bug');
      },
    });
    bench.session.hello({ ...helloFacts, features });
    bench.say(CONTROL_STREAM, FrameType.ready, readyFacts);
    bench.say(CONTROL_STREAM, FrameType.command, { verb: 'cancel', operation_id });
    expect(bench.socket.closedWith).toBeUndefined();
    expect(bench.errors).toEqual([new Error('a bug')]);
  });
});

describe('STREAMS from the node', () => {
  it('lists the open streams every thirty seconds, also when there are none', () => {
    const bench = NodeBench.admitted();
    bench.tick(30);
    expect(bench.sent()).toEqual(['0 STREAMS {"streams":[]}']);
    bench.open(4);
    bench.open(9).reject('busy');
    bench.tick(29);
    expect(bench.sent().filter((line) => line.includes('STREAMS'))).toEqual([]);
    bench.tick(1);
    expect(bench.sent()).toEqual(['0 STREAMS {"streams":[4]}']);
  });
});
