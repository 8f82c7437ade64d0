/** WHOLE of a node that breaks the protocol. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { completedEnd, openHead, streamHead } from '../../../test/support/link/link-pair.js';
import { RelaySessionHarness } from '../../../test/support/link/relay-session.harness.js';
import { CheckedResponse } from '../../relay/nodes/registry/checked-response.js';
import { FrameType } from '../codec/frame-types.js';
import { encodeWholeHead } from '../codec/whole-response.js';
import type { ReadyMessage } from '../messages.js';

const whole = (bytes: number): Buffer => {
  const head = encodeWholeHead(
    {
      status: 200,
      content_type: 'application/json',
      content_length: bytes,
      translation: { native: true, dropped: [] },
    },
    completedEnd,
  );
  if (head === undefined) throw new Error('not the usual answer');
  return Buffer.concat([head, Buffer.alloc(bytes, 0x20)]);
};
const admitted = (limits: Partial<ReadyMessage['limits']> = {}): RelaySessionHarness =>
  RelaySessionHarness.admitted(limits);

describe('WHOLE at a relay', () => {
  it('answers a request, with or without an ACK before it', () => {
    const harness = admitted();
    for (const name of ['a', 'b']) harness.open(name);
    harness.say(2, FrameType.ack);
    harness.say(1, FrameType.whole, whole(9));
    harness.say(2, FrameType.whole, whole(16_384));
    expect(harness.log).toEqual([
      ...['b ack'],
      ...['a ack', 'a head', 'a data 9', 'a end completed'],
      ...['b head', 'b data 16384', 'b end completed'],
    ]);
    expect(harness.socket.closedWith).toBeUndefined();
  });

  it.each<[string, (harness: RelaySessionHarness) => void, string]>([
    [
      'a cut head',
      (harness) => {
        harness.say(1, FrameType.whole, whole(9).subarray(0, 20));
      },
      'malformed WHOLE',
    ],
    [
      'no body',
      (harness) => {
        harness.say(1, FrameType.whole, whole(0));
      },
      'malformed WHOLE',
    ],
    [
      'a body above the limit',
      (harness) => {
        harness.say(1, FrameType.whole, whole(16_385));
      },
      'WHOLE over 16 KiB',
    ],
    [
      'a HEAD before it',
      (harness) => {
        harness.say(1, FrameType.ack);
        harness.say(1, FrameType.head, streamHead);
        harness.say(1, FrameType.whole, whole(9));
      },
      'WHOLE after HEAD',
    ],
    [
      'an unknown stream',
      (harness) => {
        harness.say(2, FrameType.whole, whole(9));
      },
      'unknown stream',
    ],
    [
      'another WHOLE before it',
      (harness) => {
        harness.say(1, FrameType.whole, whole(9));
        harness.say(1, FrameType.whole, whole(9));
      },
      'bytes on a closed stream',
    ],
    [
      'a REJECT before it',
      (harness) => {
        harness.say(1, FrameType.reject, { reason: 'busy', message: null });
        harness.say(1, FrameType.whole, whole(9));
      },
      'bytes on a closed stream',
    ],
  ])('WHOLE at a relay with %s closes the link', (_what, say, reason) => {
    const harness = admitted();
    harness.open('a');
    say(harness);
    expect(harness.socket.closedWith).toEqual({ code: 1002, reason });
  });

  it.each([
    ['of its stream', { to_relay_window_bytes: 100 }, 'window overrun'],
    ['of the link', { max_outstanding_bytes: 100 }, 'link window overrun'],
  ])('WHOLE at a relay beyond the credit %s closes the link', (_whose, limits, reason) => {
    const harness = admitted(limits);
    harness.open('a');
    harness.say(1, FrameType.whole, whole(101));
    expect(harness.socket.closedWith).toEqual({ code: 1002, reason });
  });

  it('WHOLE at a relay after a reset is ignored, as much as its credit allows', () => {
    const harness = admitted({ to_relay_window_bytes: 100 });
    harness.open('a').reset('cancelled');
    harness.say(1, FrameType.whole, whole(60));
    expect(harness.socket.closedWith).toBeUndefined();
    harness.say(1, FrameType.whole, whole(60));
    expect(harness.socket.closedWith).toEqual({ code: 1002, reason: 'bytes on a closed stream' });
    expect(harness.log).not.toContain('a end completed');
  });

  it('for a streamed request fails this request and no other', () => {
    const harness = admitted();
    const calls: string[] = [];
    class ReceivedResponse extends CheckedResponse {
      begin(): void {
        this.validate({ stream: true });
        this.stream = harness.session.open(openHead(0), Buffer.alloc(0), this);
      }
      protected acknowledged = (): unknown => calls.push('ack');
      protected refused = (): unknown => calls.push('reject');
      protected begun = (): unknown => calls.push('head');
      protected received = (): unknown => calls.push('data');
      protected finished = (): unknown => calls.push('end');
      protected lost = (reason: string): unknown => calls.push(`lost ${reason}`);
    }
    new ReceivedResponse().begin();
    harness.open('b');
    harness.sent();
    harness.say(1, FrameType.whole, whole(9));
    expect(calls).toEqual(['ack', 'lost internal']);
    expect(harness.sent()).toEqual(['1 RESET internal']);
    harness.say(2, FrameType.whole, whole(9));
    expect(harness.log).toContain('b end completed');
  });

  it('ends a request at most once, whatever bytes come in whatever order', () => {
    const step = fc.oneof(
      fc.uint8Array({ maxLength: 60 }).map((bytes) => [FrameType.whole, Buffer.from(bytes)] as const),
      fc.integer({ min: 1, max: 17_000 }).map((bytes) => [FrameType.whole, whole(bytes)] as const),
      fc.constant([FrameType.ack, Buffer.alloc(0)] as const),
      fc.constant([FrameType.data, Buffer.from('x')] as const),
    );
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 5 }), (steps) => {
        const harness = admitted();
        harness.open('a');
        for (const [type, payload] of steps) harness.say(1, type, payload);
        harness.session.closed();
        expect(harness.log.filter((line) => /^a (end|lost)/.test(line))).toHaveLength(1);
        expect(harness.errors).toEqual([]);
      }),
    );
  });
});
