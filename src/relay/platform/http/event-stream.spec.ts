import type { StreamFormat } from '../../../dialects/stream-format.js';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { once } from 'node:events';
import type { RequestListener, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '../../../../test/support/clock/eventually.js';
import { createWriter, httpServerOptions } from '../../../../test/support/relay/http-server-options.js';
import { Loopback, RawClient } from '../../../../test/support/network/loopback.js';
import { ManualClock } from '../../../../test/support/clock/manual-clock.js';
import { ScriptedResponse } from '../../../../test/support/relay/scripted-response.js';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import { TICK_MS, TimerWheel } from '../timing/timer-wheel.js';
import { EventStream } from './event-stream.js';
import { createHttpServer } from './server/create-http-server.js';

const timing = { commitMs: 10_000, heartbeatMs: 15_000, slowClientTimeoutMs: 60_000 };
const format: StreamFormat = {
  keepAlive: Buffer.from(': keep-alive\n\n'),
  terminal: (error, requestId) => Buffer.from(`data: ${error.code} ${requestId}\n\n`),
};

// A stalled client is one that the system's own buffers have stopped taking for: that takes a while on a busy machine.
jest.setTimeout(30_000);

let current: StreamFormat;
let clock: ManualClock;
let wheel: TimerWheel;
let result: ScriptedResponse;
let loopback: Loopback;
let response: ServerResponse | undefined;
let outcome: Promise<'sent' | FerryError> | undefined;
let client: RawClient | undefined;

beforeEach(async () => {
  Logger.overrideLogger(false);
  current = format;
  clock = new ManualClock();
  wheel = new TimerWheel({ clock });
  result = new ScriptedResponse();
  outcome = undefined;
  const listener: RequestListener = (_req, res) => {
    response = res;
    res.setHeader('x-request-id', 'req_1');
    outcome = new EventStream(result, current, timing, wheel).send(res, 200, createWriter).then(
      () => 'sent' as const,
      (error: unknown) => {
        const failure = error as FerryError;
        res.writeHead(failure.status).end(failure.code);
        return failure;
      },
    );
  };
  loopback = await Loopback.start(createHttpServer(listener, httpServerOptions));
});

afterEach(async () => {
  client?.destroy();
  await loopback.close();
  await outcome;
  // Whatever happened, nothing is left behind.
  expect(wheel.size).toBe(0);
});

async function ask(): Promise<RawClient> {
  client = await RawClient.request(loopback.port, ['GET / HTTP/1.1', 'Host: relay']);
  await eventually('the request has started', () => result.started === 1);
  return client;
}

function wait(milliseconds: number): void {
  for (let passed = 0; passed < milliseconds; passed += TICK_MS) {
    clock.advance(TICK_MS);
    wheel.advance();
  }
}

describe('a stream', () => {
  it('sends its head with the first bytes, the bytes unchanged, and ends cleanly', async () => {
    const reader = await ask();
    expect(reader.received).toBe('');
    result.extraHeaders = { 'x-node': 'nd_1', 'content-type': 'text/plain' };
    result.say('data: one\n\n');
    result.say('data: two\n\ndata: three\n\n');
    result.finish();
    await reader.until('0\r\n\r\n');
    const head = reader.received.slice(0, reader.received.indexOf('\r\n\r\n')).toLowerCase();
    expect(head).toMatch(/^http\/1\.1 200 /);
    expect(head).toContain('content-type: text/event-stream; charset=utf-8');
    expect(head).toContain('cache-control: no-cache, no-transform');
    expect(head).toContain('x-accel-buffering: no');
    expect(head).toContain('x-node: nd_1');
    expect(head).not.toContain('content-length');
    expect(head).not.toContain('text/plain');
    expect(reader.chunks).toEqual(['data: one\n\n', 'data: two\n\ndata: three\n\n']);
    expect(await outcome).toBe('sent');
    expect(result.consumedBytes).toBe('data: one\n\ndata: two\n\ndata: three\n\n'.length);
    expect(result.cancelled).toBe(0);
  });

  it('a stream may be read ahead of its bytes at any time, which changes nothing', async () => {
    const readAhead = (): void => {
      expect(result.readBy?.readAhead()).toEqual(expect.any(Number));
    };
    const reader = await ask();
    readAhead();
    expect(response?.headersSent).toBe(false);
    result.say('data: one\n\n');
    readAhead();
    result.say('data: two\n\n');
    readAhead();
    result.finish();
    await reader.until('0\r\n\r\n');
    readAhead();
    expect(reader.chunks).toEqual(['data: one\n\n', 'data: two\n\n']);
  });

  it('keeps the connection for the next request', async () => {
    const reader = await ask();
    result.say('data: one\n\n');
    result.finish();
    await reader.until('0\r\n\r\n');
    result = new ScriptedResponse();
    reader.received = '';
    reader.send('GET / HTTP/1.1\r\nHost: relay\r\n\r\n');
    await eventually('the second request has started', () => result.started === 1);
    result.say('data: two\n\n');
    result.finish();
    await reader.until('0\r\n\r\n');
    expect(reader.chunks).toEqual(['data: two\n\n']);
  });
});

describe('a failure', () => {
  it('a failure before the first bytes keeps its status, with nothing written', async () => {
    const reader = await ask();
    result.fail(new FerryError('no_node_for_user'));
    await reader.until('no_node_for_user');
    expect(reader.status).toBe(503);
    expect(reader.received).not.toContain('event-stream');
    expect(await outcome).toBeInstanceOf(FerryError);
  });

  it('a failure before the first bytes, when the source just ends, is not an empty success', async () => {
    const reader = await ask();
    result.finish();
    await reader.until('engine_error');
    expect(reader.status).toBe(503);
  });

  it('a failure after the first bytes is sent inside the stream, which then ends', async () => {
    const reader = await ask();
    result.say('data: one\n\n');
    result.fail(new FerryError('node_disconnected'));
    await reader.until('0\r\n\r\n');
    expect(reader.chunks).toEqual(['data: one\n\n', 'data: node_disconnected req_1\n\n']);
    expect(await outcome).toBe('sent');
  });

  describe('of a protocol that cuts them', () => {
    beforeEach(() => {
      current = { ...format, cutsFailures: true };
    });

    it('a failure of a protocol that cuts them is sent inside the stream, which has no end: a second later the connection closes', async () => {
      const reader = await ask();
      result.say('data: one\n\n');
      result.fail(new FerryError('node_disconnected'));
      await reader.until('data: node_disconnected req_1');
      wait(900);
      expect(reader.ended).toBe(false);
      wait(200);
      await reader.closed;
      expect(reader.chunks).toEqual(['data: one\n\n', 'data: node_disconnected req_1\n\n']);
      expect(reader.received).not.toContain('0\r\n\r\n');
      expect(await outcome).toBe('sent');
    });

    it('closes at once for a client that leaves before', async () => {
      const reader = await ask();
      result.say('data: one\n\n');
      result.fail(new FerryError('node_disconnected'));
      await reader.until('data: node_disconnected req_1');
      reader.destroy();
      expect(await outcome).toBe('sent');
    });

    it('a failure of a protocol that cuts them before the first bytes keeps its status and the connection', async () => {
      const reader = await ask();
      result.fail(new FerryError('no_node_for_user'));
      await reader.until('no_node_for_user');
      expect(reader.status).toBe(503);
      expect(reader.ended).toBe(false);
    });

    it('a failure of a protocol that cuts them is not what an answer gets that has completed', async () => {
      const reader = await ask();
      result.say('data: one\n\n');
      result.finish();
      await reader.until('0\r\n\r\n');
    });

    it('reaches a client that reads late, after all that was sent before', async () => {
      const reader = await ask();
      reader.socket.pause();
      const events = Array.from({ length: 400 }, (_, index) => `data: ${index} ${'x'.repeat(10_000)}\n\n`);
      for (const event of events) result.say(event);
      result.fail(new FerryError('node_disconnected'));
      wait(2_000);
      reader.socket.resume();
      await reader.closed;
      expect(reader.chunks.join('')).toBe([...events, 'data: node_disconnected req_1\n\n'].join(''));
      expect(reader.received).not.toContain('0\r\n\r\n');
    });

    it('disconnects a client that never reads it', async () => {
      const reader = await ask();
      reader.socket.pause();
      await eventually('the client owes', () => {
        result.say(`data: ${'x'.repeat(1_000_000)}\n\n`);
        return (response?.socket?.writableLength ?? 0) > 0;
      });
      result.fail(new FerryError('node_disconnected'));
      wait(61_000);
      expect(await outcome).toBe('sent');
    });
  });

  it('a failure that is unexpected reveals no details to the client', async () => {
    const reader = await ask();
    result.say('data: one\n\n');
    result.fail(new TypeError('secret detail'));
    await reader.until('0\r\n\r\n');
    expect(reader.chunks[1]).toBe('data: internal_error req_1\n\n');
  });

  it('a failure inside an event destroys the socket, so that the stream is seen as truncated', async () => {
    const reader = await ask();
    result.say('data: one\n\n');
    result.boundary = false;
    result.say('data: half of an ev');
    await reader.until('half of an ev');
    result.fail(new FerryError('node_disconnected'));
    await reader.closed;
    expect(reader.chunks).toEqual(['data: one\n\n', 'data: half of an ev']);
    expect(reader.received).not.toContain('0\r\n\r\n');
    expect(await outcome).toBe('sent');
  });

  it('a failure of a source that completes inside an event destroys the socket, too', async () => {
    const reader = await ask();
    result.boundary = false;
    result.say('data: half of an ev');
    result.finish();
    await reader.closed;
    expect(reader.received).not.toContain('0\r\n\r\n');
  });
});

describe('silence', () => {
  it('silence before the first bytes commits the head with a keep-alive; a failure is in-stream from then on', async () => {
    const reader = await ask();
    wait(9_000);
    expect(response?.headersSent).toBe(false);
    wait(2_000);
    await reader.until(': keep-alive');
    expect(reader.status).toBe(200);
    result.fail(new FerryError('engine_timeout'));
    await reader.until('0\r\n\r\n');
    expect(reader.chunks).toEqual([': keep-alive\n\n', 'data: engine_timeout req_1\n\n']);
  });

  it('gets a keep-alive after each 15 seconds from the last bytes', async () => {
    const reader = await ask();
    result.say('data: one\n\n');
    wait(14_000);
    result.say('data: two\n\n');
    wait(14_000);
    result.say('data: three\n\n');
    wait(49_000);
    result.finish();
    await reader.until('0\r\n\r\n');
    expect(reader.chunks.slice(3)).toEqual([': keep-alive\n\n', ': keep-alive\n\n', ': keep-alive\n\n']);
    // Nobody gets credit for a keep-alive.
    expect(result.consumedBytes).toBe('data: one\n\ndata: two\n\ndata: three\n\n'.length);
  });

  it('silence is counted from the last bytes, within a few ticks', async () => {
    const reader = await ask();
    result.say('data: one\n\n');
    wait(7_310);
    result.say('data: two\n\n');
    wait(14_980);
    result.say('data: three\n\n');
    wait(15_100);
    result.finish();
    await reader.until('0\r\n\r\n');
    expect(reader.chunks).toEqual(['data: one\n\n', 'data: two\n\n', 'data: three\n\n', ': keep-alive\n\n']);
  });

  it('silence inside an event gets none until the event is complete', async () => {
    const reader = await ask();
    result.boundary = false;
    result.say('data: begin');
    wait(40_000);
    result.boundary = true;
    result.say(' end\n\n');
    wait(16_000);
    result.finish();
    await reader.until('0\r\n\r\n');
    expect(reader.chunks).toEqual(['data: begin', ' end\n\n', ': keep-alive\n\n']);
  });
});

describe('a client that leaves', () => {
  it('a client that leaves before the first byte cancels the request', async () => {
    const reader = await ask();
    reader.destroy();
    await eventually('the request is cancelled', () => result.cancelled === 1);
    expect(await outcome).toBe('sent');
  });

  it('midway cancels the request', async () => {
    const reader = await ask();
    result.say('data: one\n\n');
    await reader.until('data: one');
    reader.destroy();
    await eventually('the request is cancelled', () => result.cancelled === 1);
    result.say('data: two\n\n');
    expect(await outcome).toBe('sent');
  });

  it('a client that leaves before its request was started never starts it', async () => {
    await loopback.close();
    loopback = await Loopback.start((_req, res) => {
      res.once('close', () => {
        outcome = new EventStream(result, format, timing, wheel)
          .send(res, 200, createWriter)
          .then(() => 'sent' as const);
      });
    });
    const reader = await RawClient.request(loopback.port, ['GET / HTTP/1.1', 'Host: relay']);
    reader.destroy();
    await eventually('it was tried', () => outcome);
    expect(await outcome).toBe('sent');
    expect(result.started).toBe(0);
  });
});

describe('a client that does not read', () => {
  const WINDOW_BYTES = 65_536;
  const event = Buffer.from(`data: ${'x'.repeat(1_016)}\n\n`);

  let reported = 0;

  /** A producer with a credit window, as a node has: what is under way is never more than the window. */
  function produceOnCredit(): void {
    reported = 0;
    let producing = false;
    result.onConsumed = () => {
      if (producing) return;
      producing = true;
      while (reported - result.consumedBytes + event.byteLength <= WINDOW_BYTES) {
        reported += event.byteLength;
        result.say(event);
      }
      producing = false;
    };
    result.onConsumed();
  }

  /** The system's own buffers take some megabytes; then nothing is taken any more. */
  async function stalled(): Promise<void> {
    let takenBefore = -1;
    await eventually('the client has stalled', async () => {
      const same = response!.socket!.writableNeedDrain && takenBefore === result.consumedBytes;
      takenBefore = result.consumedBytes;
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
    expect(response!.socket!.writableLength).toBeLessThan(WINDOW_BYTES + 20_000);
    expect(reported - result.consumedBytes).toBeLessThanOrEqual(WINDOW_BYTES);
    result.onConsumed = () => undefined;
    reader.socket.resume();
    await eventually('everything was taken', () => result.consumedBytes === reported);
    result.finish();
    await reader.until(/\r\n0\r\n\r\n$/);
    expect(reader.chunks.join('') === event.toString().repeat(reported / event.byteLength)).toBe(true);
  });

  it('gets no keep-alives on top, and is cut off after a minute', async () => {
    const reader = await stall();
    const queued = response!.socket!.writableLength;
    wait(59_000);
    expect(response!.socket!.writableLength).toBe(queued);
    expect(result.cancelled).toBe(0);
    wait(2_000);
    await eventually('the request is cancelled', () => result.cancelled === 1);
    expect(await outcome).toBe('sent');
    reader.socket.resume();
    await reader.closed;
  });

  it('a client that does not read is cut off as well when only the end is unread', async () => {
    await stall();
    result.finish();
    wait(62_000);
    expect(await outcome).toBe('sent');
    expect(response!.destroyed).toBe(true);
  });

  it('a client that does not read is not cut off while it reads now and then', async () => {
    const reader = await stall();
    for (let turn = 0; turn < 3; turn += 1) {
      wait(50_000);
      const drained = once(response!.socket!, 'drain');
      reader.socket.resume();
      await drained;
      reader.socket.pause();
      await stalled();
    }
    expect(result.active).toBe(true);
  });
});
