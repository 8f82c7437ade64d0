import { describe, expect, it } from '@jest/globals';
import { LateFrames } from './link-connection.js';
import { LinkProtocolError } from '../link-errors.js';

const CREDIT_BYTES = 65_536;
const LIMIT_BYTES = 4 * CREDIT_BYTES;

describe('frames of streams closed by this side', () => {
  it('frames of streams closed by this side are ignored within the credit of those streams', () => {
    const late = new LateFrames();
    late.streamClosed(CREDIT_BYTES, LIMIT_BYTES);
    late.streamClosed(10, LIMIT_BYTES);
    late.ignore(CREDIT_BYTES + 10);
    expect(late.ignored).toBe(1);
    expect(() => late.ignore(1)).toThrow(LinkProtocolError);
  });

  it('never exceed the bytes that the peer may have in flight', () => {
    const late = new LateFrames();
    for (let stream = 0; stream < 1_000; stream += 1) late.streamClosed(CREDIT_BYTES, LIMIT_BYTES);
    late.ignore(LIMIT_BYTES);
    expect(() => late.ignore(1)).toThrow(LinkProtocolError);
  });
});
