// Own relay: its settings commit headers early, and a node is killed.
/** `POST /v1/responses` through relay, link and node: the official client, with every body and event validated by the published schema. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { FakeEngine } from '../support/engine/fake-engine.js';
import { TestNode } from '../support/process/test-node.js';
import {
  assertResponseResource,
  assertResponseStream,
  type ResponseEvent,
} from '../support/client/openresponses-schema.js';
import { TestRelay } from '../support/process/test-relay.js';

const weather: OpenAI.Responses.FunctionTool = {
  type: 'function',
  name: 'get_weather',
  description: 'Get the weather for a city',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  strict: false,
};

/** Headers are sent after this time, whatever the engine does. */
const COMMIT_MS = 300;

let relay: TestRelay;
let node: TestNode;
let engine: FakeEngine;
let fakeNode: TestNode;
let client: OpenAI;
/** All bodies and events that were received, for validation. */
const wire: Promise<void>[] = [];

const recording: typeof fetch = async (...request) => {
  const response = await fetch(...request);
  const type = response.headers.get('content-type') ?? '';
  if (response.ok)
    wire.push(
      response
        .clone()
        .text()
        .then((text) => judge(text, type)),
    );
  return response;
};

function judge(text: string, type: string): void {
  if (type.startsWith('text/event-stream')) assertResponseStream(text);
  else assertResponseResource(JSON.parse(text));
}

beforeAll(async () => {
  relay = await TestRelay.start({ env: { FERRY_STREAM_COMMIT_MS: String(COMMIT_MS) } });
  engine = await FakeEngine.start();
  [node, fakeNode] = await Promise.all([
    TestNode.start(relay),
    TestNode.start(relay, { engines: [{ kind: 'openai-compatible', base_url: engine.url }] }),
  ]);
  client = new OpenAI({ apiKey: relay.apiKey, baseURL: `${relay.baseUrl}/v1`, maxRetries: 0, fetch: recording });
}, 90_000);

afterEach(async () => {
  await Promise.all(wire.splice(0));
});

afterAll(async () => {
  await Promise.all([node.stop(), fakeNode.stop()]);
  await engine.stop();
  await relay.stop();
}, 30_000);

const ask = (fields: Partial<OpenAI.Responses.ResponseCreateParamsNonStreaming> = {}) =>
  client.responses.create({ model: 'tiny', temperature: 0, input: 'Hello', ...fields });

const eventsOf = async (body: object): Promise<readonly ResponseEvent[]> => {
  const response = await relay.fetch('/v1/responses', {
    method: 'POST',
    body: JSON.stringify({ ...body, stream: true }),
  });
  return assertResponseStream(await response.text());
};

const refusalOf = async (work: PromiseLike<unknown>): Promise<InstanceType<typeof OpenAI.APIError>> => {
  const error = await Promise.resolve(work).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof OpenAI.APIError) return error;
  throw new Error(`not refused: ${String(error)}`);
};

describe('the official client', () => {
  it('gets a response with text and usage', async () => {
    const response = await ask({ instructions: 'Be kind.', metadata: { a: 'b' } });
    expect(response).toMatchObject({
      object: 'response',
      model: 'tiny',
      status: 'completed',
      output_text: 'Hello! How can I help you today?',
      instructions: 'Be kind.',
      metadata: { a: 'b' },
      error: null,
    });
    expect(response.id).toMatch(/^resp_[0-9a-f]{80}$/);
    const { input_tokens: input, output_tokens: output, total_tokens: total } = response.usage!;
    expect(total).toBe(input + output);
    expect(output).toBeGreaterThan(0);
  });

  it('streams the same, with the full event sequence', async () => {
    const stream = client.responses.stream({ model: 'tiny', temperature: 0, input: 'Count to 8' });
    const types: string[] = [];
    for await (const event of stream) types.push(event.type);
    expect((await stream.finalResponse()).output_text).toBe('1, 2, 3, 4, 5, 6, 7, 8');
    expect(types.slice(0, 2)).toEqual(['response.created', 'response.in_progress']);
    expect(types.filter((type) => type === 'response.output_text.delta').length).toBeGreaterThan(5);
    expect(types.at(-1)).toBe('response.completed');
  });

  it('gets a header that marks the translation and the dropped fields', async () => {
    const response = await ask({ truncation: 'auto', tools: [weather, { type: 'web_search' }] }).asResponse();
    expect(response.headers.get('x-ferry-translation')).toMatch(/^translated; dropped=.*tools\[1\]/);
    await response.text();
  });

  it('gets incomplete when the limit truncates the answer', async () => {
    const limited = await ask({ input: 'Count to 8', max_output_tokens: 3 });
    expect(limited).toMatchObject({ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } });
    const events = await eventsOf({ model: 'tiny', temperature: 0, input: 'Count to 8', max_output_tokens: 3 });
    expect(events.at(-1)).toMatchObject({ type: 'response.incomplete', response: { usage: { output_tokens: 3 } } });
  });

  it('gets output that follows a JSON schema', async () => {
    const schema = {
      type: 'object',
      properties: { city: { enum: ['Oslo', 'Paris'] } },
      required: ['city'],
      additionalProperties: false,
    };
    const format = { type: 'json_schema', name: 'city', schema, strict: true } as const;
    const response = await ask({ input: 'Give me a city as JSON.', text: { format } });
    expect(['Oslo', 'Paris']).toContain((JSON.parse(response.output_text) as { city: string }).city);
  });
});

