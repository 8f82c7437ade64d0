import { describe, expect, it } from '@jest/globals';
import { completedEnd, LinkPair, openHead, streamHead } from '../../../test/support/link/link-pair.js';
import type { NodeLinkStream } from '../stream/node-stream.js';
import type { RelayStreamHandler } from '../stream/relay-stream.js';

const recorder = (log: string[], data: Buffer[] = []): RelayStreamHandler => ({
  onAck: () => log.push('ack'),
  onReject: ({ reason }) => log.push(`reject ${reason}`),
  onHead: ({ content_type }) => log.push(`head ${content_type}`),
  onData: (bytes, atBoundary) => {
    log.push(`data ${bytes.length} ${atBoundary ? 'whole' : 'inside'}`);
    data.push(Buffer.from(bytes));
  },
  onEnd: ({ outcome }) => log.push(`end ${outcome}`),
  onLost: (reason) => log.push(`lost ${reason}`),
});

describe('a request over the link', () => {
  it('carries the body to the node and the answer back, and leaves no state at either end', () => {
    const log: string[] = [];
    const body: Buffer[] = [];
    let stream: NodeLinkStream | undefined;
    const pair = new LinkPair({
      node: {
        onOpen: (head, opened) => {
          stream = opened;
          log.push(`open ${head.model_key}`);
          return {
            onBody: (chunk, last) => {
              body.push(Buffer.from(chunk));
              opened.bodyTaken(chunk.length);
              if (last) log.push('body complete');
            },
            onReset: (reason) => log.push(`reset ${reason}`),
          };
        },
      },
    });
    const sent = Buffer.alloc(1_000_000, 'x');
    const request = pair.relay.open(openHead(sent.length), sent, recorder(log));
    pair.settle();
    expect(Buffer.concat(body).equals(sent)).toBe(true);
    stream?.ack();
    stream?.head(streamHead);
    expect(stream?.write(Buffer.from('data: {}\n\n'))).toBeUndefined();
    stream?.end(completedEnd);
    pair.settle();
    request.consumed(10);
    expect(log).toEqual([
      'open llamacpp/tiny',
      'body complete',
      'ack',
      'head text/event-stream',
      'data 10 whole',
      'end completed',
    ]);
    expect(pair.relay.openStreams).toBe(0);
    expect(pair.node.openStreams).toBe(0);
    expect(pair.relaySocket.closedWith).toBeUndefined();
  });
});
