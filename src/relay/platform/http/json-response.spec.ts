import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '../../../../test/support/clock/eventually.js';
import { createWriter } from '../../../../test/support/relay/http-server-options.js';
import { Loopback, RawClient } from '../../../../test/support/network/loopback.js';
import { ManualClock } from '../../../../test/support/clock/manual-clock.js';
import { ScriptedResponse } from '../../../../test/support/relay/scripted-response.js';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import { TimerWheel } from '../timing/timer-wheel.js';
import { JsonResponse } from './json-response.js';

let clock: ManualClock;
let wheel: TimerWheel;
let result: ScriptedResponse;
let loopback: Loopback;
let response: ServerResponse | undefined;
let outcome: Promise<unknown> | undefined;
let client: RawClient | undefined;

beforeEach(async () => {
  Logger.overrideLogger(false);
  clock = new ManualClock();
  wheel = new TimerWheel({ clock });
  result = new ScriptedResponse();
  result.boundary = false;
  outcome = undefined;
  loopback = await Loopback.start((_req, res) => {
    response = res;
    outcome = new JsonResponse(result, { slowClientTimeoutMs: 60_000 }, wheel)
      .send(res, 200, createWriter)
      .catch((error: unknown) => {
        res.writeHead((error as FerryError).status).end((error as FerryError).code);
      });
  });
});

afterEach(async () => {
  client?.destroy();
  await loopback.close();
  await outcome;
  expect(wheel.size).toBe(0);
});

async function ask(): Promise<RawClient> {
  client = await RawClient.request(loopback.port, ['GET / HTTP/1.1', 'Host: relay']);
  await eventually('the request has started', () => result.started === 1);
  return client;
}

describe('a whole answer', () => {
  it('counts as consumed while it waits for its end, so that a silent node is noticed', async () => {
    await ask();
    result.length = 12;
    result.say('{"id":"abc"}');
    expect(result.consumedBytes).toBe(12);
    result.fail(new FerryError('engine_timeout'));
    await eventually('the client has its answer', () => response?.writableFinished === true);
    expect(response?.statusCode).toBe(503);
  });

  it('a whole answer has the length of the source, its headers, and exactly its bytes', async () => {
    const reader = await ask();
    result.length = 13;
    result.extraHeaders = { 'x-node': 'nd_1' };
    result.say('{"id"');
    result.say(':"abc"}');
    result.say('\n');
    result.finish();
    await reader.until('"abc"}\n');
    const head = reader.received.toLowerCase();
    expect(head).toMatch(/^http\/1\.1 200 /);
    expect(head).toContain('content-type: application/json; charset=utf-8');
    expect(head).toContain('content-length: 13');
    expect(head).toContain('x-node: nd_1');
    expect(head).not.toContain('transfer-encoding');
    expect(reader.body).toBe('{"id":"abc"}\n');
    expect(result.consumedBytes).toBe(13);
    await outcome;
    expect(response!.writableFinished).toBe(true);
    expect(result.cancelled).toBe(0);
  });

  it('a whole answer that fails before its first bytes keeps its status, with nothing written', async () => {
    const reader = await ask();
    result.fail(new FerryError('capacity'));
    await reader.until('capacity');
    expect(reader.status).toBe(429);
  });

  it('a whole answer without bytes is an error, not an empty success', async () => {
    const reader = await ask();
    result.finish();
    await reader.until('engine_error');
    expect(reader.status).toBe(503);
  });

  it.each<[string, (source: ScriptedResponse) => void]>([
    [
      'fails',
      (source) => {
        source.fail(new FerryError('node_disconnected'));
      },
    ],
    [
      'ends too early',
      (source) => {
        source.finish();
      },
    ],
    [
      'grows beyond its length',
      (source) => {
        source.say('0123456789');
      },
    ],
  ])('a whole answer that %s midway destroys the socket', async (_how, end) => {
    const reader = await ask();
    result.length = 10;
    result.say('{"a":');
    await reader.until('{"a":');
    end(result);
    await reader.closed;
    expect(reader.body).toBe('{"a":');
  });

  it('a whole answer is cancelled when its client leaves, also before the first bytes', async () => {
    const reader = await ask();
    reader.destroy();
    await eventually('the request is cancelled', () => result.cancelled === 1);
  });

  it('follows the pace of its client, which is cut off after an idle minute', async () => {
    const size = 32 * 1_048_576;
    const reader = await ask();
    reader.socket.pause();
    result.length = size;
    const part = Buffer.alloc(65_536, 'a');
    let reported = 0;
    result.onConsumed = () => {
      if (reported !== result.consumedBytes || reported === size) return;
      reported += part.byteLength;
      setImmediate(() => {
        result.say(part);
      });
    };
    result.onConsumed();
    let before = -1;
    await eventually('the client has stalled', async () => {
      const same = response!.writableNeedDrain && before === reported;
      before = reported;
      await delay(100);
      return same;
    });
    expect(reported - result.consumedBytes).toBe(part.byteLength);
    expect(reported).toBeLessThan(size);
    clock.advance(59_000);
    wheel.advance();
    expect(result.cancelled).toBe(0);
    clock.advance(2_000);
    wheel.advance();
    await eventually('the request is cancelled', () => result.cancelled === 1);
  });
});
