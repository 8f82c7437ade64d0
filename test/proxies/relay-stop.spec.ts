/** SIGTERM to a relay behind nginx while two hundred streams run (docs/reference/limits.md#drain). */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { printFigures } from '../faults/support/repetitions.js';
import { eventually } from '../support/clock/eventually.js';
import { eventsOf } from '../support/client/event-stream.js';
import { ProxiedRelay } from './support/proxied-relay.js';
import { proxyPrograms } from './support/proxy-programs.js';

const STREAMS = 200;
/** Of the two hundred: longer than any grace. */
const ENDLESS = 50;
const GRACE_MS = 15_000;
/** The last stream that finishes does so this long after the signal: well within the grace, even on a busy machine. */
const FINISH_WITHIN_MS = 8_000;
const WORD_EVERY_MS = 250;

let proxied: ProxiedRelay;

beforeAll(async () => {
  proxied = await ProxiedRelay.start(proxyPrograms.nginx, { FERRY_DRAIN_TIMEOUT_MS: String(GRACE_MS) });
}, 120_000);

afterAll(async () => {
  // Undefined where it did not start.
  await (proxied as ProxiedRelay | undefined)?.stop();
}, 60_000);

it('loses no stream that finishes within the grace, and ends the others with an error event', async () => {
  const { engine, relay } = proxied;
  let begun = 0;
  let stoppedAtMs = Infinity;
  engine.respond = async (call) => {
    const stream = begun;
    begun += 1;
    const lastsMs = stream < ENDLESS ? Infinity : (FINISH_WITHIN_MS * (stream - ENDLESS)) / (STREAMS - ENDLESS);
    call.startStream();
    while (!call.gone && performance.now() < stoppedAtMs + lastsMs) {
      call.chunk({ content: 'word ' });
      await delay(WORD_EVERY_MS);
    }
    if (!call.gone) call.finish();
  };
  let streaming = 0;
  const ask = async (): Promise<string> => {
    const question = { model: 'fake', stream: true, messages: [{ role: 'user', content: 'hi' }] };
    let last = '';
    for await (const { text } of eventsOf(await relay.chat(question))) {
      if (last === '') streaming += 1;
      last = text;
    }
    return last;
  };
  const streams = Array.from({ length: STREAMS }, () => ask().catch((error: unknown) => `broken: ${String(error)}`));
  await eventually('they all stream', () => streaming === STREAMS, 60_000);
  relay.process.child.kill('SIGTERM');
  stoppedAtMs = performance.now();
  const ends = await Promise.all(streams);
  expect(await relay.process.exited).toBe(0);
  const count = (pattern: RegExp): number => ends.filter((text) => pattern.test(text)).length;
  const counts = { finished: count(/^data: \[DONE\]$/), told: count(/draining/), broken: count(/^broken/) };
  printFigures('SIGTERM behind nginx', { ...counts, exit_ms: Math.round(performance.now() - stoppedAtMs) });
  expect(counts).toEqual({ finished: STREAMS - ENDLESS, told: ENDLESS, broken: 0 });
}, 150_000);
