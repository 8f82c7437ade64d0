import { describe, expect, it, jest } from '@jest/globals';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '../../../../test/support/clock/eventually.js';
import type { RawClient } from '../../../../test/support/network/loopback.js';
import { eventStreamSuite } from '../../../../test/support/relay/event-stream.harness.js';

// A stalled client is one that the system's own buffers have stopped taking for: that takes a while on a busy machine.
jest.setTimeout(30_000);

const suite = eventStreamSuite();
const { ask, wait } = suite;

describe('a client that does not read', () => {
  const WINDOW_BYTES = 65_536;
  const event = Buffer.from(`data: ${'x'.repeat(1_016)}\n\n`);

  let reported = 0;

  /** A producer with a credit window, as a node has: what is under way is never more than the window. */
  function produceOnCredit(): void {
    reported = 0;
    let producing = false;
    suite.result.onConsumed = () => {
      if (producing) return;
      producing = true;
      while (reported - suite.result.consumedBytes + event.byteLength <= WINDOW_BYTES) {
        reported += event.byteLength;
        suite.result.say(event);
      }
      producing = false;
    };
    suite.result.onConsumed();
  }

  /** The system's own buffers take some megabytes; then nothing is taken any more. */
  async function stalled(): Promise<void> {
    let takenBefore = -1;
    await eventually('the client has stalled', async () => {
      const same = suite.response!.socket!.writableNeedDrain && takenBefore === suite.result.consumedBytes;
      takenBefore = suite.result.consumedBytes;
      await delay(100);
      return same;
    });
  }

  async function stall(): Promise<RawClient> {
    const reader = await ask();
    reader.socket.pause();
    // Bursts of one turn of the event loop would never let the socket take anything.
    setImmediate(produceOnCredit);
    await stalled();
    return reader;
  }

  it('applies backpressure: at most a window is buffered, and every byte arrives later', async () => {
    const reader = await stall();
    // What Node's socket took without asking to wait (16 KiB), and the framing of chunks, come on top.
    expect(suite.response!.socket!.writableLength).toBeLessThan(WINDOW_BYTES + 20_000);
    expect(reported - suite.result.consumedBytes).toBeLessThanOrEqual(WINDOW_BYTES);
    suite.result.onConsumed = () => undefined;
    reader.socket.resume();
    await eventually('everything was taken', () => suite.result.consumedBytes === reported);
    suite.result.finish();
    await reader.until(/\r\n0\r\n\r\n$/);
    expect(reader.chunks.join('') === event.toString().repeat(reported / event.byteLength)).toBe(true);
  });

  it('gets no keep-alives on top, and is cut off after a minute', async () => {
    const reader = await stall();
    const queued = suite.response!.socket!.writableLength;
    wait(59_000);
    expect(suite.response!.socket!.writableLength).toBe(queued);
    expect(suite.result.cancelled).toBe(0);
    wait(2_000);
    await eventually('the request is cancelled', () => suite.result.cancelled === 1);
    expect(await suite.outcome).toBe('sent');
    reader.socket.resume();
    await reader.closed;
  });

  it('a client that does not read is cut off as well when only the end is unread', async () => {
    await stall();
    suite.result.finish();
    wait(62_000);
    expect(await suite.outcome).toBe('sent');
    expect(suite.response!.destroyed).toBe(true);
  });

  it('a client that does not read is not cut off while it reads now and then', async () => {
    const reader = await stall();
    for (let turn = 0; turn < 3; turn += 1) {
      wait(50_000);
      const drained = once(suite.response!.socket!, 'drain');
      reader.socket.resume();
      await drained;
      reader.socket.pause();
      await stalled();
    }
    expect(suite.result.active).toBe(true);
  });
});
