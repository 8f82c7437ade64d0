import { describe, expect, it } from '@jest/globals';
import { LateFrames } from './late-frames.js';
import { LinkProtocolError } from '../link-errors.js';

const CREDIT_BYTES = 65_536;
const LIMIT_BYTES = 4 * CREDIT_BYTES;

describe('frames of streams that this side has closed', () => {
  it('are ignored as far as the credit of those streams went', () => {
    const late = new LateFrames();
    late.streamClosed(CREDIT_BYTES, LIMIT_BYTES);
    late.streamClosed(10, LIMIT_BYTES);
    late.ignore(CREDIT_BYTES + 10);
    expect(late.ignored).toBe(1);
    expect(() => late.ignore(1)).toThrow(LinkProtocolError);
  });

  it('never have more bytes than the peer may have on its way, however many streams were closed before', () => {
    const late = new LateFrames();
    for (let stream = 0; stream < 1_000; stream += 1) late.streamClosed(CREDIT_BYTES, LIMIT_BYTES);
    late.ignore(LIMIT_BYTES);
    expect(() => late.ignore(1)).toThrow(LinkProtocolError);
  });
});
