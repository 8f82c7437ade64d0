import { describe, expect, it } from '@jest/globals';
import { chunk } from '../../../test/support/engine/message-events.js';
import { EngineFailure, type EngineObject } from '../engines/engine.js';
import { ManualClock } from '../../../test/support/clock/manual-clock.js';
import { ConversationStore } from './conversations/conversation-store.js';
import { ThreadStore } from './conversations/thread-store.js';
import { MessagesExchange } from './messages-exchange.js';

const head = { public_model: 'public', scope: 'acc_a' };
const context = {
  threads: new ThreadStore(new ConversationStore({ maxBytes: 0, maxAgeMs: 0, clock: new ManualClock() })),
};

const requesting = { model: 'public', max_tokens: 16, messages: [{ role: 'user', content: 'How many?' }] };
const exchange = (fields: object = {}, reasoning: boolean | null = null): MessagesExchange =>
  new MessagesExchange(
    Buffer.from(JSON.stringify({ ...requesting, ...fields })),
    head,
    { reasoning },
    context,
    (prefix) => `${prefix}1`,
  );
const usageChunk = (): EngineObject => ({ choices: [], usage: { prompt_tokens: 9, completion_tokens: 2 } });

describe('a messages request', () => {
  it('reaches the engine as chat', () => {
    const { body, dropped } = exchange({ stream: true, container: 'c', thinking: { type: 'disabled' } });
    expect(JSON.parse(body.toString())).toEqual({
      model: 'public',
      messages: [{ role: 'user', content: 'How many?' }],
      max_tokens: 16,
      stream: true,
      stream_options: { include_usage: true },
      reasoning_effort: 'none',
    });
    expect(dropped).toEqual(['container']);
  });

  it('drops options that the model does not support', () => {
    expect(exchange({ thinking: { type: 'disabled' } }, false).body.toString()).not.toContain('reasoning');
  });

  it.each<[string, Buffer, string | null]>([
    ['no JSON', Buffer.from('{"model":'), null],
    ['no object', Buffer.from('[1]'), null],
    ['no limit', Buffer.from(JSON.stringify({ ...requesting, max_tokens: null })), 'max_tokens'],
  ])('a messages request with %s is refused before the engine sees it', (_, body, param) => {
    let failure: unknown;
    try {
      new MessagesExchange(body, head, { reasoning: null }, context);
    } catch (error) {
      failure = error;
    }
    expect(failure).toBeInstanceOf(EngineFailure);
    expect((failure as EngineFailure).failure).toMatchObject({ code: 'invalid_request', status: 400, param });
  });

  it('a messages request may begin with a byte order mark', () => {
    const body = Buffer.from(`\uFEFF${JSON.stringify(requesting)}`);
    expect(new MessagesExchange(body, head, { reasoning: null }, context).dropped).toEqual([]);
  });
});

describe('a request for no answer, which warms the prefix of its prompt', () => {
  const warming = { max_tokens: 0 };
  const warmed = {
    stop_reason: 'max_tokens',
    usage: { input_tokens: 9, output_tokens: 0 },
  };

  it('asks the engine for one token', () => {
    expect(JSON.parse(exchange(warming).body.toString())).toMatchObject({ max_tokens: 1 });
  });

  it('gets a message without content', () => {
    const response = {
      choices: [{ message: { content: 'T' }, finish_reason: 'length' }],
      usage: usageChunk()['usage'],
    };
    expect(JSON.parse(exchange(warming).whole(response).toString())).toMatchObject({ content: [], ...warmed });
  });

  it('gets a stream without content', () => {
    const target = exchange({ ...warming, stream: true });
    expect(target.events([chunk({ content: 'T' }), chunk({}, 'length'), usageChunk()])).toBeUndefined();
    const events = target
      .lastEvents()
      .toString()
      .split('\n\n')
      .slice(0, -1)
      .map((event) => JSON.parse(event.split('data: ')[1] ?? '') as object);
    expect(events).toMatchObject([
      { type: 'message_start', message: { content: [], usage: warmed.usage } },
      { type: 'message_delta', delta: { stop_reason: 'max_tokens' }, usage: warmed.usage },
      { type: 'message_stop' },
    ]);
    expect(target.usage).toMatchObject({ input_tokens: 9, output_tokens: 2 });
  });
});

