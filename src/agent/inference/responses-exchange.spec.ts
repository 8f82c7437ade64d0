import { beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock } from '../../../test/support/clock/manual-clock.js';
import {
  assertResponseResource,
  assertResponseStream,
  type ResponseEvent,
} from '../../../test/support/client/openresponses-schema.js';
import { createAccountId, createNodeId } from '../../kernel/ids.js';
import { nodeOfItem, ResponseIds } from '../../kernel/response-id.js';
import { EngineFailure, type EngineObject } from '../engines/engine.js';
import { ConversationStore } from './conversations/conversation-store.js';
import { ResponseStore } from './conversations/response-store.js';
import { ResponsesExchange } from './responses-exchange.js';

const ids = new ResponseIds('a secret that is long enough for anybody');
const node = createNodeId();
const weather = { type: 'function', name: 'weather', parameters: { type: 'object', properties: {} } };

let clock: ManualClock;
let responses: ResponseStore;

beforeEach(() => {
  clock = new ManualClock(1_763_640_000_500);
  responses = new ResponseStore(new ConversationStore({ maxBytes: 1_048_576, maxAgeMs: 60_000, clock }));
});

interface RequestReceived {
  readonly id: string;
  readonly exchange: ResponsesExchange;
  /** What the engine is sent. */
  readonly chat: Record<string, unknown> & { messages: Record<string, unknown>[] };
}

const ask = (fields: object, { scope = 'acc_a', reasoning = null as boolean | null } = {}): RequestReceived => {
  const id = ids.create(createAccountId(), node);
  const body = Buffer.from(JSON.stringify({ model: 'public', input: 'hi', ...fields }));
  const head = { public_model: 'public', scope, response_id: id };
  const exchange = new ResponsesExchange(body, head, { reasoning }, { responses, clock });
  return { id, exchange, chat: JSON.parse(exchange.body.toString()) as RequestReceived['chat'] };
};

const failureOf = (work: () => unknown): EngineFailure['failure'] => {
  try {
    work();
  } catch (error) {
    if (error instanceof EngineFailure) return error.failure;
    throw error;
  }
  throw new Error('nothing failed');
};

const chunk = (delta: object, finish: string | null = null): EngineObject => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  model: '/home/me/secret.gguf',
  choices: [{ index: 0, delta, finish_reason: finish }],
});
const usageChunk = (): EngineObject => ({
  choices: [],
  usage: { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 },
});
const whole = (message: object, finish = 'stop'): EngineObject => ({
  id: 'chatcmpl-1',
  model: '/home/me/secret.gguf',
  choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finish }],
  usage: { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 },
});
const calling = {
  tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"c":1}' } }],
};

const textOf = ({ exchange }: RequestReceived, ...batches: EngineObject[][]): string =>
  batches.map((batch) => exchange.events(batch)?.toString() ?? '').join('') + exchange.lastEvents().toString();
const report = (asked: RequestReceived, ...batches: EngineObject[][]): readonly ResponseEvent[] =>
  assertResponseStream(textOf(asked, ...batches));
const tellWhole = ({ exchange }: RequestReceived, response: EngineObject): Record<string, unknown> => {
  const body = JSON.parse(exchange.whole(response).toString()) as Record<string, unknown>;
  assertResponseResource(body);
  return body;
};

