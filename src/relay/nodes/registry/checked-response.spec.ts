import { beforeEach, describe, expect, it } from '@jest/globals';
import type { EndMessage, HeadMessage } from '../../../link/messages.js';
import { CheckedResponse } from './checked-response.js';

const end: EndMessage = {
  outcome: 'completed',
  failure: null,
  usage: null,
  timings: { first_event_ms: null, total_ms: 1 },
  dropped: [],
};
const failure = {
  code: 'engine_error' as const,
  status: null,
  message: 'broken',
  param: null,
  retry_after_seconds: null,
};
const streamed: HeadMessage = { status: 200, content_type: 'text/event-stream', content_length: null };
const whole: HeadMessage = { status: 200, content_type: 'application/json', content_length: 12 };

let received: string[];

class RecordedResponse extends CheckedResponse {
  constructor(stream: boolean | null) {
    super();
    if (stream !== null) this.validate({ stream });
    this.stream = {
      id: 1,
      consumed: () => undefined,
      reset: (reason) => {
        received.push(`reset ${reason}`);
        return false;
      },
    };
  }

  protected acknowledged(): void {
    received.push('ack');
  }

  protected refused(): void {
    received.push('reject');
  }

  protected begun(): void {
    received.push('head');
  }

  protected received(bytes: Buffer): void {
    received.push(`data ${bytes.toString('latin1')}`);
  }

  protected finished({ outcome }: EndMessage): void {
    received.push(`end ${outcome}`);
  }

  protected lost(reason: string): void {
    received.push(`lost ${reason}`);
  }
}

const asked = (stream: boolean): CheckedResponse => new RecordedResponse(stream);

const send = (response: CheckedResponse, ...frames: readonly string[]): void => {
  for (const frame of frames) response.onData(Buffer.from(frame), true);
};

const REFUSED = ['reset internal', 'lost internal'];

describe("validation of a node's answer", () => {
  beforeEach(() => {
    received = [];
  });

  it('passes a matching answer', () => {
    asked(true).onHead(streamed);
    asked(false).onHead(whole);
    expect(received).toEqual(['head', 'head']);
  });

  it.each<[string, boolean, HeadMessage]>([
    ['JSON for a stream', true, whole],
    ['a length for a stream', true, { ...streamed, content_length: 5 }],
    ['an event stream for a whole answer', false, streamed],
    ['no length for a whole answer', false, { ...whole, content_length: null }],
    ['a length that no answer has', false, { ...whole, content_length: 9e15 }],
  ])('fails when its head has %s', (_what, stream, head) => {
    asked(stream).onHead(head);
    expect(received).toEqual(REFUSED);
  });

  it('refuses every head until it knows the request', () => {
    new RecordedResponse(null).onHead(streamed);
    new RecordedResponse(null).onHead(whole);
    expect(received).toEqual([...REFUSED, ...REFUSED]);
  });

  it('fails when it completed and names a failure', () => {
    asked(true).onEnd({ ...end, failure });
    asked(true).onEnd(end);
    expect(received).toEqual(['end failed', 'end completed']);
  });

  it("validation of a node's answer does not inspect the bytes of a whole answer", () => {
    send(asked(false), 'id: 1\r\n');
    expect(received).toEqual(['data id: 1\r\n']);
  });

  it.each([
    ['chat events', ['data: {"a":"id: 1"}\n\ndata: {}\n\n', 'data: [DONE]\n\n']],
    ['named events', ['event: ping\ndata: {"type":"ping"}\n\n']],
    ['comments', [': working\n\n', ':\n\n']],
  ])('accepts %s', (_what, frames) => {
    send(asked(true), ...frames);
    expect(received).toEqual(frames.map((frame) => `data ${frame}`));
  });

  it('accepts an event split anywhere', () => {
    const event = 'event: a\ndata: retry: 5 id: 6\n\n';
    for (let at = 1; at < event.length; at += 1) {
      received = [];
      const response = asked(true);
      response.onData(Buffer.from(event.slice(0, at)), false);
      response.onData(Buffer.from(event.slice(at)), true);
      expect(received).toHaveLength(2);
      expect(received.join()).not.toContain('lost');
    }
  });

  it.each([
    ['an id', 'id: 7\n\n'],
    ['an id behind data', 'data: {}\nid: 7\n\n'],
    ['a reconnection time', 'data: {}\n\nretry: 1\n\n'],
    ['a carriage return inside a line', 'data: {}\rid: 7\n\n'],
    ['lines that end in carriage returns', 'data: {}\r\r'],
    ['a byte order mark', '\ufeffdata: {}\n\n'],
    ['a web page', '<html>\n\n'],
    ['half an event that is said to be whole', 'data: {}\n'],
    ['half a line that is said to be a whole event', 'data: {'],
  ])('fails when its stream has %s', (_what, bytes) => {
    send(asked(true), bytes);
    expect(received).toEqual(REFUSED);
  });
});
