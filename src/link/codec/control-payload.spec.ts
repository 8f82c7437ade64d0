import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { completedEnd, helloFacts, openHead, readyFacts } from '../../../test/support/link/link-pair.js';
import {
  decodeControl,
  decodeEnd,
  decodeHead,
  encodeControl,
  encodeEnd,
  encodeHead,
  encodeOpen,
  LinkMessageError,
} from './control-payload.js';
import { FrameType } from './frame-types.js';
import { LinkProtocolError } from '../link-errors.js';
import {
  endMessage,
  headMessage,
  helloMessage,
  inventoryMessage,
  openMessage,
  type OpenMessage,
  readyMessage,
  rejectMessage,
  statusMessage,
  streamsMessage,
} from '../messages.js';

const hello = (payload: string | Buffer) => ({ stream: 0, type: FrameType.hello, payload: Buffer.from(payload) });

describe('control payloads', () => {
  it.each([
    ['invalid UTF-8', hello(Buffer.from([0x7b, 0xff, 0x7d])), 'HELLO is not UTF-8'],
    ['cut JSON', hello('{"protocol_versions":[1'), 'HELLO is not JSON'],
    ['nothing', hello(''), 'HELLO is not JSON'],
    ['another shape', hello('[]'), 'malformed HELLO'],
    ['deep nesting', hello('['.repeat(60_000)), 'HELLO is not JSON'],
    ['an over-long text', hello(JSON.stringify({ ...helloFacts, node_name: 'n'.repeat(201) })), 'malformed HELLO'],
  ])('refuses %s, and does not repeat what the peer sent', (_name, frame, reason) => {
    expect(() => decodeControl(helloMessage, frame)).toThrow(new LinkProtocolError(reason));
  });

  it('ignores fields of a newer peer', () => {
    const text = JSON.stringify({ ...helloFacts, colour: 'green', __proto__: null });
    expect(decodeControl(helloMessage, hello(text))).toEqual(helloFacts);
    expect(decodeControl(helloMessage, hello(text.replace('"colour"', '"__proto__"')))).toEqual(helloFacts);
  });

  it('writes OPEN without its schema as with it, and within the same bounds', () => {
    const plain: OpenMessage = { ...openHead(9), response_id: null };
    for (const head of [
      openHead(9),
      plain,
      { ...openHead(9), response_id: null, headers: { 'openai-beta': 'x'.repeat(2_000) } },
      // One after the other, so that what is remembered of the one before would show.
      ...Object.entries({
        request_id: 'a "quoted"\nid',
        dialect: 'messages',
        model_key: 'engine\0"other"',
        public_model: 'an "other"',
        stream: !plain.stream,
        deadline_ms: 17,
        body_bytes: 10,
        scope: 'acc_other',
        response_id: 'resp_1',
        first_output_ms: 18,
        headers: { 'openai-beta': '' },
        traceparent: 'trace',
        node_id: 'nd_1',
        hop: 1,
      }).flatMap(([name, value]) => [{ ...plain, [name]: value }, plain]),
    ]) {
      const frame = { stream: 1, type: FrameType.open, payload: encodeOpen(head) };
      expect(decodeControl(openMessage, frame)).toEqual(
        decodeControl(openMessage, { ...frame, payload: encodeControl(openMessage, head) }),
      );
    }
    for (const head of [
      { ...openHead(9), public_model: '' },
      { ...openHead(9), public_model: 'm'.repeat(601) },
      { ...openHead(9), headers: { 'openai-beta': 'x'.repeat(2_001) } },
    ]) {
      expect(() => encodeControl(openMessage, head)).toThrow(LinkMessageError);
      expect(() => encodeOpen(head)).toThrow(LinkMessageError);
    }
  });

  it('control payloads has hand-written HEAD and END codecs that agree with the schemas', () => {
    const odd = fc.oneof(
      fc.constantFrom(null, 0, 1, -1, 1.5, 2 ** 53, true, 'engine', 'completed', [], ['a'], {}),
      fc.anything(),
    );
    const mostly = (value: unknown) =>
      fc.oneof({ weight: 6, arbitrary: fc.constant(value) }, { weight: 1, arbitrary: odd });
    const either = (...values: unknown[]) =>
      fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...values) }, { weight: 1, arbitrary: odd });
    const counts = either(0, 7, 2 ** 53 - 1, null);
    const extra = fc.dictionary(fc.constantFrom('colour', '__proto__', 'more'), fc.nat(), { maxKeys: 1 });
    const record = (shape: Record<string, fc.Arbitrary<unknown>>) =>
      fc
        .tuple(fc.record(shape, { requiredKeys: [] }), fc.record(shape), extra, fc.boolean())
        .map(([some, all, more, isWhole]) => ({ ...more, ...(isWhole ? all : some) }));
    const dropped = either([], ['stop']);
    const heads = record({
      status: mostly(200),
      content_type: either('application/json', 'text/event-stream'),
      content_length: counts,
      translation: fc.oneof(record({ native: either(true, false), dropped }), either(null, undefined)),
    });
    const usage = record({
      input_tokens: counts,
      output_tokens: counts,
      cached_tokens: counts,
      reasoning_tokens: counts,
      source: either('engine', 'counted', 'estimated'),
    });
    const ends = record({
      outcome: either('completed', 'cancelled'),
      failure: mostly(null),
      usage: fc.oneof(usage, mostly(null)),
      timings: record({ first_event_ms: counts, total_ms: counts }),
      dropped,
    });
    const result = (run: () => unknown): unknown => {
      try {
        return run();
      } catch (error) {
        return (error as Error).constructor.name;
      }
    };
    const same = (byHand: () => unknown, bySchema: () => unknown): void => {
      expect(result(byHand)).toEqual(result(bySchema));
    };
    const ways = [
      { messages: heads, type: FrameType.head, schema: headMessage, encode: encodeHead, decode: decodeHead },
      { messages: ends, type: FrameType.end, schema: endMessage, encode: encodeEnd, decode: decodeEnd },
    ];
    for (const { messages, type, schema, encode, decode } of ways) {
      const bothWays = fc.property(messages, (message) => {
        const frame = { stream: 1, type, payload: Buffer.from(JSON.stringify(message)) };
        same(
          () => decode(frame),
          () => decodeControl(schema, frame),
        );
        same(
          () => encode(message as never),
          () => encodeControl(schema, message as never),
        );
      });
      fc.assert(bothWays, { numRuns: 500 });
    }
  });

  it('never sends a payload that the peer would refuse', () => {
    expect(() => encodeControl(rejectMessage, { reason: 'busy', message: 'm'.repeat(4_001) })).toThrow(
      LinkMessageError,
    );
    const engines = Array.from({ length: 64 }, () => ({
      name: '\u0001'.repeat(200),
      kind: '\u0001'.repeat(200),
      version: null,
    }));
    expect(() => encodeControl(helloMessage, { ...helloFacts, engines })).toThrow('link message over 64 KiB');
  });

  it.each([
    ['HELLO', helloMessage, helloFacts],
    ['READY', readyMessage, readyFacts],
    ['OPEN', openMessage, openHead(5)],
    ['END', endMessage, completedEnd],
  ])('reads %s as it was written', (_name, schema, message) => {
    expect(
      decodeControl(schema, { stream: 0, type: FrameType.hello, payload: encodeControl(schema, message) }),
    ).toEqual(message);
  });

  it('throws nothing but LinkProtocolError for any JSON', () => {
    const schemas = [
      helloMessage,
      readyMessage,
      inventoryMessage,
      statusMessage,
      openMessage,
      endMessage,
      headMessage,
      streamsMessage,
    ];
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(...schemas), (text, schema) => {
        try {
          decodeControl(schema, hello(text));
        } catch (error) {
          return error instanceof LinkProtocolError;
        }
        return true;
      }),
    );
  });
});
