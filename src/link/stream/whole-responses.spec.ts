/** A short JSON response as one frame, between two real sessions. */
import { describe, expect, it } from '@jest/globals';
import {
  completedEnd,
  LinkPair,
  openHead,
  readyFacts,
  type LinkPairOptions,
} from '../../../test/support/link/link-pair.js';
import { decodeMessage } from '../codec/frame-codec.js';
import { frameName } from '../codec/frame-types.js';
import type { EndMessage, HeadMessage, ReadyMessage, UsageReport } from '../messages.js';
import type { NodeLinkStream } from './node-stream.js';
import type { RelayLinkStream, RelayStreamHandler } from './relay-stream.js';
import type { ResetAck } from './reset-acks.js';

const used: UsageReport = {
  input_tokens: 7,
  output_tokens: 3,
  cached_tokens: 2,
  reasoning_tokens: null,
  source: 'engine',
};
const end: EndMessage = { ...completedEnd, usage: used };
const body = Buffer.from('{"id":"chatcmpl-1"}');
const headOf = (bytes: Uint8Array): HeadMessage => ({
  status: 200,
  content_type: 'application/json',
  content_length: bytes.length,
  translation: { native: true, dropped: [] },
});

interface LabOptions {
  readonly limits?: Partial<ReadyMessage['limits']>;
  readonly handler?: Partial<RelayStreamHandler>;
}

function labOf({ limits = {}, handler = {} }: LabOptions = {}) {
  const served: NodeLinkStream[] = [];
  const resets: string[] = [];
  const calls: string[] = [];
  const ends: EndMessage[] = [];
  const stopped: ResetAck[] = [];
  const options: LinkPairOptions = {
    ready: { ...readyFacts, limits: { ...readyFacts.limits, ...limits } },
    node: {
      onOpen: (_head, stream) => {
        served.push(stream);
        return { onBody() {}, onReset: (reason) => resets.push(reason) };
      },
    },
  };
  const pair = new LinkPair(options);
  const open = (stream = false): { readonly relay: RelayLinkStream; readonly node: NodeLinkStream } => {
    const opened = pair.relay.open({ ...openHead(0), stream }, Buffer.alloc(0), {
      onAck: () => calls.push('ack'),
      onReject: () => calls.push('reject'),
      onHead: ({ content_length }) => calls.push(`head ${content_length}`),
      onData: (bytes) => calls.push(`data ${bytes.toString()}`),
      onEnd: (message) => {
        calls.push(`end ${message.outcome}`);
        ends.push(message);
      },
      onLost: (reason) => calls.push(`lost ${reason}`),
      ...handler,
    });
    pair.settle();
    const serving = served.at(-1);
    if (serving === undefined) throw new Error('the node did not get it');
    serving.ack();
    return { relay: opened, node: serving };
  };
  /** Frames that the node has sent and the relay has not read. */
  const frames = (): string[] => {
    pair.flushes.run();
    return pair.nodeSocket.sent.flatMap((message) => decodeMessage(message).map(({ type }) => frameName(type)));
  };
  const reset = (stream: RelayLinkStream): boolean => stream.reset('cancelled', (how) => stopped.push(how));
  return { pair, open, frames, reset, calls, ends, resets, stopped };
}

