import { describe, expect, it } from '@jest/globals';
import { LateFrames } from './late-frames.js';
import { LinkProtocolError } from '../link-errors.js';

const CREDIT_BYTES = 65_536;
const LIMIT_BYTES = 4 * CREDIT_BYTES;

describe('frames of streams closed by this side', () => {
  it('frames of streams closed by this side are ignored within the credit of each of them', () => {
    const late = new LateFrames();
    late.streamClosed(1, CREDIT_BYTES, LIMIT_BYTES);
    late.streamClosed(2, 10, LIMIT_BYTES);
    late.ignore(1, CREDIT_BYTES - 1, false);
    late.ignore(2, 10, false);
    late.ignore(1, 1, false);
    expect(late.ignored).toBe(3);
    expect(() => {
      late.ignore(2, 1, false);
    }).toThrow(LinkProtocolError);
  });

  it('may be more over all streams than the peer may have in flight at one time, because it learns of one close after the other', () => {
    const late = new LateFrames();
    for (let stream = 1; stream <= 10; stream += 1) late.streamClosed(stream, LIMIT_BYTES, LIMIT_BYTES);
    for (let stream = 1; stream <= 10; stream += 1) late.ignore(stream, LIMIT_BYTES, false);
    expect(() => {
      late.ignore(1, 1, false);
    }).toThrow(LinkProtocolError);
  });

  it('end with the last frame of their stream', () => {
    const late = new LateFrames();
    late.streamClosed(1, CREDIT_BYTES, LIMIT_BYTES);
    late.ignore(1, 0, true);
    expect(() => {
      late.ignore(1, 1, false);
    }).toThrow(LinkProtocolError);
  });

  it('share one allowance, up to what the peer may have in flight, where too many streams have no last frame', () => {
    const late = new LateFrames();
    for (let stream = 1; stream <= 10_000; stream += 1) late.streamClosed(stream, CREDIT_BYTES, LIMIT_BYTES);
    late.ignore(1, LIMIT_BYTES, false);
    expect(() => {
      late.ignore(2, 1, false);
    }).toThrow(LinkProtocolError);
  });

  it('never exceed the bytes that the peer may have in flight where no last frame is sent', () => {
    const late = new LateFrames();
    for (let stream = 0; stream < 1_000; stream += 1) late.share(CREDIT_BYTES, LIMIT_BYTES);
    late.ignore(1, LIMIT_BYTES, false);
    expect(() => {
      late.ignore(1, 1, false);
    }).toThrow(LinkProtocolError);
  });
});
