/** Streamed responses of Ferry's public address, and how fast their tokens arrive. */
import { StringDecoder } from 'node:string_decoder';

const RESPONSE_MS = 240_000;
const letters = 'abcdefghijklmnopqrstuvwxyz';

/** Random letters, so that no prompt has a prefix that the engine has kept. */
const randomText = (characters) =>
  Array.from({ length: characters }, (_, index) =>
    index % 6 === 5 ? ' ' : letters[Math.floor(Math.random() * letters.length)],
  ).join('');

/** @returns {Promise<{ began: number, first: number, last: number, input: number, output: number }>} times in ms */
async function response({ address, model, characters, tokens }) {
  const began = performance.now();
  const response = await fetch(`${address.openai_base_url}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${address.api_key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model,
      messages: [{ role: 'user', content: randomText(characters) }],
      max_tokens: tokens,
      temperature: 0,
      stream: true,
      stream_options: { include_usage: true },
    }),
    signal: AbortSignal.timeout(RESPONSE_MS),
  });
  if (!response.ok) throw new Error(`${response.status}: ${(await response.text()).slice(0, 500)}`);
  let first;
  let last = began;
  let rest = '';
  let usage;
  const decoder = new StringDecoder();
  for await (const bytes of response.body) {
    const now = performance.now();
    rest += decoder.write(Buffer.from(bytes));
    const lines = rest.split('\n');
    rest = lines.pop();
    for (const line of lines) {
      if (!line.startsWith('data: {')) continue;
      const event = JSON.parse(line.slice('data: '.length));
      if (event.error !== undefined) throw new Error(JSON.stringify(event.error));
      usage = event.usage ?? usage;
      const delta = event.choices?.[0]?.delta;
      if (!delta?.content && !delta?.reasoning_content) continue;
      first ??= now;
      last = now;
    }
  }
  if (usage === undefined) throw new Error('the answer ended without its usage');
  return { began, first: first ?? last, last, input: usage.prompt_tokens, output: usage.completion_tokens };
}

/**
 * Tokens a second of `sequences` answers at the same time, together, from the first token of any to the last of all: what
 * llama-batched-bench calls the speed of generation, with the ends at which not all run.
 */
export async function decodeRate(ferry, model, sequences, tokens) {
  const { address } = ferry;
  const responses = await Promise.all(
    Array.from({ length: sequences }, () => response({ address, model, characters: 40, tokens })),
  );
  const begin = Math.min(...responses.map(({ first }) => first));
  const end = Math.max(...responses.map(({ last }) => last));
  const total = responses.reduce((sum, { output }) => sum + output - 1, 0);
  return {
    tokensPerSecond: (total * 1_000) / (end - begin),
    answerTokens: responses.map(({ output }) => output),
    firstTokenMs: Math.max(...responses.map(({ first, began }) => first - began)),
  };
}

/** Tokens of a prompt a second, up to its first token; the best of some, because each also pays for the way through the relay. */
export async function prefillRate(ferry, model, characters, rounds) {
  const { address } = ferry;
  const rates = [];
  let tokens = 0;
  for (let round = 0; round < rounds; round++) {
    const { began, last, input } = await response({ address, model, characters, tokens: 1 });
    tokens = input;
    rates.push((input * 1_000) / (last - began));
  }
  return { tokensPerSecond: Math.max(...rates), promptTokens: tokens, rounds: rates };
}