describe('a short JSON answer', () => {
  it('a short JSON answer is one frame with the ACK, and gives the relay the same as four', () => {
    const { pair, open, frames, calls, ends } = labOf();
    const { node } = open();
    expect(frames()).toEqual([]);
    expect(node.takesWhole(body.length)).toBe(true);
    node.whole(headOf(body), body, end);
    expect(frames()).toEqual(['WHOLE']);
    pair.settle();
    expect(calls).toEqual(['ack', `head ${body.length}`, `data ${body.toString()}`, 'end completed']);
    expect(ends).toEqual([end]);
    pair.ackTimers.run();
    pair.ackTimers.run();
    pair.settle();
    expect([calls.length, pair.relay.openStreams, pair.node.openStreams]).toEqual([4, 0, 0]);
  });

  it('a short JSON answer has its ACK before it when the engine takes longer', () => {
    const { pair, open, frames, calls } = labOf();
    const { node } = open();
    pair.ackTimers.run();
    expect(frames()).toEqual([]);
    pair.ackTimers.run();
    expect(frames()).toEqual(['ACK']);
    pair.settle();
    node.whole(headOf(body), body, end);
    expect(frames()).toEqual(['WHOLE']);
    pair.settle();
    expect(calls).toEqual(['ack', `head ${body.length}`, `data ${body.toString()}`, 'end completed']);
  });

  it('a short JSON answer that fails has its ACK before its END', () => {
    const { pair, open, frames, calls } = labOf();
    open().node.end({ ...end, outcome: 'failed' });
    expect(frames()).toEqual(['ACK', 'END']);
    pair.settle();
    expect(calls).toEqual(['ack', 'end failed']);
  });

  it('a short JSON response with a field that WHOLE does not have goes as four frames', () => {
    const { pair, open, frames, calls, ends } = labOf();
    open().node.whole(headOf(body), body, { ...end, dropped: ['seed'] });
    expect(frames()).toEqual(['ACK', 'HEAD', 'DATA', 'END']);
    pair.settle();
    expect(calls).toEqual(['ack', `head ${body.length}`, `data ${body.toString()}`, 'end completed']);
    expect(ends).toEqual([{ ...end, dropped: ['seed'] }]);
  });

  it('a short JSON answer is none on a stream, whose ACK goes at once', () => {
    const { open, frames } = labOf();
    const { node } = open(true);
    expect(frames()).toEqual(['ACK']);
    expect(node.takesWhole(body.length)).toBe(false);
  });

  it.each([
    ['longer than 16 KiB', {}, 16_385],
    ['longer than the credit of its stream', { to_relay_window_bytes: 100 }, 101],
    ['longer than what the link may owe', { max_outstanding_bytes: 100, max_streams: 1 }, 101],
    ['empty', {}, 0],
  ])('a short JSON answer is not sent as one frame when it is %s', (_what, limits, bytes) => {
    const { open } = labOf({ limits });
    const { node } = open();
    expect(node.takesWhole(bytes)).toBe(false);
    expect(node.takesWhole(bytes === 0 ? 1 : bytes - 1)).toBe(true);
  });

  it('owes nothing once it is sent, whatever the number of answers', () => {
    const large = Buffer.alloc(16_000, 0x20);
    const { pair, open, calls } = labOf({ limits: { max_outstanding_bytes: 20_000, max_streams: 1 } });
    for (let response = 0; response < 20; response += 1) {
      const { node } = open();
      expect(node.takesWhole(large.length)).toBe(true);
      node.whole(headOf(large), large, end);
      pair.settle();
    }
    expect(calls.filter((call) => call === 'end completed')).toHaveLength(20);
    expect(pair.relaySocket.closedWith).toBeUndefined();
  });

  it('a short JSON answer is counted against the credit of its link until it is sent', () => {
    const large = Buffer.alloc(12_000, 0x20);
    const { open } = labOf({ limits: { max_outstanding_bytes: 20_000, max_streams: 2 } });
    const [first, second] = [open().node, open().node];
    first.whole(headOf(large), large, end);
    expect(second.takesWhole(large.length)).toBe(false);
  });
});

describe('the cancellation of a request with a held ACK', () => {
  it('the cancellation of a request with a held ACK is confirmed with the usage, without an ACK', () => {
    const { pair, open, frames, reset, calls, resets, stopped } = labOf();
    const { relay, node } = open();
    expect(reset(relay)).toBe(true);
    pair.settle();
    expect(resets).toEqual(['cancelled']);
    expect(node.takesWhole(body.length)).toBe(false);
    node.end({ ...end, outcome: 'cancelled' });
    pair.ackTimers.run();
    pair.ackTimers.run();
    expect(frames()).toEqual(['END']);
    pair.settle();
    expect([calls, stopped]).toEqual([[], [{ ...end, outcome: 'cancelled' }]]);
  });

  it('a cancellation that crosses the response has the usage of the response', () => {
    const { pair, open, reset, calls, resets, stopped } = labOf();
    const { relay, node } = open();
    node.whole(headOf(body), body, end);
    pair.flushes.run();
    expect(reset(relay)).toBe(true);
    pair.settle();
    expect([calls, resets, stopped]).toEqual([[], [], [end]]);
    expect([pair.relaySocket.closedWith, pair.nodeSocket.closedWith]).toEqual([undefined, undefined]);
  });

  it.each(['onAck', 'onHead', 'onData'] as const)('in %s of the answer has its usage, and no call follows', (at) => {
    const stoppedBy: { stream?: RelayLinkStream } = {};
    const lab = labOf({
      handler: {
        [at]: () => {
          lab.calls.push('reset');
          if (stoppedBy.stream !== undefined) lab.reset(stoppedBy.stream);
        },
      },
    });
    const { relay, node } = lab.open();
    stoppedBy.stream = relay;
    node.whole(headOf(body), body, end);
    lab.pair.settle();
    expect([lab.calls.at(-1), lab.stopped]).toEqual(['reset', [end]]);
    expect(lab.pair.relay.openStreams).toBe(0);
  });

  it('loses it once when the link ends', () => {
    const { pair, open, calls, resets } = labOf();
    const { node } = open();
    pair.node.closed();
    pair.relay.closed();
    node.whole(headOf(body), body, end);
    pair.ackTimers.run();
    pair.ackTimers.run();
    pair.settle();
    expect([calls, resets]).toEqual([['lost node_disconnected'], ['link_closed']]);
  });
});

describe('an answer whose handler throws', () => {
  it('ends its own request only', () => {
    const lab = labOf({
      handler: {
        onHead: () => {
          throw new Error('a bug');
        },
      },
    });
    lab.open().node.whole(headOf(body), body, end);
    lab.pair.settle();
    expect(lab.calls).toEqual(['ack', 'lost internal']);
    expect(lab.pair.relaySocket.closedWith).toBeUndefined();
  });
});
