import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { cutTextOf } from '../../../test/support/client/event-stream.js';
import { InferenceApiHarness } from '../../../test/support/relay/inference-api.harness.js';

const route = '/v1/completions';
const requesting = { model: 'tiny', prompt: 'Once upon a time' };
const streaming = { ...requesting, stream: true };
const chunk = 'data: {"object":"text_completion","choices":[{"index":0,"text":"a"}]}\n\n';
const completing = { models: [{ dialects: ['chat', 'completions'] as ('chat' | 'completions')[] }] };

let app: InferenceApiHarness;

beforeEach(async () => {
  app = await InferenceApiHarness.start({ FERRY_QUEUE_TIMEOUT_MS: '0' });
});

afterEach(async () => {
  await app.close();
});

test('a whole text completion is the JSON of the node, and the node gets the body unchanged', async () => {
  app.addNode('a', completing);
  app.play((stream) => {
    stream.ack().begin(2).data('{}').end();
  });
  const raw = '{ "model":"tiny", "prompt":"a",  "seed": 9223372036854775807 }';
  const response = await app.post(route, raw);
  expect(response.status).toBe(200);
  expect(await response.text()).toBe('{}');
  expect(app.streams[0]!.body.toString()).toBe(raw);
  expect(app.streams[0]!.head).toMatchObject({ dialect: 'completions', stream: false, response_id: null });
});

test('a stream is the events of the node, byte for byte', async () => {
  app.addNode('a', completing);
  app.play((stream) => {
    stream.ack().begin().data(chunk).data('data: [DONE]\n\n').end();
  });
  const response = await app.post(route, streaming);
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(await response.text()).toBe(`${chunk}data: [DONE]\n\n`);
});

describe('a model whose engine has no such route', () => {
  test('a model whose engine has no such route is 400 for the model, without asking its node', async () => {
    app.addNode('a');
    const response = await app.post(route, requesting);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: { code: 'unsupported_capability', type: 'invalid_request_error', param: 'model' },
    });
    expect(app.streams).toEqual([]);
  });

  test('a model whose engine has no such route is served by a node that has it', async () => {
    app.addNode('a');
    app.addNode('b', completing);
    app.play((stream) => {
      stream.ack().begin(2).data('{}').end();
    });
    expect((await app.post(route, requesting)).status).toBe(200);
    expect(app.streams.map(({ node }) => node)).toEqual(['b']);
  });
});

test('a list of prompts and tokens is 400', async () => {
  app.addNode('a', completing);
  const response = await app.post(route, { ...requesting, prompt: ['a', 7] });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: { code: 'invalid_request', param: 'prompt' } });
});

test('a node lost midway cuts the stream after an error, without [DONE]', async () => {
  app.addNode('a', completing);
  app.play((stream) => {
    stream.ack().begin().data(chunk).lose();
  });
  const text = await cutTextOf(await app.post(route, streaming));
  expect(text.startsWith(chunk)).toBe(true);
  expect(JSON.parse(text.slice(chunk.length + 'data: '.length))).toMatchObject({
    error: { code: 'node_disconnected' },
  });
  expect(text).not.toContain('[DONE]');
});
