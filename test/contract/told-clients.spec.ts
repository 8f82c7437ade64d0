/** What clients are told where an engine refuses, where nobody knew better, and where they ask for what there is. */
import Anthropic from '@anthropic-ai/sdk';
import { beforeEach, describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { eventually } from '../support/clock/eventually.js';
import type { FakeEngine } from '../support/engine/fake-engine.js';
import type { RelayClient } from '../support/process/relay-client.js';
import { shareRelayWithEngine } from '../support/process/shared-deployment.js';

type Json = Record<string, unknown>;

const messages = [{ role: 'user', content: 'Which one?' }];
const pixel = 'data:image/png;base64,iVBORw0KGgo=';

describe('a request', () => {
  let relay: RelayClient;
  let engine: FakeEngine;

  shareRelayWithEngine({ slots: 8 }, (started) => {
    ({ relay, engine } = started);
  });

  beforeEach(() => {
    engine.calls.length = 0;
    engine.respond = (call) => {
      call.completion('seen');
    };
  });

  const post = (route: string, body: unknown): Promise<Response> =>
    fetch(`${relay.baseUrl}/v1/${route}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${relay.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

  describe('to an engine that cannot take it now', () => {
    const openai = (maxRetries: number): OpenAI =>
      new OpenAI({ apiKey: relay.apiKey, baseURL: `${relay.baseUrl}/v1`, maxRetries });

    it.each<[string, number, object]>([
      ['a 429', 429, { message: 'Too many requests', code: 'slow_down' }],
      ['a model that is being loaded', 503, { message: 'Loading model', type: 'unavailable_error', code: 503 }],
    ])(
      'a request to an engine that cannot take it now is repeated by the official client after %s, and succeeds',
      async (_, status, error) => {
        const response = engine.respond;
        engine.respond = (call) =>
          engine.calls.length < 3 ? call.json(status, { error }, { 'retry-after': '1' }) : response(call);
        const { choices } = await openai(2).chat.completions.create({
          model: 'fake',
          messages: [{ role: 'user', content: 'hi' }],
        });
        expect([choices[0]!.message.content, engine.calls.length]).toEqual(['seen', 3]);
      },
    );

    it("tells the client the engine's time and code", async () => {
      engine.respond = (call) => {
        call.json(429, { error: { message: 'Too many requests', code: 'slow_down' } }, { 'retry-after': '7' });
      };
      for (const [route, body] of [
        ['chat/completions', { messages }],
        ['completions', { prompt: 'x' }],
      ] as const) {
        const response = await post(route, { model: 'fake', ...body });
        expect(response.status).toBe(429);
        expect([response.headers.get('retry-after'), response.headers.get('x-should-retry')]).toEqual(['7', 'true']);
        expect(await response.json()).toMatchObject({ error: { type: 'rate_limit_error', code: 'slow_down' } });
      }
      const response = await post('messages', { model: 'fake', max_tokens: 5, messages });
      expect(await response.json()).toMatchObject({ error: { type: 'rate_limit_error' } });
    });

    it('a request to an engine that cannot take it now has the documented type of its 404', async () => {
      engine.respond = (call) => call.json(404, { error: { message: 'no such adapter', code: 'adapter_missing' } });
      const response = await post('chat/completions', { model: 'fake', messages });
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ error: { type: 'not_found_error', code: 'adapter_missing' } });
    });
  });

  it('by a name in another case finds the model, and answers under that name', async () => {
    const response = await post('chat/completions', { model: 'FAKE', messages });
    expect([response.status, ((await response.json()) as Json)['model']]).toEqual([200, 'FAKE']);
    expect(engine.calls.at(-1)!.body['model']).toBe('fake');
  });

  it('a request to the list of models gets what its client reads of it', async () => {
    const list = async (query: string, headers: Record<string, string> = {}): Promise<Json> =>
      (await (
        await fetch(`${relay.baseUrl}/v1/models${query}`, {
          headers: { authorization: `Bearer ${relay.apiKey}`, ...headers },
        })
      ).json()) as Json;
    expect(Object.keys(await list('?limit=5'))).toEqual(['object', 'data']);
    expect(await list('?client_version=0.154.0')).toMatchObject({ object: 'list', models: [] });
    expect(await list('?limit=1000', { 'anthropic-version': '2023-06-01' })).toMatchObject({
      data: [
        {
          id: 'fake',
          type: 'model',
          display_name: 'fake',
          created_at: expect.stringMatching(/^\d{4}-.*Z$/) as unknown,
        },
      ],
      has_more: false,
      first_id: 'fake',
      last_id: 'fake',
    });
    const anthropic = new Anthropic({ authToken: relay.apiKey, apiKey: null, baseURL: relay.baseUrl, maxRetries: 0 });
    const ids: string[] = [];
    for await (const { id } of anthropic.models.list()) ids.push(id);
    expect(ids).toEqual(['fake']);
  });

  it('a request with a wrong address or key is told what to do', async () => {
    const ask = (path: string, headers: Record<string, string>): Promise<Response> =>
      fetch(`${relay.baseUrl}${path}`, { method: 'POST', headers, body: JSON.stringify({ model: 'fake', messages }) });
    const key = { authorization: `Bearer ${relay.apiKey}`, 'content-type': 'application/json' };
    for (const [path, words] of [
      ['//v1/chat/completions', 'Did you mean /v1/chat/completions?'],
      ['/V1/chat/completions', 'Did you mean /v1/chat/completions?'],
      ['/api/generate', 'Ferry has no Ollama API'],
    ] as const) {
      const response = await ask(path, key);
      expect([response.status, await response.text()]).toEqual([404, expect.stringContaining(words)]);
    }
    const asOllama = await ask('/api/chat', key);
    expect([asOllama.status, await asOllama.text()]).toEqual([401, expect.stringContaining('Ferry has no Ollama API')]);
    const alone = await ask('/v1/chat/completions', { 'x-api-key': relay.apiKey });
    expect([alone.status, await alone.text()]).toEqual([401, 'missing_or_malformed_credential']);
    expect(alone.headers.get('www-authenticate')).toMatch(/^Bearer .*x-api-key is not read/);
    const without = await ask('/v1/chat/completions', {});
    expect(without.headers.get('www-authenticate')).toBe('Bearer');
  });

  describe('for what the engine has not told', () => {
    it('a request for what the engine has not told is tried as a completion, and not again once there was no such route', async () => {
      const ask = (): Promise<Response> => post('completions', { model: 'fake', prompt: 'Once' });
      engine.respond = (call) => call.json(404, { detail: 'Not Found' });
      const first = await ask();
      expect([first.status, await first.json()]).toEqual([
        400,
        expect.objectContaining({ error: expect.objectContaining({ code: 'unsupported_capability' }) as unknown }),
      ]);
      let again = first;
      await eventually('the engine is not asked', async () => {
        engine.calls.length = 0;
        again = await ask();
        return engine.calls.length === 0;
      });
      expect(await again.json()).toMatchObject({
        error: { message: 'No online node that has the model supports text completions.' },
      });
    });

    it('a request for what the engine has not told is tried with an image, and not again once it was refused', async () => {
      const content = [{ type: 'image_url', image_url: { url: pixel } }];
      const ask = (): Promise<Response> =>
        post('chat/completions', { model: 'fake', messages: [{ role: 'user', content }] });
      expect((await ask()).status).toBe(200);
      engine.respond = (call) => call.json(400, { error: { message: 'image_url is not supported by this model' } });
      const first = await ask();
      expect([first.status, await first.json()]).toEqual([
        400,
        expect.objectContaining({ error: expect.objectContaining({ code: 'unsupported_capability' }) as unknown }),
      ]);
      // The relay learns it with the next report of the node.
      let again = first;
      await eventually('the engine is not asked', async () => {
        engine.calls.length = 0;
        again = await ask();
        return engine.calls.length === 0;
      });
      expect(await again.json()).toMatchObject({
        error: { message: 'No online node that has the model supports image input.' },
      });
    });
  });
});
