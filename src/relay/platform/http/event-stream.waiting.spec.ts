import type { StreamFormat } from '../../../dialects/stream-format.js';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ServerResponse } from 'node:http';
import { eventually } from '../../../../test/support/clock/eventually.js';
import { ManualClock } from '../../../../test/support/clock/manual-clock.js';
import { Loopback, RawClient } from '../../../../test/support/network/loopback.js';
import { createWriter, httpServerOptions } from '../../../../test/support/relay/http-server-options.js';
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

let clock: ManualClock;
let wheel: TimerWheel;
let result: ScriptedResponse;
let loopback: Loopback;
let response: ServerResponse | undefined;
let client: RawClient | undefined;

beforeEach(async () => {
  clock = new ManualClock();
  wheel = new TimerWheel({ clock });
  result = new ScriptedResponse();
  const server = createHttpServer((_req, res) => {
    response = res;
    new EventStream(result, format, timing, wheel).send(res, 200, createWriter).catch((error: unknown) => {
      const failure = error as FerryError;
      res.writeHead(failure.status).end(failure.code);
    });
  }, httpServerOptions);
  loopback = await Loopback.start(server);
});

afterEach(async () => {
  client?.destroy();
  await loopback.close();
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

describe('the silence', () => {
  it('the silence of a request that only waits commits no head, so that a failure keeps its status', async () => {
    result.waiting = true;
    const reader = await ask();
    wait(35_000);
    expect(response?.headersSent).toBe(false);
    result.fail(new FerryError('capacity'));
    await reader.until('capacity');
    expect(reader.status).toBe(429);
  });

  it('commits the head once a node has taken a request that has waited', async () => {
    result.waiting = true;
    const reader = await ask();
    wait(15_000);
    result.waiting = false;
    wait(11_000);
    await reader.until(': keep-alive');
    expect(reader.status).toBe(200);
    result.finish();
    await reader.until('0\r\n\r\n');
  });
});
