import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { completedEnd } from '../../../test/support/link/link-pair.js';
import { LinkProtocolError } from '../link-errors.js';
import { endMessage, headMessage, type EndMessage, type HeadMessage, type UsageReport } from '../messages.js';
import { decodeWhole, encodeWholeHead, WHOLE_HEAD_BYTES } from './whole-response.js';

const body = Buffer.from('{"a":1}');
const headFor = (native = true): HeadMessage => ({
  status: 200,
  content_type: 'application/json',
  content_length: body.length,
  translation: { native, dropped: [] },
});
const used: UsageReport = {
  input_tokens: 7,
  output_tokens: 3,
  cached_tokens: null,
  reasoning_tokens: 0,
  source: 'counted',
};

const count = fc.nat(0xffff_ffff);
const usage: fc.Arbitrary<UsageReport | null> = fc.option(
  fc.record({
    input_tokens: count,
    output_tokens: count,
    cached_tokens: fc.option(count),
    reasoning_tokens: fc.option(count),
    source: fc.constantFrom('engine', 'counted', 'estimated'),
  }),
);
const timings = fc.record({ first_event_ms: fc.option(count), total_ms: count });

/** @param changes bytes by offset */
const payload = (changes: Readonly<Record<number, number>> = {}, bytes: Buffer = body): Buffer => {
  const head = encodeWholeHead(headFor(), { ...completedEnd, usage: null });
  if (head === undefined) throw new Error('not the usual answer');
  for (const [offset, value] of Object.entries(changes)) head[Number(offset)] = value;
  return Buffer.concat([head, bytes]);
};

describe('WHOLE', () => {
  it('says the same as HEAD and END', () => {
    fc.assert(
      fc.property(fc.boolean(), usage, timings, (native, counted, times) => {
        const end: EndMessage = { ...completedEnd, usage: counted, timings: times };
        const encoded = encodeWholeHead(headFor(native), end);
        if (encoded === undefined) throw new Error('not the usual answer');
        expect(encoded).toHaveLength(WHOLE_HEAD_BYTES);
        const whole = decodeWhole(Buffer.concat([encoded, body]));
        expect(whole).toEqual({ head: headFor(native), body, end });
        expect(headMessage.parse(whole.head)).toEqual(whole.head);
        expect(endMessage.parse(whole.end)).toEqual(whole.end);
      }),
    );
  });

  it.each<[string, HeadMessage, EndMessage]>([
    ['a failure', headFor(), { ...completedEnd, outcome: 'failed' }],
    ['dropped fields', headFor(), { ...completedEnd, dropped: ['container'] }],
    ['dropped fields of a translation', { ...headFor(), translation: { native: false, dropped: ['n'] } }, completedEnd],
    ['a head that names no translation', { ...headFor(), translation: null }, completedEnd],
    ['a count over 32 bits', headFor(), { ...completedEnd, usage: { ...used, input_tokens: 2 ** 32 } }],
    ['a count that is none', headFor(), { ...completedEnd, usage: { ...used, output_tokens: 1.5 } }],
    ['a time that is none', headFor(), { ...completedEnd, timings: { first_event_ms: null, total_ms: -1 } }],
  ])('WHOLE has no place for %s', (_what, head, end) => {
    expect(encodeWholeHead(head, end)).toBeUndefined();
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['half a head', payload().subarray(0, 12)],
    ['no body', payload({}, Buffer.alloc(0))],
    ['an unknown flag', payload({ 0: 0x91 })],
    ['an unknown source', payload({ 0: 0x72 })],
    ['a source without usage', payload({ 0: 0x31 })],
    ['cached tokens without usage', payload({ 0: 0x15 })],
    ['tokens without usage', payload({ 12: 1 })],
    ['cached tokens that are not known', payload({ 0: 0x13, 20: 1 })],
    ['a first event that there was not', payload({ 0: 0x01 })],
  ])('WHOLE is malformed with %s', (_what, bytes) => {
    expect(() => decodeWhole(bytes)).toThrow(new LinkProtocolError('malformed WHOLE'));
  });

  it('WHOLE has a body of at most 16 KiB', () => {
    expect(decodeWhole(payload({}, Buffer.alloc(16_384))).head.content_length).toBe(16_384);
    expect(() => decodeWhole(payload({}, Buffer.alloc(16_385)))).toThrow(new LinkProtocolError('WHOLE over 16 KiB'));
  });

  it('WHOLE is decoded or refused, whatever bytes come', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        try {
          const { head, end } = decodeWhole(Buffer.from(bytes));
          expect(headMessage.safeParse(head).success && endMessage.safeParse(end).success).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(LinkProtocolError);
        }
      }),
    );
  });
});
