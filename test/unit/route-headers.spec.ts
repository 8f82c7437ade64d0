import { afterEach, describe, expect, test } from '@jest/globals';
import type { ModelSelector } from '../../src/kernel/ids.js';
import { InferenceApiHarness } from '../support/relay/inference-api.harness.js';

const chat = { model: 'tiny', messages: [{ role: 'user', content: 'hi' }], stream: true };
let app: InferenceApiHarness;

const ask = async (env: Readonly<Record<string, string>>): Promise<Response> => {
  app = await InferenceApiHarness.start(env);
  app.addNode('a');
  app.addNode('b');
  app.play((stream) => {
    if (app.streams.length === 1) stream.reject('draining');
    else stream.ack().begin().data('data: [DONE]\n\n').end();
  });
  const response = await app.post('/v1/chat/completions', chat);
  await response.text();
  return response;
};

afterEach(() => app.close());

describe('a request by name', () => {
  const selectors = ['mdl_1111111111111111', 'mdl_2222222222222222'] as ModelSelector[];

  test('shared by two models is answered by one of them, which the response names', async () => {
    app = await InferenceApiHarness.start();
    for (const [index, selector] of selectors.entries()) app.addNode(String(index), { models: [{ selector }] });
    app.play((stream) => {
      stream.ack().begin().data('data: [DONE]\n\n').end();
    });
    const response = await app.post('/v1/chat/completions', chat);
    await response.text();
    expect(response.status).toBe(200);
    expect(response.headers.get('x-ferry-model')).toBe(selectors[Number(app.streams[0]?.node)]);
    expect(app.streams[0]?.head.public_model).toBe('tiny');
  });

  test('a request by the name of a single model has no such header', async () => {
    expect((await ask({})).headers.has('x-ferry-model')).toBe(false);
  });
});

describe('the routing of a request', () => {
  test('the routing of a request is in headers when enabled', async () => {
    const { headers } = await ask({ FERRY_EXPLAIN_HEADERS: 'on' });
    expect(headers.get('x-ferry-node')).toBe(`nd_${app.streams[1]?.node ?? ''}`);
    expect(headers.get('x-ferry-queue-ms')).toBe('0');
    expect(headers.get('x-ferry-attempts')).toBe('2');
  });

  test('the routing of a request is hidden otherwise', async () => {
    const { headers } = await ask({});
    expect([...headers.keys()].filter((name) => /^x-ferry-(node|queue|attempts)/.test(name))).toEqual([]);
  });
});
