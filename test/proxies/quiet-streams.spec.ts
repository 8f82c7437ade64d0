/** An engine that says one word every 20 s, through every proxy at once: `FERRY_LONG_STREAM_SECONDS` says for how long. */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { printFigures } from '../faults/support/repetitions.js';
import { eventsOf } from '../support/client/event-stream.js';
import { ProxiedRelay } from './support/proxied-relay.js';
import { proxyPrograms } from './support/proxy-programs.js';

const SECONDS = Number(process.env['FERRY_LONG_STREAM_SECONDS'] ?? 60);
const SILENCE_MS = 20_000;
const WORDS = Math.floor((SECONDS * 1_000) / SILENCE_MS) + 1;

const proxies = new Map<string, ProxiedRelay>();

beforeAll(async () => {
  for (const program of Object.values(proxyPrograms)) proxies.set(program.name, await ProxiedRelay.start(program));
}, 360_000);

afterAll(async () => {
  for (const proxied of proxies.values()) await proxied.stop();
}, 180_000);

async function quietStream({ engine, relay }: ProxiedRelay) {
  engine.respond = async (call) => {
    call.startStream();
    for (let word = 0; word < WORDS; word += 1) {
      if (word > 0) await delay(SILENCE_MS);
      call.chunk({ content: `word-${word}` });
    }
    call.finish();
  };
  const arrivedAtMs: number[] = [];
  let last = '';
  const question = { model: 'fake', stream: true, messages: [{ role: 'user', content: 'hi' }] };
  for await (const { text, atMs } of eventsOf(await relay.chat(question))) {
    if (text.includes('word-')) arrivedAtMs.push(atMs);
    last = text;
  }
  const gaps = arrivedAtMs.slice(1).map((atMs, index) => atMs - (arrivedAtMs[index] ?? 0));
  return {
    words: arrivedAtMs.length,
    last,
    lasted_ms: Math.round((arrivedAtMs.at(-1) ?? 0) - (arrivedAtMs[0] ?? 0)),
    gaps,
  };
}

it(
  'each passes on a stream with long silences, and keeps the link of the node meanwhile',
  async () => {
    await Promise.all(
      [...proxies].map(async ([name, proxied]) => {
        const { gaps, ...stream } = await quietStream(proxied);
        printFigures(name, { ...stream, shortest_gap_ms: Math.min(...gaps), longest_gap_ms: Math.max(...gaps) });
        expect(stream).toMatchObject({ words: WORDS, last: 'data: [DONE]' });
        expect(proxied.nodeLinks).toBe(1);
      }),
    );
  },
  SECONDS * 1_000 + 60_000,
);
