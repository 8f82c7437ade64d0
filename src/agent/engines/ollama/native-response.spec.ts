import { describe, expect, it } from '@jest/globals';
import { normaliseResponse } from '../response/whole-normaliser.js';
import type { EngineObject, EngineRoute } from '../engine.js';
import { nativeResponses } from './native-response.js';

const request = { route: 'chat', body: Buffer.from('{}') } as const;
const normalised = (response: EngineObject, route: EngineRoute = 'chat'): EngineObject =>
  normaliseResponse(nativeResponses(route, 4_096).whole(response), { ...request, route }, false);

const envelope = { model: 'qwen3:8b', created_at: '2026-01-01T00:00:00.5Z' };
const line = (part: object): string => `${JSON.stringify({ ...envelope, done: false, ...part })}\n`;
const reported = (message: object): string => line({ message: { role: 'assistant', content: '', ...message } });
const last = (part: object = {}): string =>
  line({ message: { role: 'assistant', content: '' }, done: true, done_reason: 'stop', ...part });

/** All chunks of these bytes, in pieces of so many. */
function read(text: string, chunkBytes = 7) {
  const reader = nativeResponses('chat', 4_096).streamReader(request);
  const bytes = Buffer.from(text);
  const chunks: EngineObject[] = [];
  for (let at = 0; at < bytes.length; at += chunkBytes)
    chunks.push(...reader.feed(bytes.subarray(at, at + chunkBytes)));
  chunks.push(...reader.end());
  return { chunks, failure: reader.failure };
}

describe('a streamed answer of /api/chat', () => {
  it('becomes chunks regardless of how its bytes are split', () => {
    const text =
      reported({ thinking: 'Hm.' }) + reported({ content: 'Grüße' }) + last({ prompt_eval_count: 7, eval_count: 3 });
    for (const chunkBytes of [1, 7, 10_000]) {
      const { chunks, failure } = read(text, chunkBytes);
      expect(failure).toBeUndefined();
      expect(chunks).toMatchObject([
        {
          object: 'chat.completion.chunk',
          created: 1_767_225_600,
          choices: [{ index: 0, delta: { reasoning: 'Hm.' }, finish_reason: null }],
        },
        { choices: [{ delta: { role: 'assistant', content: 'Grüße' }, finish_reason: null }] },
        { choices: [{ finish_reason: 'stop' }] },
        { choices: [], usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 } },
      ]);
      expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
    }
  });

  it('indexes tool calls, serialises their arguments, and ends with tool_calls', () => {
    const call = (name: string) => ({ tool_calls: [{ function: { name, arguments: { x: 1 } } }] });
    const { chunks } = read(reported(call('first')) + reported(call('second')) + last());
    expect(chunks).toMatchObject([
      { choices: [{ delta: { tool_calls: [{ index: 0, function: { name: 'first', arguments: '{"x":1}' } }] } }] },
      { choices: [{ delta: { tool_calls: [{ index: 1, id: expect.stringMatching(/^call_/) }] } }] },
      { choices: [{ finish_reason: 'tool_calls' }] },
      {},
    ]);
  });

  it('ends with length at the token limit', () => {
    expect(read(reported({ content: 'x' }) + last({ done_reason: 'length' })).chunks[1]).toMatchObject({
      choices: [{ finish_reason: 'length' }],
    });
  });

  it.each([
    ['an error', `${JSON.stringify({ error: 'the runner has died' })}\n`, 'the runner has died'],
    ['the end of the connection', '', 'before the response was complete'],
    ['something that is not JSON', '<html>\n', 'not a JSON object'],
  ])('fails with %s in the middle', (_, rest, message) => {
    const { chunks, failure } = read(reported({ content: 'x' }) + rest);
    expect(chunks).toHaveLength(1);
    expect(failure?.failure).toMatchObject({ code: 'engine_error', message: expect.stringContaining(message) });
  });
});

describe('a whole answer', () => {
  it('a whole answer of /api/chat becomes a completion', () => {
    const response = {
      ...envelope,
      message: { content: 'Hi', tool_calls: [{ id: 'a', function: { name: 'f', arguments: {} } }] },
      logprobs: [{ token: 'Hi', logprob: -0.1 }],
      done: true,
      prompt_eval_count: 5,
    };
    expect(normalised(response)).toMatchObject({
      object: 'chat.completion',
      choices: [
        {
          message: { role: 'assistant', content: 'Hi', tool_calls: [{ id: 'a', function: { arguments: '{}' } }] },
          logprobs: { content: [{ token: 'Hi' }] },
          finish_reason: 'tool_calls',
        },
      ],
      usage: { prompt_tokens: 5, completion_tokens: 0, total_tokens: 5 },
    });
  });

  it('a whole answer of /api/generate becomes a text', () => {
    const response = { ...envelope, response: 'Hi', done: true, done_reason: 'length' };
    expect(normalised(response, 'completions')).toMatchObject({
      object: 'text_completion',
      choices: [{ text: 'Hi', finish_reason: 'length' }],
    });
  });

  it('a whole answer that is not finished is an error', () => {
    const response = { ...envelope, message: { content: 'Hi' }, done: false };
    expect(() => normalised(response)).toThrow('before it was done');
  });
});

it('numbers of arguments keep their digits', () => {
  const call = '{"function":{"name":"f","arguments":{"id":1234567890123456789,"ratio":1.0}}}';
  const streamed = reported({ tool_calls: ['CALL'] }).replace('"CALL"', call);
  const { chunks } = read(streamed + last());
  expect(chunks[0]).toMatchObject({
    choices: [{ delta: { tool_calls: [{ function: { arguments: '{"id":1234567890123456789,"ratio":1.0}' } }] } }],
  });
});
