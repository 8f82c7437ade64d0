import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually } from '../../../test/support/clock/eventually.js';
import type { HarnessStream } from '../../../test/support/relay/harness-stream.js';
import { InferenceApiHarness } from '../../../test/support/relay/inference-api.harness.js';

const on = { FERRY_EXTENSIONS: 'embeddings,rerank' };
const route = '/v1/embeddings';
const embedding = { models: [{ dialects: [], extension_dialects: ['embeddings'], embedding: true }], slots: 2 };
const texts = Array.from({ length: 10_000 }, (_, index) => `text ${index}`);

let app: InferenceApiHarness;

beforeEach(async () => {
  app = await InferenceApiHarness.start({ ...on, FERRY_QUEUE_TIMEOUT_MS: '5000' });
});

afterEach(async () => {
  await app.close();
});

const inputOf = ({ body }: HarnessStream): readonly string[] => {
  const { input } = JSON.parse(body.toString()) as { input: string | string[] };
  return Array.isArray(input) ? input : [input];
};

/** A vector that tells which text it is of, in a spelling that no parser would keep. */
const vectorOf = (text: string): string => `[${text.slice('text '.length)}.10,1e-7]`;

const documentOf = (stream: HarnessStream): string => {
  const data = inputOf(stream).map((text, index) => `{"index":${index},"embedding":${vectorOf(text)}}`);
  const tokens = data.length;
  return `{"object":"list","data":[${data.join(',')}],"model":"tiny","usage":{"prompt_tokens":${tokens},"total_tokens":${tokens}}}`;
};

const respond = (stream: HarnessStream): void => {
  const document = documentOf(stream);
  stream.ack().begin(Buffer.byteLength(document)).data(document).ended(inputOf(stream).length);
};

describe('embeddings', () => {
  test('a request that one node serves passes byte for byte, in both directions', async () => {
    app.addNode('a', embedding);
    app.play(respond);
    const raw = '{ "model":"tiny", "input":["text 1"],  "seed": 9223372036854775807 }';
    const response = await app.post(route, raw);
    expect(await response.text()).toBe(
      '{"object":"list","data":[{"index":0,"embedding":[1.10,1e-7]}],"model":"tiny","usage":{"prompt_tokens":1,"total_tokens":1}}',
    );
    expect(app.streams[0]?.body.toString()).toBe(raw);
    expect(app.streams[0]?.head).toMatchObject({ dialect: 'embeddings', stream: false });
    expect(app.outcomes).toMatchObject([{ dialect: 'embeddings', outcome: 'completed', usage: { input_tokens: 1 } }]);
  });

  test('chat with a model that only embeds, and embeddings of a model that does not, are 400 for the model', async () => {
    app.addNode('a', embedding);
    const chat = await app.post('/v1/chat/completions', { model: 'tiny', messages: [{ role: 'user', content: 'hi' }] });
    expect(chat.status).toBe(400);
    expect(await chat.json()).toMatchObject({
      error: { code: 'unsupported_capability', param: 'model', message: expect.stringContaining('embedding model') },
    });
    app.fleet.nodes.length = 0;
    app.addNode('b');
    const embeddings = await app.post(route, { model: 'tiny', input: 'a' });
    expect(embeddings.status).toBe(400);
    expect(await embeddings.json()).toMatchObject({ error: { code: 'unsupported_capability', param: 'model' } });
    expect(app.streams).toEqual([]);
  });

  test('a model that is installed and not loaded is 503', async () => {
    app.addNode('a', { models: [{ ...embedding.models[0], state: 'installed' }] });
    const response = await app.post(route, { model: 'tiny', input: 'a' });
    expect([response.status, await response.text()]).toEqual([503, 'no node for user']);
  });
});

