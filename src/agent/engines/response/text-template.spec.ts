import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { OpenMessage } from '../../../link/messages.js';
import { ChatExchange } from '../../inference/chat-exchange.js';
import { CompletionsExchange } from '../../inference/dialect-service.js';
import type { NativeExchange } from '../../inference/native-exchange.js';
import type { RepeatedEvents } from '../engine.js';
import { ChunkReader } from './chunk-reader.js';

const head = { request_id: 'req_1', public_model: 'public' } as OpenMessage;
const request = { route: 'chat', body: Buffer.from('{}') } as const;
const chat = (): NativeExchange => new ChatExchange(Buffer.from('{"messages":[]}'), head);
const completions = (): NativeExchange => new CompletionsExchange(Buffer.from('{"prompt":""}'), head);

interface ReceivedResponse {
  readonly text: string;
  readonly repeated: number;
  readonly usage: NativeExchange['usage'];
  readonly failure: string | undefined;
}

const eventsOf = (exchange: NativeExchange): RepeatedEvents => ({
  around: (like) => exchange.around(like),
  take: () => undefined,
});

/** What the client gets when each piece arrives on its own, with or without the shortcut for repeated chunks. */
function responseTo(
  chunks: readonly (string | Buffer)[],
  exchange: NativeExchange,
  shortcut: boolean,
): ReceivedResponse {
  const route = exchange instanceof CompletionsExchange ? 'completions' : 'chat';
  const reader = new ChunkReader({ ...request, route });
  let text = '';
  let repeated = 0;
  for (const chunk of chunks) {
    const bytes = Buffer.from(chunk);
    const event = shortcut ? reader.repeated(bytes, eventsOf(exchange)) : undefined;
    if (event !== undefined) {
      repeated += 1;
      text += event.toString();
    } else {
      const batch = reader.feed(bytes);
      if (batch.length > 0) text += exchange.events(batch)?.toString() ?? '';
    }
  }
  exchange.count(repeated);
  return { text, repeated, usage: exchange.usage, failure: reader.failure?.message };
}

const parsed = (text: string): unknown[] =>
  text
    .split('\n\n')
    .filter((event) => event !== '')
    .map((event): unknown => JSON.parse(event.slice('data: '.length)));

const event = (content: string, rest = '', created = 1): string =>
  `data: {"id":"x","created":${created},"model":"/home/me/secret.gguf","choices":[{"index":0,"delta":{"content":"${content}"}${rest}}]}\n\n`;

/** @returns how many chunks took the shortcut, after it was found to change nothing that a client sees */
function expectSame(chunks: readonly (string | Buffer)[], exchange = chat): number {
  const without = responseTo(chunks, exchange(), false);
  const response = responseTo(chunks, exchange(), true);
  expect(parsed(response.text)).toEqual(parsed(without.text));
  expect(response.usage).toEqual(without.usage);
  expect(response.failure).toBe(without.failure);
  expect(response.text).not.toContain('secret');
  return response.repeated;
}

