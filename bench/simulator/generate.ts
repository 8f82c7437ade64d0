import type { Rng } from '../../src/kernel/clock.js';
import { exponential, logNormal, seeded } from './random.js';
import type { Conversation, Traffic, Turn, Workload } from './workload.js';

/** Bytes of prompt per token depend on the language and the share of JSON. */
const BYTES_PER_TOKEN = { least: 3, most: 5 };
/** Bytes of the rest of the body: names, options. */
const BODY_BYTES = 200;
/** Clients allow more tokens than the model needs. */
const MAXIMUM_OVER_NEED = { least: 1.2, most: 4 };

const between = (random: Rng, least: number, most: number): number => least + random() * (most - least);
const whole = (value: number): number => Math.max(1, Math.round(value));

/** The conversations of a workload in the order of their start; the same seed gives the same result. */
export function generate({ durationMs, traffic }: Workload, seed: number): Conversation[] {
  const random = seeded(seed);
  const conversations: Conversation[] = [];
  for (const [index, one] of traffic.entries()) {
    const meanGapMs = (60_000 / one.conversationsPerMinute) * one.burst;
    for (let atMs = exponential(random, meanGapMs); atMs < durationMs; atMs += exponential(random, meanGapMs)) {
      for (let begun = 0; begun < one.burst; begun += 1)
        conversations.push(hold(one, `traffic-${index}`, atMs, random));
    }
  }
  return conversations.sort((a, b) => a.atMs - b.atMs);
}

function hold(traffic: Traffic, group: string, atMs: number, random: Rng): Conversation {
  const { key, systemTokens, saysSession, saysMaximum, userTokens, outputTokens, thinkMs } = traffic;
  const count = Math.floor(between(random, traffic.turns.min, traffic.turns.max + 1));
  const bytesPerToken = between(random, BYTES_PER_TOKEN.least, BYTES_PER_TOKEN.most);
  const turns: Turn[] = [];
  let history = systemTokens;
  for (let turn = 0; turn < count; turn += 1) {
    const promptTokens = whole(history + logNormal(random, userTokens.median, userTokens.sigma));
    const output = whole(logNormal(random, outputTokens.median, outputTokens.sigma));
    const slack = between(random, MAXIMUM_OVER_NEED.least, MAXIMUM_OVER_NEED.most);
    turns.push({
      promptTokens,
      outputTokens: output,
      maxTokens: saysMaximum ? whole(output * slack) : null,
      bodyBytes: whole(promptTokens * bytesPerToken + BODY_BYTES),
      thinkMs: logNormal(random, thinkMs.median, thinkMs.sigma),
    });
    history = promptTokens + output;
  }
  return { atMs, key, group, systemTokens, saysSession, turns };
}
