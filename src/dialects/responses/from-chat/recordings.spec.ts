/** What a real llama-server answered, as responses. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../kernel/json-object.js';
import { assertResponseStream } from '../../../../test/support/client/openresponses-schema.js';
import { responseContext, streamOf } from '../../../../test/support/engine/responses-responses.js';

const folder = path.resolve('test/fixtures/recordings/llama-server');
const streams = readdirSync(folder).filter((name) => /^chat-.*stream.*\.txt$/.test(name));

function chunksOf(name: string): readonly JsonObject[] {
  const lines = readFileSync(path.join(folder, name), 'utf8').split('\n');
  const data = lines.filter((line) => line.startsWith('data: {')).map((line) => line.slice('data: '.length));
  return data.map((text) => JSON.parse(text) as JsonObject);
}

const outputOf = (name: string): readonly JsonObject[] => {
  const request = name.includes('logprobs') ? { top_logprobs: 2 } : {};
  const events = assertResponseStream(streamOf(chunksOf(name), responseContext(request)));
  return (events.at(-1)?.['response'] as { output: readonly JsonObject[] }).output;
};

describe('a recorded stream of llama-server is a valid responses stream', () => {
  test.each(streams)('%s', (name) => {
    expect(outputOf(name).length).toBeGreaterThan(0);
  });
});

test('a recorded call has its whole arguments', () => {
  expect(outputOf('chat-tool-stream.txt')).toMatchObject([
    { type: 'function_call', name: 'get_weather', arguments: '{"city": "Paris"}', status: 'completed' },
  ]);
});

test('recorded reasoning comes before its message', () => {
  expect(outputOf('chat-think-stream.txt').map((item) => item['type'])).toEqual(['reasoning', 'message']);
});

test('recorded log probabilities come with their text', () => {
  expect(outputOf('chat-stream-logprobs.txt')).toMatchObject([
    { content: [{ logprobs: expect.arrayContaining([expect.objectContaining({ token: 'Hello' })]) }] },
  ]);
});

test('a recorded limit leaves the answer incomplete', () => {
  expect(outputOf('chat-stream-length.txt')).toMatchObject([{ status: 'incomplete' }]);
});