describe('a responses stream to the client', () => {
  it("a responses stream to the client has the full event sequence around the text of the engine, with the relay's ids", () => {
    const asked = ask({ instructions: 'Be brief.', temperature: 0.5 });
    const text = textOf(
      asked,
      [chunk({ role: 'assistant', content: '' })],
      [chunk({ content: 'He' }), chunk({ content: 'llo' })],
      [chunk({}, 'stop'), usageChunk()],
    );
    const events = assertResponseStream(text);
    expect(events.map(({ type }) => type)).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.completed',
    ]);
    expect(text).not.toContain('secret');
    expect(events.at(-1)).toMatchObject({
      response: {
        id: asked.id,
        model: 'public',
        created_at: 1_763_640_000,
        instructions: 'Be brief.',
        temperature: 0.5,
        status: 'completed',
        output: [{ type: 'message', content: [{ type: 'output_text', text: 'Hello' }] }],
        usage: { input_tokens: 9, output_tokens: 3, total_tokens: 12 },
      },
    });
    expect(asked.exchange.usage).toMatchObject({ input_tokens: 9, output_tokens: 3, source: 'engine' });
  });

  it('begins with the first output, so that an earlier failure keeps its status', () => {
    const { exchange } = ask({});
    expect(exchange.events([chunk({ role: 'assistant', content: null })])).toBeUndefined();
    expect(exchange.events([chunk({ content: '' }), usageChunk()])).toBeUndefined();
    expect(exchange.events([chunk({ reasoning_content: 'hm' })])?.toString()).toContain('response.created');
  });

  it('a responses stream to the client is estimated where the engine reports no usage, without showing the estimate', () => {
    const asked = ask({});
    expect(asked.exchange.usage).toBeNull();
    const events = report(asked, [chunk({ content: 'a' })], [chunk({ content: 'b' })], [chunk({}, 'stop')]);
    expect(events.at(-1)).toMatchObject({ response: { usage: null } });
    expect(asked.exchange.usage).toMatchObject({ output_tokens: 3, source: 'counted' });
  });

  it('a responses stream to the client has items whose ids identify the node of the response', () => {
    const events = report(ask({}), [chunk({ content: 'a', ...calling })], [chunk({}, 'tool_calls')]);
    const { output } = events.at(-1)!['response'] as { output: { id: string }[] };
    expect(output.map(({ id }) => nodeOfItem(id))).toEqual([node, node]);
  });

  it('a responses stream to the client without an end fails', () => {
    const { exchange } = ask({});
    exchange.events([chunk({ content: 'a' })]);
    expect(failureOf(() => exchange.lastEvents())).toMatchObject({ code: 'engine_error' });
  });
});

it('a whole response is one valid resource', () => {
  const asked = ask({ metadata: { a: 'b' } });
  expect(tellWhole(asked, whole({ content: 'Hello' }))).toMatchObject({
    id: asked.id,
    status: 'completed',
    model: 'public',
    metadata: { a: 'b' },
    output: [{ type: 'message', content: [{ text: 'Hello' }] }],
    usage: { total_tokens: 12 },
  });
  expect(asked.exchange.usage).toMatchObject({ input_tokens: 9, source: 'engine' });
});

describe('a request', () => {
  it('a request that is malformed is refused with the field at fault', () => {
    expect(failureOf(() => ask({ input: 5 }))).toMatchObject({ code: 'invalid_request', status: 400, param: 'input' });
    expect(failureOf(() => ask({ background: true }))).toMatchObject({ code: 'unsupported_parameter', status: 400 });
  });

  it("a request with a tool result without a call is refused with OpenAI's message", () => {
    const input = [{ type: 'function_call_output', call_id: 'call_9', output: 'x' }];
    expect(failureOf(() => ask({ input }))).toMatchObject({
      code: 'invalid_request',
      status: 400,
      message: 'No tool call found for function call output with call_id call_9.',
      param: 'input[0].call_id',
    });
  });

  it('reports fields without an equivalent in chat', () => {
    expect(ask({ truncation: 'auto', tools: [{ type: 'web_search' }] }).exchange.dropped).toContain('tools[0]');
  });

  it('omits the reasoning effort for a model without reasoning', () => {
    const effort = { reasoning: { effort: 'high' } };
    expect(ask(effort, { reasoning: true }).chat).toHaveProperty('reasoning_effort');
    expect(ask(effort, { reasoning: false }).chat).not.toHaveProperty('reasoning_effort');
  });
});