describe('a chunk that repeats another one with its own text', () => {
  it('becomes the same event as by parsing, and is counted', () => {
    expect(expectSame([event('a'), event('b'), event('c'), event('d')])).toBe(3);
  });

  it('gets no second role where the engine sends none', () => {
    const { text } = responseTo([event('a'), event('b'), event('c')], chat(), true);
    expect(text.match(/"role":"assistant"/g)).toHaveLength(1);
  });

  it('a chunk that repeats another one with its own text may have any text, in any place of the object', () => {
    const text = fc.string({ unit: 'binary', minLength: 1 }).map((value) => JSON.stringify(value).slice(1, -1));
    fc.assert(
      fc.property(
        fc.array(text, { minLength: 2 }),
        fc.constantFrom('', ',"logprobs":null,"finish_reason":null'),
        (texts, rest) => {
          expect(expectSame(texts.map((one) => event(one, rest)))).toBe(texts.length - 1);
        },
      ),
    );
  });

  it.each([
    ['reasoning beside an empty content', '"delta":{"content":null,"reasoning_content":"', '"}', chat],
    ['a role in every chunk', '"delta":{"role":"assistant","content":"', '"}', chat],
    ['a text completion', '"text":"', '"', completions],
  ])('a chunk that repeats another one with its own text may be %s', (_what, before, after, exchange) => {
    const chunk = (text: string): string =>
      `data: {"choices":[{${before}${text}${after},"finish_reason":null}],"created":1,"id":"y"}\n\n`;
    expect(expectSame([chunk('a'), chunk('b'), chunk('c')], exchange)).toBe(2);
  });

  it('a chunk that repeats another one with its own text is found again after an envelope that changes now and then', () => {
    const chunks = [1, 2, 3].flatMap((created) => Array.from({ length: 10 }, (_, at) => event(`t${at}`, '', created)));
    expect(expectSame(chunks)).toBe(27);
  });
});

describe('an event that only looks like a repeated chunk', () => {
  it.each([
    ['an end', event('', ',"finish_reason":"stop"')],
    ['an empty text', event('')],
    ['a text that closes its string', event('x"},"finish_reason":"error","delta":{"content":"y')],
    ['a text with further keys', event('x","tool_calls":[{"function":{"name":"f"}}],"role":"user')],
    ['a text that ends the event', event('x\n\ndata: {"error":"y')],
    ['a control character', event('a\tb')],
    ['an unknown escape', event('\\x41')],
    ['a cut escape', event('\\u00')],
    ['an escaped closing quote', event('\\')],
    ['bytes that are no UTF-8', Buffer.from(event('\xff'), 'latin1')],
    ['a part of an event', event('b').slice(0, -1)],
    ['two events', event('b') + event('c')],
    ['[DONE]', 'data: [DONE]\n\n'],
    ['an error', 'data: {"error":{"message":"full"}}\n\n'],
    ['usage', 'data: {"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":4}}\n\n'],
  ])('%s is parsed', (_what, chunk) => {
    expect(expectSame([event('a'), chunk, '\n', event('last')])).toBeLessThanOrEqual(1);
    const reader = new ChunkReader(request);
    reader.feed(Buffer.from(event('a')));
    expect(reader.repeated(Buffer.from(chunk), eventsOf(chat()))).toBeUndefined();
  });

  it('an event that only looks like a repeated chunk is no shortcut inside another event, after the end, or after a failure', () => {
    for (const before of ['event: error\n', 'data: {\n', 'data: [DONE]\n\n', 'data: {"error":"full"}\n\n']) {
      const reader = new ChunkReader(request);
      reader.feed(Buffer.from(event('a')));
      reader.feed(Buffer.from(before));
      expect(reader.repeated(Buffer.from(event('b')), eventsOf(chat()))).toBeUndefined();
    }
  });

  it.each([
    ['usage', `data: {"choices":[{"delta":{"content":"a"}}],"usage":{"prompt_tokens":1,"completion_tokens":0}}\n\n`],
    ['a repeated key', `data: {"choices":[{"delta":{"content":"a","content":"b"}}]}\n\n`],
    ['repeated choices', `data: {"choices":[],"choices":[{"delta":{"content":"a"}}]}\n\n`],
    ['two choices', `data: {"choices":[{"delta":{"content":"a"}},{"index":1,"delta":{"content":"a"}}]}\n\n`],
    ['a tool call', `data: {"choices":[{"delta":{"content":"a","tool_calls":[{"index":0}]}}]}\n\n`],
    ['two texts', `data: {"choices":[{"delta":{"content":"a","reasoning":"b"}}]}\n\n`],
  ])('an event that only looks like a repeated chunk is none after a chunk with %s', (_what, chunk) => {
    expect(expectSame([chunk, chunk, chunk])).toBe(0);
  });
});
