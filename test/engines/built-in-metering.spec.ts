/** What the built-in engine says a stopped run has used, held against what it had really written by then. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EngineCall, UsageReport } from '../../src/agent/engines/engine.js';
import { ask, contentOf, TinyEngine, type AnswerObject } from '../support/engine/tiny-engine.js';
import { batchesOf } from '../support/engine/answer-batches.js';

let tiny: TinyEngine;

beforeAll(async () => {
  tiny = await TinyEngine.start();
}, 60_000);

afterAll(async () => {
  await tiny.engine.stop();
});

const request = (maxTokens: number, stream: boolean): Omit<EngineCall, 'signal'> => ({
  route: 'chat',
  engineModel: tiny.models[0]?.engine_model ?? '',
  body: Buffer.from(
    JSON.stringify({ model: 'tiny', temperature: 0, max_tokens: maxTokens, messages: ask('Count to 20.'), stream }),
  ),
  stream,
});

async function whole(maxTokens: number): Promise<{ readonly text: string; readonly usage: AnswerObject['usage'] }> {
  const answer = await tiny.engine.run({ ...request(maxTokens, false), signal: new AbortController().signal });
  if (answer.kind !== 'whole') throw new Error('a stream that nobody asked for');
  const object = answer.object as unknown as AnswerObject;
  return { text: object.choices[0]?.message.content ?? '', usage: object.usage };
}

/** Reads so many pieces of text and leaves. */
async function stoppedAfter(pieces: number): Promise<{ readonly text: string; readonly usage: UsageReport }> {
  const client = new AbortController();
  let usageSoFar: (() => UsageReport | null) | undefined;
  const answer = await tiny.engine.run({
    ...request(200, true),
    signal: client.signal,
    onMeter: (meter) => {
      usageSoFar = meter;
    },
  });
  if (answer.kind !== 'stream') throw new Error('not a stream');
  const chunks: AnswerObject[] = [];
  let seen = 0;
  for await (const batch of batchesOf(answer.chunks)) {
    chunks.push(...(batch as unknown as AnswerObject[]));
    if (contentOf(batch as unknown as AnswerObject[]) !== '') seen += 1;
    if (seen >= pieces) break;
  }
  client.abort();
  const usage = usageSoFar?.();
  if (usage == null) throw new Error('the engine does not know what it has used');
  return { text: contentOf(chunks), usage };
}

describe('a cancelled run of the built-in engine', () => {
  it.each([1, 2, 7, 15])('is metered within one token after %i text pieces', async (pieces) => {
    const { text, usage } = await stoppedAfter(pieces);
    expect(usage.source).toBe('engine');
    // As many tokens as were metered make this text or one token more; one token less makes no more than this text.
    const metered = await whole(usage.output_tokens);
    expect(metered.text.startsWith(text)).toBe(true);
    const oneLess = usage.output_tokens > 1 ? (await whole(usage.output_tokens - 1)).text : '';
    expect(text.startsWith(oneLess)).toBe(true);
    expect(usage.input_tokens).toBe(metered.usage.prompt_tokens);
  });
});