describe('a continuation', () => {
  const begin = (fields: object = {}): RequestReceived => {
    const asked = ask({ input: 'My name is Ada.', ...fields });
    report(asked, [chunk({ content: 'Hello Ada.' })], [chunk({}, 'stop')]);
    return asked;
  };
  const sent = (asked: RequestReceived): unknown[] => asked.chat.messages.map(({ role, content }) => [role, content]);

  it('a continuation is the earlier input, the earlier output and the new input', () => {
    const { id } = begin();
    expect(sent(ask({ input: 'Who am I?', previous_response_id: id }))).toEqual([
      ['user', 'My name is Ada.'],
      ['assistant', 'Hello Ada.'],
      ['user', 'Who am I?'],
    ]);
  });

  it('a continuation may repeat, streamed or not, and may branch', () => {
    const first = begin();
    const second = ask({ input: 'two', previous_response_id: first.id });
    tellWhole(second, whole({ content: 'second' }));
    const third = ask({ input: 'three', previous_response_id: second.id });
    report(third, [chunk({ content: 'third' })], [chunk({}, 'stop')]);
    expect(sent(ask({ input: 'four', previous_response_id: third.id }))).toHaveLength(7);
    expect(sent(ask({ input: 'other', previous_response_id: first.id }))).toHaveLength(3);
  });

  it('a continuation does not carry instructions over', () => {
    const { id } = begin({ instructions: 'Shout.' });
    expect(JSON.stringify(ask({ previous_response_id: id }).chat)).not.toContain('Shout');
    expect(sent(ask({ previous_response_id: id, instructions: 'Whisper.' }))[0]).toEqual(['system', 'Whisper.']);
  });

  it('a continuation may contain the result of a stored call', () => {
    const asked = ask({ tools: [weather] });
    report(asked, [chunk(calling)], [chunk({}, 'tool_calls')]);
    const input = [{ type: 'function_call_output', call_id: 'call_1', output: 'sunny' }];
    const { chat } = ask({ input, previous_response_id: asked.id });
    expect(chat.messages.slice(1)).toMatchObject([
      { role: 'assistant', tool_calls: [{ id: 'call_1', function: { name: 'weather', arguments: '{"c":1}' } }] },
      { role: 'tool', tool_call_id: 'call_1', content: 'sunny' },
    ]);
    const wrong = [{ type: 'function_call_output', call_id: 'call_2', output: 'sunny' }];
    expect(failureOf(() => ask({ input: wrong, previous_response_id: asked.id }))).toMatchObject({
      code: 'invalid_request',
      param: 'input[0].call_id',
    });
  });

  it('a continuation may repeat items by their ids only', () => {
    const asked = ask({ tools: [weather] });
    const events = report(asked, [chunk(calling)], [chunk({}, 'tool_calls')]);
    const { output } = events.at(-1)!['response'] as { output: { id: string }[] };
    const input = [
      { role: 'user', content: 'hi' },
      { type: 'item_reference', id: output[0]!.id },
      { type: 'function_call_output', call_id: 'call_1', output: 'sunny' },
    ];
    expect(sent(ask({ input }))).toHaveLength(3);
    expect(failureOf(() => ask({ input }, { scope: 'acc_b' }))).toMatchObject({
      code: 'previous_response_not_found',
      status: 404,
    });
  });

  it('a continuation of a truncated answer is possible', () => {
    const asked = ask({ max_output_tokens: 1 });
    const events = report(asked, [chunk({ content: 'Hel' })], [chunk({}, 'length')]);
    expect(events.at(-1)).toMatchObject({
      type: 'response.incomplete',
      response: { incomplete_details: { reason: 'max_output_tokens' } },
    });
    expect(sent(ask({ previous_response_id: asked.id }))).toHaveLength(3);
  });

  it.each<[string, () => string]>([
    ['nobody was given', () => ids.create(createAccountId(), node)],
    ['the client did not want to be kept', () => begin({ store: false }).id],
    [
      'the client did not want to be kept, as one piece',
      () => {
        const asked = ask({ store: false });
        tellWhole(asked, whole({ content: 'a' }));
        return asked.id;
      },
    ],
    [
      'failed',
      () => {
        const { exchange, id } = ask({});
        exchange.events([chunk({ content: 'a' })]);
        failureOf(() => exchange.lastEvents());
        return id;
      },
    ],
    [
      'nobody waited for',
      () => {
        const { exchange, id } = ask({});
        exchange.events([chunk({ content: 'a' }, 'stop')]);
        return id;
      },
    ],
    [
      'is too old',
      () => {
        const { id } = begin();
        clock.advance(60_000);
        return id;
      },
    ],
  ])('a continuation of a response that %s is 404', (_, made) => {
    const id = made();
    expect(failureOf(() => ask({ previous_response_id: id }))).toMatchObject({
      code: 'previous_response_not_found',
      status: 404,
      param: 'previous_response_id',
    });
  });

  it("a continuation of another account's response is 404", () => {
    const { id } = begin();
    expect(failureOf(() => ask({ previous_response_id: id }, { scope: 'acc_b' }))).toMatchObject({ status: 404 });
    expect(sent(ask({ previous_response_id: id }))).toHaveLength(3);
  });
});

it('a request without a response id is answered, without a continuation', () => {
  const head = { public_model: 'public', scope: 'acc_a' };
  const body = Buffer.from('{"model":"public","input":"hi"}');
  const exchange = new ResponsesExchange(body, head, { reasoning: null }, { responses, clock });
  const { id } = JSON.parse(exchange.whole(whole({ content: 'a' })).toString()) as { id: string };
  expect(id).toMatch(/^resp_[0-9a-f]{56}$/);
});