describe('a conversation', () => {
  it('continues a response id with the whole conversation except the instructions', async () => {
    const alone = await ask({ input: 'Count to 3' });
    const first = await ask({ instructions: 'Answer in a very friendly and polite way, whatever is asked.' });
    const second = await ask({ input: 'Count to 3', previous_response_id: first.id });
    expect(second.previous_response_id).toBe(first.id);
    expect(second.output_text).toBe('1, 2, 3');
    const grown = second.usage!.input_tokens - alone.usage!.input_tokens;
    // The greeting and its response, and nothing as long as the instructions.
    expect(grown).toBeGreaterThan(5);
    expect(grown).toBeLessThan(first.usage!.total_tokens);
  });

  it('calls a tool, and continues with its result', async () => {
    for (const stream of [false, true]) {
      const request = { model: 'tiny', temperature: 0, input: 'What is the weather in Paris?', tools: [weather] };
      const asked: OpenAI.Responses.Response = stream
        ? await client.responses.stream(request).finalResponse()
        : await client.responses.create(request);
      const call = asked.output.find(
        (item): item is OpenAI.Responses.ResponseFunctionToolCall => item.type === 'function_call',
      );
      expect(call).toMatchObject({ name: 'get_weather', status: 'completed' });
      expect(JSON.parse(call!.arguments)).toEqual({ city: 'Paris' });
      const response = await ask({
        tools: [weather],
        previous_response_id: asked.id,
        input: [{ type: 'function_call_output', call_id: call!.call_id, output: 'sunny, 21 degrees' }],
      });
      expect(response.status).toBe('completed');
      expect(response.output_text).not.toBe('');
    }
  });

  it('refuses a tool result without a call', async () => {
    const { id } = await ask();
    const input = [{ type: 'function_call_output' as const, call_id: 'call_nobody', output: 'x' }];
    expect(await refusalOf(ask({ input, previous_response_id: id }))).toMatchObject({
      status: 400,
      code: 'invalid_request',
      param: 'input[0].call_id',
    });
  });

  it('a conversation may reference items of an earlier answer by id', async () => {
    const { output } = await ask();
    const response = await ask({
      input: [
        { role: 'user', content: 'Hello' },
        { type: 'item_reference', id: output[0]!.id! },
        { role: 'user', content: 'Count to 3' },
      ],
    });
    expect(response.output_text).toBe('1, 2, 3');
  });

  it('a conversation is routed to the node that stores it, among several', async () => {
    const other = await TestNode.start(relay);
    try {
      const begun = await Promise.all([ask(), ask(), ask(), ask()]);
      const continued = await Promise.all(
        begun.map(({ id }) => ask({ input: 'Count to 3', previous_response_id: id })),
      );
      expect(continued.map(({ output_text: text }) => text)).toEqual(begun.map(() => '1, 2, 3'));
    } finally {
      await other.stop();
    }
  }, 60_000);
});

