import { describe, expect, it } from '@jest/globals';
import { completedEnd, LinkPair, openHead, streamHead } from '../../../test/support/link/link-pair.js';
import type { EndMessage, UsageReport } from '../messages.js';
import type { NodeLinkStream } from './node-stream.js';
import type { ResetAck } from './reset-acks.js';

const quiet = { onAck() {}, onReject() {}, onHead() {}, onData() {}, onEnd() {}, onLost() {} };
const used: UsageReport = {
  input_tokens: 7,
  output_tokens: 3,
  cached_tokens: null,
  reasoning_tokens: null,
  source: 'engine',
};
const stoppedEnd: EndMessage = { ...completedEnd, outcome: 'cancelled', usage: used };

/** A running request that the relay has just reset. */
function running() {
  const served: NodeLinkStream[] = [];
  const resets: string[] = [];
  const pair = new LinkPair({
    node: {
      onOpen: (_head, stream) => {
        served.push(stream);
        return { onBody() {}, onReset: (reason) => resets.push(reason) };
      },
    },
  });
  const stopped: ResetAck[] = [];
  const open = () => {
    const stream = pair.relay.open(openHead(0), Buffer.alloc(0), quiet);
    pair.settle();
    return stream;
  };
  const reset = (stream: ReturnType<typeof open>) => stream.reset('cancelled', (how) => stopped.push(how));
  const pass = (seconds: number): void => {
    for (let second = 0; second < seconds; second += 1) {
      pair.clock.advance(1_000);
      pair.relay.ponged();
      pair.relay.tick();
    }
  };
  return { pair, served, resets, stopped, open, reset, pass };
}

describe('a request cancelled by the relay', () => {
  it('a request cancelled by the relay is confirmed with its usage when the engine has stopped', () => {
    const { pair, served, resets, stopped, open, reset } = running();
    const stream = open();
    served[0]?.ack();
    served[0]?.head(streamHead);
    pair.settle();
    expect(reset(stream)).toBe(true);
    pair.settle();
    expect([resets, stopped]).toEqual([['cancelled'], []]);
    served[0]?.end(stoppedEnd);
    served[0]?.end(stoppedEnd);
    pair.settle();
    expect(stopped).toEqual([stoppedEnd]);
    expect(pair.relaySocket.closedWith).toBeUndefined();
  });

  it('a request cancelled by the relay is confirmed as cancelled, whatever outcome the agent reports', () => {
    const { pair, served, stopped, open, reset } = running();
    const stream = open();
    served[0]?.ack();
    pair.settle();
    reset(stream);
    pair.settle();
    served[0]?.end({ ...stoppedEnd, outcome: 'completed' });
    pair.settle();
    expect(stopped).toMatchObject([{ outcome: 'cancelled' }]);
  });

  it('a cancelled request that ended while the RESET was in flight has the usage of that END', () => {
    const { pair, served, stopped, open, reset } = running();
    const stream = open();
    served[0]?.ack();
    served[0]?.head(streamHead);
    served[0]?.end({ ...completedEnd, usage: used });
    reset(stream);
    pair.settle();
    expect(stopped).toMatchObject([{ outcome: 'completed', usage: used }]);
  });

  it('a cancelled request that was rejected while the RESET was in flight has no usage', () => {
    const { pair, served, stopped, open, reset } = running();
    const stream = open();
    served[0]?.reject('busy');
    reset(stream);
    pair.settle();
    expect(stopped).toEqual(['none']);
  });

  it('a request cancelled by the relay is missing after ten seconds, and a later confirmation is ignored', () => {
    const { pair, served, stopped, open, reset, pass } = running();
    const stream = open();
    served[0]?.ack();
    pair.settle();
    reset(stream);
    pair.settle();
    pass(9);
    expect(stopped).toEqual([]);
    pass(2);
    expect(stopped).toEqual(['missing']);
    served[0]?.end(stoppedEnd);
    pair.settle();
    pass(20);
    expect(stopped).toEqual(['missing']);
    expect(pair.relaySocket.closedWith).toBeUndefined();
  });

  it('a request cancelled by the relay on a link that ends has no known usage', () => {
    const { pair, served, stopped, open, reset } = running();
    const stream = open();
    served[0]?.ack();
    pair.settle();
    reset(stream);
    pair.relay.closed();
    expect(stopped).toEqual(['none']);
  });

  it('a request cancelled by the relay does not accuse the node when more than the limit are pending', () => {
    const { pair, stopped, open, reset } = running();
    for (let request = 0; request <= 1_024; request += 1) reset(open());
    expect(stopped).toEqual(['none']);
    pair.relay.closed();
    expect(stopped).toHaveLength(1_025);
  });

  it('expects no confirmation when it had already ended', () => {
    const { pair, served, stopped, open, reset } = running();
    const stream = open();
    served[0]?.reject('busy');
    pair.settle();
    expect(reset(stream)).toBe(false);
    expect(stopped).toEqual([]);
  });
});
