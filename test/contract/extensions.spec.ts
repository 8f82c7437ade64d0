/** The extensions of the public API with the clients that need them, switched on and off on a running relay. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createAnthropic } from '@ai-sdk/anthropic';
import Anthropic from '@anthropic-ai/sdk';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { generateText } from 'ai';
import OpenAI from 'openai';
import { Anthropic0 } from '../../older-clients/clients.js';
import { extensionNames } from '../../src/kernel/extension.js';
import { eventually } from '../support/clock/eventually.js';
import { startClientNode } from '../support/client/client-node.js';
import { answersTo, contractRequests, type ContractAnswer } from '../support/client/contract-exchanges.js';
import { FakeEngine } from '../support/engine/fake-engine.js';
import { shareRelay } from '../support/process/shared-deployment.js';
import type { Tenant } from '../support/process/tenant.js';
import type { TestNode } from '../support/process/test-node.js';

const recording = path.resolve(import.meta.dirname, '../fixtures/contract/exchanges.json');
const tool = {
  name: 'get_weather',
  description: 'Get the weather for a city',
  schema: { type: 'object' as const, properties: { city: { type: 'string' } }, required: ['city'] },
};

describe('the extensions of the public API', () => {
  let relay: Tenant;
  let engine: FakeEngine;
  let node: TestNode;
  let openai: OpenAI;
  let anthropic: Anthropic;

  const turn = (name: string, enabled: boolean): Promise<unknown> =>
    relay.manage('PATCH', `/extensions/${name}`, { enabled });

  shareRelay((tenant) => {
    relay = tenant;
  });

  beforeAll(async () => {
    engine = await FakeEngine.start();
    node = await startClientNode(relay, engine);
    for (const name of extensionNames) await turn(name, true);
    openai = new OpenAI({ apiKey: relay.apiKey, baseURL: `${relay.baseUrl}/v1`, maxRetries: 0 });
    anthropic = new Anthropic({ authToken: relay.apiKey, apiKey: null, baseURL: relay.baseUrl, maxRetries: 0 });
  }, 120_000);

  afterAll(async () => {
    await node.stop();
    await engine.stop();
    // A route that one account has is no unknown route for the other accounts of the shared relay.
    for (const name of extensionNames) await turn(name, false);
  }, 60_000);

  it('with all of them on, every request of the contract is answered as without them', async () => {
    const known = JSON.parse(readFileSync(recording, 'utf8')) as Record<string, ContractAnswer>;
    // The inventory of this account has a second model.
    const asked = contractRequests({ key: relay.apiKey }).filter(
      ({ name, path: route, headers }) =>
        Object.values(contractRoutes).includes(route) && headers['x-api-key'] !== relay.apiKey && !/models/.test(name),
    );
    const answers = await answersTo(relay.baseUrl, asked);
    expect(answers).toEqual(Object.fromEntries(asked.map(({ name }) => [name, known[name]])));
    expect(asked.length).toBeGreaterThan(30);
  }, 60_000);

  describe('x-api-key', () => {
    it('lets a client without a bearer ask for a message', async () => {
      const ferry = createAnthropic({ apiKey: relay.apiKey, baseURL: `${relay.baseUrl}/v1` });
      const { text } = await generateText({ model: ferry('tiny'), prompt: 'Hello', temperature: 0, maxRetries: 0 });
      expect(text).toBe('Hello! How can I help you today?');
    });

    it('accepts apiKey of the earlier major of the official client', async () => {
      const client = new Anthropic0({ apiKey: relay.apiKey, authToken: null, baseURL: relay.baseUrl, maxRetries: 0 });
      const messages = [{ role: 'user' as const, content: 'Hello' }];
      const { content } = await client.messages.create({ model: 'tiny', max_tokens: 200, temperature: 0, messages });
      expect(content).toMatchObject([{ type: 'text', text: 'Hello! How can I help you today?' }]);
      expect((await client.models.list()).data.map(({ id }) => id)).toContain('tiny');
      await turn('x-api-key', false);
      await expect(client.messages.create({ model: 'tiny', max_tokens: 8, messages })).rejects.toMatchObject({
        status: 401,
      });
      await turn('x-api-key', true);
    });

    it('lets such a client list the models, and no other', async () => {
      const list = (headers: Record<string, string>): Promise<Response> =>
        fetch(`${relay.baseUrl}/v1/models`, { headers: { 'x-api-key': relay.apiKey, ...headers } });
      expect((await list({ 'anthropic-version': '2023-06-01' })).status).toBe(200);
      expect((await list({})).status).toBe(401);
    });
  });

  describe('model-by-id', () => {
    it('gives both official clients the record of the list', async () => {
      const { data } = await openai.models.list();
      const tiny = data.find(({ id }) => id === 'tiny');
      expect(await openai.models.retrieve('tiny')).toEqual(tiny);
      const listed = (await anthropic.models.list()).data.find(({ id }) => id === 'tiny');
      expect(await anthropic.models.retrieve('tiny')).toEqual(listed);
      const { selector } = tiny as unknown as { selector: string };
      expect(await openai.models.retrieve(selector)).toEqual(tiny);
    });

    it('names similar models for one that does not exist', async () => {
      await expect(openai.models.retrieve('tinny/model')).rejects.toMatchObject({
        status: 404,
        code: 'model_not_found',
      });
      await expect(openai.models.retrieve('tinny')).rejects.toThrow("Did you mean 'tiny'");
      await expect(anthropic.models.retrieve('tinny')).rejects.toThrow("Did you mean 'tiny'");
    });
  });

  describe('count-tokens', () => {
    const messages = [{ role: 'user' as const, content: 'What is the weather in Paris? 🌦' }];

    it('counts what the engine counts for a message, with system and tools', async () => {
      const tools = [{ name: tool.name, description: tool.description, input_schema: tool.schema }];
      for (const more of [{}, { system: 'Be short.' }, { system: 'Be short.', tools }]) {
        const request = { model: 'tiny', messages, ...more };
        const { usage } = await anthropic.messages.create({ ...request, max_tokens: 1 });
        const { input_tokens } = await anthropic.messages.countTokens(request);
        expect(input_tokens).toBe(usage.input_tokens + (usage.cache_read_input_tokens ?? 0));
      }
    });

    it('counts what the engine counts for a response, and for its continuation', async () => {
      const request = { model: 'tiny', instructions: 'Be short.', input: 'Hello' };
      const first = await openai.responses.create({ ...request, max_output_tokens: 8 });
      const counted = await openai.responses.inputTokens.count(request);
      expect(counted).toEqual({ object: 'response.input_tokens', input_tokens: first.usage?.input_tokens });
      const next = { model: 'tiny', input: 'And now?', previous_response_id: first.id };
      const second = await openai.responses.create({ ...next, max_output_tokens: 8 });
      expect((await openai.responses.inputTokens.count(next)).input_tokens).toBe(second.usage?.input_tokens);
    });

    it('counts a prompt that is longer than its answer could be, and computes nothing', async () => {
      const long = { model: 'tiny', messages: [{ role: 'user' as const, content: 'word '.repeat(20_000) }] };
      const { input_tokens } = await anthropic.messages.countTokens(long);
      expect(input_tokens).toBeGreaterThan(10_000);
    });

    it('is 501 in the words of the protocol where the engine does not count', async () => {
      const request = { model: 'fake', messages };
      await expect(anthropic.messages.countTokens(request)).rejects.toMatchObject({
        status: 501,
        error: { type: 'error', error: { type: 'api_error', message: expect.stringContaining('counting the tokens') } },
      });
      await expect(openai.responses.inputTokens.count({ model: 'fake', input: 'Hi' })).rejects.toMatchObject({
        status: 501,
        code: 'not_implemented',
      });
    });

    it('is 501 for an image, of which no engine says the tokens', async () => {
      const source = { type: 'base64' as const, media_type: 'image/png' as const, data: 'AAAA' };
      const request = {
        model: 'tiny',
        messages: [{ role: 'user' as const, content: [{ type: 'image' as const, source }] }],
      };
      await expect(anthropic.messages.countTokens(request)).rejects.toMatchObject({ status: 501 });
    });

    it('appears in the log of requests, without tokens', async () => {
      const { response } = await anthropic.messages.countTokens({ model: 'tiny', messages }).withResponse();
      const logged = await eventually('the request is in the log', async () => {
        const route = '/usage/requests?dialect=messages-count';
        const { data } = await relay.manage<{ data: readonly LoggedRequest[] }>('GET', route);
        return data.find(({ id }) => id === response.headers.get('x-request-id'));
      });
      expect(logged).toMatchObject({
        outcome: 'completed',
        dialect: 'messages-count',
        input_tokens: 0,
        output_tokens: 0,
      });
    });
  });

  it('json-errors: a model that no node can serve is refused with words', async () => {
    const { data } = await relay.manage<{ data: readonly { node_id: string }[] }>('GET', '/nodes');
    const nodeId = data[0]?.node_id ?? '';
    await relay.manage('POST', `/nodes/${nodeId}/pause`);
    const ask = { model: 'tiny', messages: [{ role: 'user' as const, content: 'Hello' }] };
    const words = 'Every node that could serve the request is paused, draining or failing.';
    await expect(openai.chat.completions.create(ask)).rejects.toThrow(words);
    await expect(anthropic.messages.create({ ...ask, max_tokens: 8 })).rejects.toThrow(words);
    await turn('json-errors', false);
    const response = await relay.chat(ask);
    expect([response.status, await response.text()]).toEqual([503, 'no node for user']);
    await relay.manage('POST', `/nodes/${nodeId}/resume`);
  });

  it('an extension that is switched off is an unknown route at once', async () => {
    for (const name of ['count-tokens', 'model-by-id']) await turn(name, false);
    const messages = [{ role: 'user' as const, content: 'Hi' }];
    await expect(anthropic.messages.countTokens({ model: 'tiny', messages })).rejects.toThrow(
      'There is no route POST /v1/messages/count_tokens.',
    );
    await expect(openai.models.retrieve('tiny')).rejects.toThrow('There is no route GET /v1/models/tiny.');
  });

  it('the OpenAPI document has what is on, marked', async () => {
    await turn('count-tokens', true);
    const document = (await (await fetch(`${relay.baseUrl}/openapi.json`)).json()) as {
      paths: Record<string, { post?: { 'x-ferry-extension'?: string } }>;
    };
    expect(document.paths['/v1/messages/count_tokens']?.post?.['x-ferry-extension']).toBe('count-tokens');
    expect(document.paths['/v1/messages']?.post?.['x-ferry-extension']).toBeUndefined();
  });
});

interface LoggedRequest {
  readonly id: string;
}

const contractRoutes = {
  chat: '/v1/chat/completions',
  completions: '/v1/completions',
  responses: '/v1/responses',
  messages: '/v1/messages',
};
