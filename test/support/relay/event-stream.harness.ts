/** Streamed responses to a client on a real socket: the test scripts the response and moves the clock. */
import { afterEach, beforeEach, expect } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { RequestListener, ServerResponse } from 'node:http';
import type { StreamFormat } from '../../../src/dialects/stream-format.js';
import type { FerryError } from '../../../src/kernel/errors/ferry-error.js';
import { EventStream } from '../../../src/relay/platform/http/event-stream.js';
import { createHttpServer } from '../../../src/relay/platform/http/server/create-http-server.js';
import { TICK_MS, TimerWheel } from '../../../src/relay/platform/timing/timer-wheel.js';
import { eventually } from '../clock/eventually.js';
import { ManualClock } from '../clock/manual-clock.js';
import { Loopback, RawClient } from '../network/loopback.js';
import { createWriter, httpServerOptions } from './http-server-options.js';
import { ScriptedResponse } from './scripted-response.js';

export const timing = { commitMs: 10_000, heartbeatMs: 15_000, slowClientTimeoutMs: 60_000 };
const format: StreamFormat = {
  keepAlive: Buffer.from(': keep-alive\n\n'),
  terminal: (error, requestId) => Buffer.from(`data: ${error.code} ${requestId}\n\n`),
};

/** New for each test, which may replace its parts. */
export interface EventStreamSuite {
  format: StreamFormat;
  wheel: TimerWheel;
  /** What the next request gets. */
  result: ScriptedResponse;
  loopback: Loopback;
  /** Of the latest request. */
  response: ServerResponse | undefined;
  /** Of the latest request. */
  outcome: Promise<'sent' | FerryError> | undefined;
  /** Resolves when the request has started. */
  readonly ask: () => Promise<RawClient>;
  readonly wait: (milliseconds: number) => void;
}

export function eventStreamSuite(): EventStreamSuite {
  let clock: ManualClock;
  let client: RawClient | undefined;

  const suite = {
    async ask() {
      client = await RawClient.request(suite.loopback.port, ['GET / HTTP/1.1', 'Host: relay']);
      await eventually('the request has started', () => suite.result.started === 1);
      return client;
    },
    wait(milliseconds) {
      for (let passed = 0; passed < milliseconds; passed += TICK_MS) {
        clock.advance(TICK_MS);
        suite.wheel.advance();
      }
    },
  } as EventStreamSuite;

  beforeEach(async () => {
    Logger.overrideLogger(false);
    suite.format = format;
    clock = new ManualClock();
    suite.wheel = new TimerWheel({ clock });
    suite.result = new ScriptedResponse();
    suite.outcome = undefined;
    suite.response = undefined;
    const listener: RequestListener = (_req, res) => {
      suite.response = res;
      res.setHeader('x-request-id', 'req_1');
      suite.outcome = new EventStream(suite.result, suite.format, timing, suite.wheel)
        .send(res, 200, createWriter)
        .then(
          () => 'sent' as const,
          (error: unknown) => {
            const failure = error as FerryError;
            res.writeHead(failure.status).end(failure.code);
            return failure;
          },
        );
    };
    suite.loopback = await Loopback.start(createHttpServer(listener, httpServerOptions));
  });

  afterEach(async () => {
    client?.destroy();
    await suite.loopback.close();
    await suite.outcome;
    // Whatever happened, nothing is left behind.
    expect(suite.wheel.size).toBe(0);
  });

  return suite;
}
