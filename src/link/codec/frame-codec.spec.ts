import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decodeBody, decodeMessage, decodeWindow, encodeFrame, encodeWindow, type Frame } from './frame-codec.js';
import { CONTROL_STREAM, FrameType, frameName, isControlFrame, MAX_FRAME_PAYLOAD_BYTES } from './frame-types.js';
import { LinkProtocolError } from '../link-errors.js';

const anyType = fc.constantFrom(...Object.values(FrameType));
const anyStream = fc.integer({ min: 1, max: 0xffff_ffff });
const anyPayload = fc.oneof(
  { weight: 20, arbitrary: fc.uint8Array({ maxLength: 64 }) },
  { weight: 1, arbitrary: fc.constantFrom(0, 65_535, MAX_FRAME_PAYLOAD_BYTES).map((size) => new Uint8Array(size)) },
);
const anyFrame = fc.tuple(anyType, anyStream, anyPayload).map(([type, stream, payload]): Frame => {
  return { stream: isControlFrame(type) ? CONTROL_STREAM : stream, type, payload: Buffer.from(payload) };
});
const fewFrames = fc.array(anyFrame, { minLength: 1, maxLength: 3 });

const encodeAll = (frames: readonly Frame[]): Buffer =>
  Buffer.concat(frames.map(({ stream, type, payload }) => encodeFrame(stream, type, payload)));

const sameFrames = (left: readonly Frame[], right: readonly Frame[]): boolean =>
  left.length === right.length &&
  left.every((frame, index) => {
    const other = right[index];
    return frame.stream === other?.stream && frame.type === other.type && frame.payload.equals(other.payload);
  });

describe('decodeMessage', () => {
  it('round-trips every sequence of frames', () => {
    fc.assert(fc.property(fewFrames, (frames) => sameFrames(decodeMessage(encodeAll(frames)), frames)));
  });

  it('refuses a message cut inside a frame', () => {
    fc.assert(
      fc.property(fc.array(anyFrame, { minLength: 1, maxLength: 3 }), (frames) => {
        const message = encodeAll(frames);
        const ends = new Map<number, number>();
        let end = 0;
        frames.forEach((frame, index) => ends.set((end += 8 + frame.payload.length), index + 1));
        const step = Math.max(1, Math.floor(message.length / 400));
        for (let cut = 0; cut < message.length; cut += step) {
          const whole = ends.get(cut);
          if (whole === undefined) expect(() => decodeMessage(message.subarray(0, cut))).toThrow(LinkProtocolError);
          else expect(sameFrames(decodeMessage(message.subarray(0, cut)), frames.slice(0, whole))).toBe(true);
        }
      }),
      { numRuns: 50 },
    );
  });

  it('throws nothing but LinkProtocolError for random bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        try {
          decodeMessage(Buffer.from(bytes));
        } catch (error) {
          return error instanceof LinkProtocolError;
        }
        return true;
      }),
      { numRuns: 2_000 },
    );
  });

  it('throws nothing but LinkProtocolError when bytes of good frames are changed', () => {
    const change = fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 }));
    fc.assert(
      fc.property(fewFrames, fc.array(change, { minLength: 1, maxLength: 4 }), (frames, changes) => {
        const message = encodeAll(frames);
        for (const [at, value] of changes) message[at % message.length] = value;
        try {
          decodeMessage(message);
        } catch (error) {
          return error instanceof LinkProtocolError;
        }
        return true;
      }),
      { numRuns: 500 },
    );
  });

  it('returns views of the message, not copies', () => {
    const message = encodeFrame(3, FrameType.data, Buffer.from('abc'));
    const [frame] = decodeMessage(message);
    message[8] = 0x7a;
    expect(frame?.payload.toString()).toBe('zbc');
  });

  it.each([
    ['an empty message', Buffer.alloc(0), 'empty message'],
    ['an unknown type', encodeFrame(0, 22 as FrameType, Buffer.alloc(0)), 'unknown frame type'],
    ['type 0', encodeFrame(0, 0 as FrameType, Buffer.alloc(0)), 'unknown frame type'],
    ['a payload over 64 KiB', encodeFrame(1, FrameType.data, Buffer.alloc(65_537)), 'DATA over 64 KiB'],
    ['a message over 256 KiB', Buffer.alloc(262_145), 'message over 256 KiB'],
    ['DATA on the control stream', encodeFrame(0, FrameType.data, Buffer.from('x')), 'DATA on a wrong stream'],
    ['HELLO on a request stream', encodeFrame(1, FrameType.hello, Buffer.from('{}')), 'HELLO on a wrong stream'],
    [
      'a good frame before a bad one',
      Buffer.concat([encodeFrame(1, FrameType.ack, Buffer.alloc(0)), Buffer.alloc(7)]),
      'cut frame header',
    ],
  ])('refuses %s', (_name, message, reason) => {
    expect(() => decodeMessage(message)).toThrow(new LinkProtocolError(reason));
  });

  it.each(Object.entries(FrameType))('allows %s on one kind of stream only', (_key, type) => {
    const wrong = isControlFrame(type) ? 1 : CONTROL_STREAM;
    const message = encodeFrame(wrong, type, Buffer.alloc(0));
    expect(() => decodeMessage(message)).toThrow(`${frameName(type)} on a wrong stream`);
  });

  it('takes the largest message: four whole payloads do not fit, three do', () => {
    const frame = encodeFrame(1, FrameType.data, Buffer.alloc(MAX_FRAME_PAYLOAD_BYTES));
    expect(decodeMessage(Buffer.concat([frame, frame, frame]))).toHaveLength(3);
    expect(() => decodeMessage(Buffer.concat([frame, frame, frame, frame]))).toThrow(LinkProtocolError);
  });
});

describe('decodeBody', () => {
  it('reads the flag of the last piece, which alone may be empty', () => {
    expect(decodeBody(Buffer.from([1]))).toEqual({ last: true, bytes: Buffer.alloc(0) });
    expect(decodeBody(Buffer.from([0, 65]))).toEqual({ last: false, bytes: Buffer.from('A') });
  });

  it.each([[[]], [[0]], [[2, 65]], [[255]]])('refuses %j', (bytes) => {
    expect(() => decodeBody(Buffer.from(bytes))).toThrow(LinkProtocolError);
  });
});

describe('decodeWindow', () => {
  it('reads what encodeWindow wrote', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 0xffff_ffff }), (credit) => decodeWindow(encodeWindow(credit)) === credit),
    );
  });

  it.each([[[]], [[0, 0, 1]], [[0, 0, 0, 0]], [[0, 0, 0, 0, 1]]])('refuses %j', (bytes) => {
    expect(() => decodeWindow(Buffer.from(bytes))).toThrow(LinkProtocolError);
  });
});
