/** F3 and F4 (docs/reference/failures.md#faults): engines that crash, hang, refuse, send garbage, redirect, or are very slow. */
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventsOf } from '../support/client/event-stream.js';
import { FaultHarness } from './support/fault.harness.js';
import type { RecordedRun } from './support/recording-engine.js';
import { printFigures, repetitions } from './support/repetitions.js';

const SLOTS = 20;
const FIRST_EVENT_MS = 1_000;
const EVENT_IDLE_MS = 1_500;
/** Margin over the timeout for a busy machine. */
const MAPPED_WITHIN_MS = 3_500;
/** 15 s by default; F4 runs at a fiftieth of its time: a token every 0.4 s for 12 s. */
const HEARTBEAT_MS = 300;
const TOKEN_EVERY_MS = 400;
const TOKENS = 30;

describe('an engine', () => {
  let harness: FaultHarness;
  let trap: Server;
  let trapped = 0;
  let worstMs = 0;

  beforeAll(async () => {
    trap = createServer((socket) => {
      trapped += 1;
      socket.destroy();
    }).listen(0, '127.0.0.1');
    await once(trap, 'listening');
    harness = await FaultHarness.start(
      { only: { slots: SLOTS } },
      {
        FERRY_FIRST_EVENT_TIMEOUT_MS: String(FIRST_EVENT_MS),
        FERRY_WHOLE_ANSWER_TIMEOUT_MS: String(FIRST_EVENT_MS),
        FERRY_EVENT_IDLE_TIMEOUT_MS: String(EVENT_IDLE_MS),
        FERRY_STREAM_HEARTBEAT_MS: String(HEARTBEAT_MS),
        FERRY_HEALTH_FAILURE_THRESHOLD: '1000',
      },
    );
  }, 120_000);

  afterAll(async () => {
    printFigures('F3', { repetitions, violations: harness.violations, worst_ms: worstMs, redirects_followed: trapped });
    trap.close();
    await harness.stop();
  }, 60_000);

  const faults: readonly [string, (run: RecordedRun) => void | Promise<void>][] = [
    ['crashes before it says anything', ({ call }) => call.destroy()],
    [
      'crashes in the middle',
      async (run) => {
        if (run.call.streaming) {
          run.call.startStream();
          run.say();
          await delay(20);
        }
        run.call.destroy();
      },
    ],
    ['hangs', () => undefined],
    [
      'hangs in the middle',
      (run) => {
        if (!run.call.streaming) return;
        run.call.startStream();
        run.say();
      },
    ],
    ['answers 500', ({ call }) => call.json(500, { error: { message: 'out of memory', type: 'server_error' } })],
    ['answers garbage', ({ call }) => call.respond(200, 'text/event-stream', 'data: {"choices": [}\u0000\n\n<html>')],
    [
      'redirects the node',
      ({ call }) => call.redirect(`http://127.0.0.1:${(trap.address() as AddressInfo).port}/latest/meta-data`),
    ],
  ];

  it.each(faults)(
    'an engine that %s becomes an error in time, and leaks nothing',
    async (_name, fault) => {
      for (let repetition = 0; repetition < repetitions; repetition += 1) {
        harness.node('only').engine.behave = fault;
        const requestedAtMs = performance.now();
        const records = await Promise.all([true, false].map((stream) => harness.client.ask({ stream }).over));
        for (const record of records) {
          expect(['failed', 'refused']).toContain(record.end);
          expect(record.status).not.toBe(500);
          worstMs = Math.max(worstMs, record.endedAtMs - requestedAtMs);
        }
        expect(worstMs).toBeLessThan(MAPPED_WITHIN_MS);
      }
      expect(trapped).toBe(0);
      await harness.expectNothingHeld();
      await harness.expectSound();
    },
    300_000,
  );

  it('an engine that is very slow keeps its stream, with keep-alives between events only', async () => {
    let longestSilenceMs = 0;
    let pings = 0;
    harness.node('only').engine.behave = (run) => run.tell(TOKENS, TOKEN_EVERY_MS);
    await Promise.all(
      Array.from({ length: Math.min(repetitions, SLOTS) }, async () => {
        const response = await harness.relay.chat({
          model: 'fake',
          stream: true,
          messages: [{ role: 'user', content: 'slowly' }],
        });
        let lastMs = performance.now();
        let words = 0;
        let last = '';
        for await (const { text, atMs } of eventsOf(response)) {
          longestSilenceMs = Math.max(longestSilenceMs, atMs - lastMs);
          lastMs = atMs;
          last = text;
          if (text.startsWith(':')) pings += 1;
          // Anything but whole events and comments would fail to parse.
          else if (text !== 'data: [DONE]' && JSON.stringify(JSON.parse(text.slice(6))).includes('"content"'))
            words += 1;
        }
        expect(words).toBe(TOKENS);
        expect(last).toBe('data: [DONE]');
      }),
    );
    printFigures('F4', { streams: Math.min(repetitions, SLOTS), pings, longest_silence_ms: longestSilenceMs });
    expect(pings).toBeGreaterThan(0);
    expect(longestSilenceMs).toBeLessThan(HEARTBEAT_MS * 4);
  }, 60_000);
});