describe('a response that cannot be continued', () => {
  const notFound = {
    status: 404,
    code: 'previous_response_not_found',
    type: 'not_found_error',
    param: 'previous_response_id',
  };

  it('a response that cannot be continued was not stored', async () => {
    const response = await ask({ store: false });
    expect(response).toMatchObject({ store: false });
    expect(await refusalOf(ask({ previous_response_id: response.id }))).toMatchObject(notFound);
  });

  it('a response that cannot be continued has an invalid id, or a model that its node does not have', async () => {
    const { id } = await ask();
    const changed = id.slice(0, -1) + (id.endsWith('0') ? '1' : '0');
    for (const other of ['resp_123', changed, '']) {
      expect(await refusalOf(ask({ previous_response_id: other }))).toMatchObject(notFound);
    }
    expect(await refusalOf(ask({ model: 'fake', previous_response_id: id }))).toMatchObject(notFound);
  });

  it('a response that cannot be continued is on a node that has restarted since', async () => {
    const { id } = await ask();
    await node.process.stop();
    expect(await refusalOf(ask({ previous_response_id: id }))).toMatchObject({ status: 404 });
    await node.run();
    expect(await refusalOf(ask({ previous_response_id: id }))).toMatchObject(notFound);
    expect((await ask()).status).toBe('completed');
  }, 60_000);
});

describe('an engine or a node that fails', () => {
  const streaming = { model: 'fake', input: 'hi', instructions: 'Be brief.' };

  it('an engine or a node that fails during a stream: error, response.failed, one [DONE]', async () => {
    engine.respond = (call) => {
      call.startStream();
      call.chunk({ role: 'assistant', content: 'Once upon' });
      setTimeout(() => call.destroy(), 50);
    };
    const events = await eventsOf(streaming);
    expect(events.slice(-2)).toMatchObject([
      { type: 'error', error: { code: 'engine_error', type: 'server_error' } },
      {
        type: 'response.failed',
        response: { ...(events[0]!['response'] as object), status: 'failed', error: { code: 'server_error' } },
      },
    ]);
  });

  it('an engine or a node that fails after a long silence with headers sent: the same', async () => {
    engine.respond = async (call) => {
      await new Promise((resolve) => setTimeout(resolve, 2 * COMMIT_MS));
      call.json(500, { error: { message: 'out of memory' } });
    };
    const events = await eventsOf(streaming);
    expect(events).toMatchObject([
      { type: 'error', error: { code: 'engine_error' } },
      { type: 'response.failed', response: { model: 'fake', instructions: 'Be brief.' } },
    ]);
  });

  it('an engine or a node that fails before any output: an HTTP status', async () => {
    engine.respond = (call) => {
      call.json(500, { error: { message: 'out of memory' } });
    };
    const response = await relay.fetch('/v1/responses', {
      method: 'POST',
      body: JSON.stringify({ ...streaming, stream: true }),
    });
    expect([response.status, response.headers.get('x-should-retry')]).toEqual([503, 'false']);
    expect(await response.json()).toMatchObject({ error: { code: 'engine_error', message: 'out of memory' } });
  });

  it('makes the official client raise, not finish', async () => {
    engine.respond = (call) => {
      call.startStream();
      call.chunk({ role: 'assistant', content: 'Once upon' });
      call.end();
    };
    // It stops reading at the error, so the recording is incomplete.
    const plain = client.withOptions({ fetch });
    await expect(plain.responses.stream(streaming).finalResponse()).rejects.toThrow(OpenAI.APIError);
  });

  it('leaves no response to continue', async () => {
    engine.respond = (call) => {
      call.startStream();
      call.chunk({ role: 'assistant', content: 'Once upon' });
      call.end();
    };
    const { id } = (await eventsOf(streaming))[0]!['response'] as { id: string };
    expect(await refusalOf(ask({ model: 'fake', previous_response_id: id }))).toMatchObject({ status: 404 });
  });

  it('because its computer is unreachable: a valid response.failed', async () => {
    engine.respond = (call) => {
      call.startStream();
      call.chunk({ role: 'assistant', content: 'Once upon' });
      setTimeout(() => fakeNode.process.child.kill('SIGKILL'), 100);
    };
    const events = await eventsOf(streaming);
    expect(events.map(({ type }) => type)).toContain('response.output_text.delta');
    expect(events.at(-2)).toMatchObject({ type: 'error', error: { code: 'node_disconnected' } });
    expect(events.at(-1)).toMatchObject({ type: 'response.failed', response: { output: [], status: 'failed' } });
  });
});
