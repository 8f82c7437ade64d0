/**
 * The official Python clients in three majors each, against the built-in engine and a scripted one, through relay, link and node. They check
 * each response against the types of their SDK.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createCredential } from '../../src/kernel/credential.js';
import { snippets } from '../../src/relay/openapi/snippets.js';
import { neverEnding, startClientNode } from '../support/client/client-node.js';
import type { ClientProgram } from '../support/client/client-program.js';
import { FakeEngine } from '../support/engine/fake-engine.js';
import { full, TEXT } from '../support/engine/misbehaviours.js';
import { shareRelay } from '../support/process/shared-deployment.js';
import type { Tenant } from '../support/process/tenant.js';
import type { TestNode } from '../support/process/test-node.js';
import { environments, INSTALL_WITHIN_MS, startProgram } from './environments.js';

/** How a response that came to its end says so. */
const ends = {
  chat: 'stop',
  responses: 'completed',
  messages: 'end_turn',
} as const;
const routes = Object.keys(ends) as readonly (keyof typeof ends)[];

describe.each(environments)('Python with %s', (environment) => {
  let relay: Tenant;
  let engine: FakeEngine;
  let node: TestNode;
  let client: ClientProgram;

  shareRelay((tenant) => {
    relay = tenant;
  });

  beforeAll(async () => {
    engine = await FakeEngine.start();
    node = await startClientNode(relay, engine);
    client = await startProgram(environment, relay);
  }, INSTALL_WITHIN_MS);

  afterAll(async () => {
    await node.stop();
    await engine.stop();
    // Last: it is not there when its program could not be made.
    await client.stop();
  }, 60_000);

  const hello = { model: 'tiny', prompt: 'Hello' };
  const count = { model: 'tiny', prompt: 'Count to 8' };

  describe.each(routes)('through %s', (route) => {
    const end = ends[route];

    it('gets an answer with usage', async () => {
      expect(await client.result({ case: `${route}.whole`, ...hello })).toMatchObject({
        text: 'Hello! How can I help you today?',
        finish: end,
        usage: { input: expect.any(Number), output: expect.any(Number) },
      });
    });

    it('streams the same text and usage as a whole answer has', async () => {
      const whole = await client.result({ case: `${route}.whole`, ...count });
      const streamed = await client.result({ case: `${route}.stream`, ...count });
      expect(streamed).toMatchObject({ text: '1, 2, 3, 4, 5, 6, 7, 8', finish: end });
      expect(streamed['pieces']).toBeGreaterThan(3);
      expect(total(streamed)).toBe(total(whole));
      expect(total(whole)).toBeGreaterThan(0);
    });

    it('streams with the asynchronous client', async () => {
      expect(await client.result({ case: `${route}.asynchronous`, ...count })).toMatchObject({
        text: '1, 2, 3, 4, 5, 6, 7, 8',
        finish: end,
      });
    });

    it('calls a tool, streaming and not, and continues with its result', async () => {
      const { calls, text } = await client.result({
        case: `${route}.tools`,
        model: 'tiny',
        prompt: 'What is the weather in Paris?',
      });
      const read = (calls as { name: string; arguments: string }[]).map((call) => ({
        name: call.name,
        input: JSON.parse(call.arguments) as unknown,
      }));
      expect(read).toEqual(Array(2).fill({ name: 'get_weather', input: { city: 'Paris' } }));
      expect(text).toMatch(/\w/);
    });

    it('gets an object that follows a schema', async () => {
      const { city } = await client.result({
        case: `${route}.structured`,
        model: 'tiny',
        prompt: 'Give me a city as JSON.',
      });
      expect(['Oslo', 'Paris']).toContain(city);
    });

    it('gets reasoning apart from the text', async () => {
      for (const way of ['whole', 'stream']) {
        const response = await client.result({ case: `${route}.${way}`, model: 'tiny', prompt: 'Hello /think' });
        expect(response['reasoning']).toMatch(/\w/);
        expect(response['text']).not.toContain('<think>');
      }
    });

    it('raises with words when there is no such model', async () => {
      const error = await client.failure({ case: `${route}.whole`, ...hello, model: 'absent' });
      expect(error).toMatchObject({ type: 'NotFoundError', status: 404 });
      expect(error.message).toContain('absent');
    });

    it('raises for an unknown key', async () => {
      const key = createCredential('api-key').text;
      expect(await client.failure({ case: `${route}.whole`, ...hello, key })).toMatchObject({
        type: 'AuthenticationError',
        status: 401,
      });
    });

    it('ends the work of the engine when it leaves a stream', async () => {
      const arrived = engine.nextCall();
      engine.respond = neverEnding;
      await client.result({ case: `${route}.cancel`, model: 'fake', prompt: 'hi' });
      await (
        await arrived
      ).aborted;
    });

    it('reads the whole text of an engine with unusual streams', async () => {
      const wrong: string[] = [];
      for (const [name, script] of full) {
        engine.respond = script;
        const { ok, error } = await client.ask({ case: `${route}.stream`, model: 'fake', prompt: 'hi' });
        if (ok?.['text'] !== TEXT) wrong.push(`${name}: ${JSON.stringify(ok ?? error)}`);
      }
      expect(wrong).toEqual([]);
    }, 60_000);
  });

  describe('through completions', () => {
    it('gets the same text and usage, whole and streamed', async () => {
      const whole = await client.result({ case: 'completions.whole', ...count });
      const streamed = await client.result({ case: 'completions.stream', ...count });
      expect(whole['text']).toMatch(/\w/);
      expect(streamed).toMatchObject({ text: whole['text'], finish: whole['finish'], usage: whole['usage'] });
      expect(total(whole)).toBeGreaterThan(0);
    });

    it('raises with words when there is no such model', async () => {
      const error = await client.failure({ case: 'completions.whole', ...hello, model: 'absent' });
      expect(error).toMatchObject({ type: 'NotFoundError', status: 404 });
      expect(error.message).toContain('absent');
    });
  });

  if (environment === 'openai-3-anthropic-2') {
    it('runs tools in a message thread, of which it sends the new turns only', async () => {
      const response = await client.result({
        case: 'messages.runner',
        model: 'tiny',
        prompt: 'What is the weather in Paris?',
      });
      expect(response).toMatchObject({ finish: 'end_turn', text: expect.stringMatching(/\w/) });
      expect(response['sent']).toEqual([
        ['create', 1],
        ['continue', 1],
      ]);
    });
  }

  it('sends api_key of the Anthropic client as a bearer token from its second major on, as x-api-key before', async () => {
    const response = await client.ask({ case: 'messages.whole', ...hello, as_api_key: true });
    if (environment === 'openai-3-anthropic-2') {
      expect(response.ok).toMatchObject({ text: 'Hello! How can I help you today?' });
    } else expect(response.error).toMatchObject({ status: 401 });
  });

  describe('with the extensions of the public API', () => {
    const names = ['x-api-key', 'json-errors', 'model-by-id', 'count-tokens'];
    const turn = async (enabled: boolean): Promise<void> => {
      for (const name of names) await relay.manage('PATCH', `/extensions/${name}`, { enabled });
    };

    beforeAll(() => turn(true));

    afterAll(() => turn(false));

    it('accepts api_key of every version of the Anthropic client', async () => {
      const { text } = await client.result({ case: 'messages.whole', ...hello, as_api_key: true });
      expect(text).toBe('Hello! How can I help you today?');
    });

    it('retrieves a model with both clients', async () => {
      for (const kind of ['openai', 'anthropic']) {
        const model = await client.result({ case: `extensions.${kind}_model`, model: 'tiny' });
        expect(model).toMatchObject({ id: 'tiny' });
        const error = await client.failure({ case: `extensions.${kind}_model`, model: 'tinny' });
        expect(error).toMatchObject({ type: 'NotFoundError', status: 404 });
        expect(error.message).toContain("Did you mean 'tiny'");
      }
    });

    it('counts the tokens that the answer reports', async () => {
      const { usage } = await client.result({ case: 'messages.whole', ...hello });
      const { input } = usage as { input: number };
      expect(await client.result({ case: 'extensions.count_message', ...hello })).toEqual({ input });
      // The first major of the OpenAI client has no such method.
      if (environment === 'openai-1-anthropic-0') return;
      expect(await client.result({ case: 'extensions.count_response', ...hello })).toEqual({ input });
    });

    it('raises with words when no node can serve the model', async () => {
      const { data } = await relay.manage<{ data: readonly { node_id: string }[] }>('GET', '/nodes');
      const paused = data.map(({ node_id }) => `/nodes/${node_id}`);
      for (const path of paused) await relay.manage('POST', `${path}/pause`);
      for (const route of routes) {
        const error = await client.failure({ case: `${route}.whole`, ...hello });
        expect(error).toMatchObject({ status: 503 });
        expect(error.message).toContain('is paused, draining or failing');
      }
      for (const path of paused) await relay.manage('POST', `${path}/resume`);
    });
  });

  it.each(['openai-python', 'anthropic-python'])('runs the example %s of the documentation', async (id) => {
    const code = snippets(relay.baseUrl).find((snippet) => snippet.id === id)?.code;
    const { printed } = await client.result({ case: 'snippet', code });
    expect(printed).toBe('Hello! How can I help you today?\n');
  });
});

const total = ({ usage }: Readonly<Record<string, unknown>>): number => {
  const { input, output } = usage as { input: number; output: number };
  return input + output;
};