describe('a long list of inputs', () => {
  const asking = { model: 'tiny', input: texts };

  test('is shared by the nodes that have the model, and comes back in order as one response', async () => {
    for (const name of ['a', 'b', 'c']) app.addNode(name, embedding);
    app.play((stream) => {
      // In another order than they were asked.
      setTimeout(respond, stream.node === 'b' ? 3 : 0, stream);
    });
    const response = await app.post(route, asking);
    expect(response.status).toBe(200);
    const text = await response.text();
    expect(Number(response.headers.get('content-length'))).toBe(Buffer.byteLength(text));
    const { data, usage } = JSON.parse(text) as { data: { index: number; embedding: number[] }[]; usage: object };
    expect(data.map(({ index }) => index)).toEqual(texts.map((_, index) => index));
    expect(data.map((element) => element.embedding[0])).toEqual(texts.map((_, index) => index + 0.1));
    expect(text).toContain('{"index":9999,"embedding":[9999.10,1e-7]}');
    expect(usage).toEqual({ prompt_tokens: texts.length, total_tokens: texts.length });
    expect(new Set(app.streams.map(({ node }) => node))).toEqual(new Set(['a', 'b', 'c']));
    expect(app.outcomes).toMatchObject([
      { outcome: 'completed', usage: { input_tokens: texts.length }, attempts: app.streams.length, retried: false },
    ]);
    expect(response.headers.get('x-request-id')).toBe(app.outcomes[0]?.requestId);
  });

  test('survives the loss of a node: its parts go to the others', async () => {
    for (const name of ['a', 'b', 'c']) app.addNode(name, embedding);
    app.play((stream) => {
      if (stream.node !== 'b') respond(stream);
      else {
        app.removeNode('b');
        stream.ack().lose();
      }
    });
    const { data } = (await (await app.post(route, asking)).json()) as { data: { embedding: number[] }[] };
    expect(data.map((element) => element.embedding[0])).toEqual(texts.map((_, index) => index + 0.1));
    expect(app.outcomes).toMatchObject([{ outcome: 'completed', retried: true }]);
  });

  test('fails once, and stops its other parts, when a part fails', async () => {
    for (const name of ['a', 'b']) app.addNode(name, embedding);
    app.play((stream) => {
      if (inputOf(stream).includes('text 300')) {
        stream.ack().end('failed', { code: 'engine_rejected_request', status: 400, message: 'too long' });
      }
    });
    const response = await app.post(route, asking);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { message: expect.stringContaining('too long') } });
    expect(app.outcomes).toMatchObject([{ outcome: 'failed', code: 'engine_rejected_request' }]);
    expect(app.streams.filter(({ phase }) => phase !== 'closed')).toEqual([]);
  });

  test('a client that leaves stops all parts, and is metered once', async () => {
    for (const name of ['a', 'b']) app.addNode(name, embedding);
    const leaving = new AbortController();
    app.play((stream) => {
      stream.ack();
      if (app.streams.length === 4) leaving.abort();
    });
    await expect(app.post(route, asking, {}, leaving.signal)).rejects.toThrow();
    await eventually('the parts were stopped', () => app.outcomes.length === 1);
    expect(app.outcomes).toMatchObject([{ outcome: 'cancelled' }]);
    expect(app.streams.map(({ resets }) => resets)).toEqual(app.streams.map(() => ['cancelled']));
  });

  test('with more inputs than the limit is 400, without asking a node', async () => {
    await app.close();
    app = await InferenceApiHarness.start({ ...on, FERRY_EMBEDDINGS_INPUT_LIMIT: '100' });
    app.addNode('a', embedding);
    const response = await app.post(route, { model: 'tiny', input: texts.slice(0, 101) });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: { param: 'input', message: '`input` has 101 elements; at most 100 are allowed.' },
    });
    expect(app.streams).toEqual([]);
  });

  test('whose response exceeds the limit is 400', async () => {
    await app.close();
    app = await InferenceApiHarness.start({ ...on, FERRY_EMBEDDINGS_RESPONSE_BYTES: '1048576' });
    for (const name of ['a', 'b']) app.addNode(name, embedding);
    app.play((stream) => {
      const document = documentOf(stream) + ' '.repeat(200_000);
      stream.ack().begin(Buffer.byteLength(document)).data(document).ended(1);
    });
    const response = await app.post(route, asking);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { message: expect.stringContaining('base64') } });
  });
});

test('rerank passes the results of the node, and refuses documents that are none', async () => {
  app.addNode('a', { models: [{ dialects: [], extension_dialects: ['rerank'], embedding: true }] });
  const results = '{"model":"tiny","results":[{"index":1,"relevance_score":0.10}]}';
  app.play((stream) => {
    stream.ack().begin(results.length).data(results).end();
  });
  const asking = { model: 'tiny', query: 'q', documents: ['a', 'b'] };
  expect(await (await app.post('/v1/rerank', asking)).text()).toBe(results);
  const refused = await app.post('/v1/rerank', { ...asking, documents: ['a', 7] });
  expect(refused.status).toBe(400);
  expect(await refused.json()).toMatchObject({ error: { param: 'documents[1]' } });
});