describe('a streamed answer', () => {
  it('begins with the first output of the engine', () => {
    const target = exchange({ stream: true });
    expect(target.events([chunk({ role: 'assistant', content: '' }), { choices: [] }])).toBeUndefined();
    expect(target.events([chunk({ content: 'Two' })])?.toString()).toMatch(/^event: message_start\ndata: {/);
  });

  it('a streamed answer is one named event of one line each, under the public name, without [DONE]', () => {
    const target = exchange({ stream: true });
    const text =
      (target.events([chunk({ content: 'a\nb\r\n\u2028' }), chunk({}, 'stop'), usageChunk()])?.toString() ?? '') +
      target.lastEvents().toString();
    const events = text.split('\n\n').slice(0, -1);
    expect(events.map((event) => event.split('\n').length)).toEqual(events.map(() => 2));
    const named = events.map((event) => /^event: (\w+)\ndata: {"type":"(\w+)"/.exec(event)?.slice(1));
    expect(named.every((names) => names !== undefined && names[0] === names[1])).toBe(true);
    expect(text).not.toMatch(/secret|\[DONE]/);
    expect(text).toContain('"model":"public"');
    expect(text).toContain('"id":"msg_1"');
  });

  it("a streamed answer has the engine's usage, or an estimate", () => {
    const target = exchange({ stream: true });
    expect(target.usage).toBeNull();
    target.events([chunk({ content: 'a' }), chunk({ content: 'b' })]);
    expect(target.usage).toMatchObject({ output_tokens: 2, source: 'counted' });
    target.events([usageChunk()]);
    expect(target.usage).toMatchObject({ input_tokens: 9, output_tokens: 2, source: 'engine' });
  });

  it('begins with a positive estimate of the input tokens', () => {
    const start = (fields: object): unknown =>
      /"input_tokens":(\d+)/.exec(
        exchange({ stream: true, ...fields })
          .events([chunk({ content: 'a' })])!
          .toString(),
      )?.[1];
    expect(start({})).toBe('3');
    expect(start({ messages: [{ role: 'user', content: '' }] })).toBe('1');
    expect(Number(start({ tools: [{ name: 'f', description: 'x'.repeat(400) }] }))).toBeGreaterThan(100);
  });

  it('a streamed answer that cannot be ordered fails', () => {
    const target = exchange({ stream: true });
    const call = (index: number, text: string): EngineObject =>
      chunk({ tool_calls: [{ index, id: `c${index}`, function: { name: 'f', arguments: text } }] });
    target.events([call(0, '{')]);
    expect(() => target.events([call(1, `{"a":"${'x'.repeat(17 << 20)}`)])).toThrow(EngineFailure);
  });
});

describe('a whole answer', () => {
  it('a whole answer is a message, with its usage', () => {
    const target = exchange();
    const response = {
      choices: [{ index: 0, message: { content: 'Two' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 9, completion_tokens: 2 },
    };
    expect(JSON.parse(target.whole(response).toString())).toMatchObject({
      id: 'msg_1',
      model: 'public',
      content: [{ type: 'text', text: 'Two' }],
      usage: { input_tokens: 9, output_tokens: 2 },
    });
    expect(target.usage).toMatchObject({ input_tokens: 9, source: 'engine' });
  });

  it('a whole answer has at most one call when parallel calls are disabled', () => {
    const target = exchange({
      tools: [{ name: 'f' }],
      tool_choice: { type: 'auto', disable_parallel_tool_use: true },
    });
    const called = { id: 'c1', function: { name: 'f', arguments: '{}' } };
    const response = { choices: [{ message: { tool_calls: [called, called] }, finish_reason: 'tool_calls' }] };
    expect(JSON.parse(target.whole(response).toString())).toMatchObject({
      content: [{ id: 'c1' }],
      stop_reason: 'tool_use',
    });
  });

  it('a whole answer has unique ids', () => {
    const ids = Array.from({ length: 3 }, () => {
      const target = new MessagesExchange(Buffer.from(JSON.stringify(requesting)), head, { reasoning: null }, context);
      const message = JSON.parse(target.whole({ choices: [] }).toString()) as { id: string };
      return message.id;
    });
    for (const id of ids) expect(id).toMatch(/^msg_[0-9A-Za-z]{24}$/);
    expect(new Set(ids).size).toBe(3);
  });
});
