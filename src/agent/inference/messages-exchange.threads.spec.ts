import { beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock } from '../../../test/support/clock/manual-clock.js';
import { call, calls, chunk } from '../../../test/support/engine/message-events.js';
import { EngineFailure, type EngineObject } from '../engines/engine.js';
import { ConversationStore } from './conversations/conversation-store.js';
import { ThreadStore } from './conversations/thread-store.js';
import { MessagesExchange } from './messages-exchange.js';

const weather = { name: 'weather', input_schema: { type: 'object', properties: {} } };
const user = (content: unknown) => ({ role: 'user', content });
const whole = (message: object, finish = 'stop'): EngineObject => ({
  choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finish }],
});

let threads: ThreadStore;
let responses = 0;

beforeEach(() => {
  threads = storeOf(1_048_576);
});

const storeOf = (maxBytes: number): ThreadStore =>
  new ThreadStore(new ConversationStore({ maxBytes, maxAgeMs: 60_000, clock: new ManualClock() }));

interface RequestReceived {
  readonly id: string;
  readonly exchange: MessagesExchange;
  readonly chat: { messages: unknown[]; tools?: unknown[] };
}

/** @param messageId null: the relay gave none */
function ask(
  fields: object,
  { scope = 'acc_a', messageId = `msg_${(responses += 1)}` as string | null } = {},
): RequestReceived {
  const body = Buffer.from(JSON.stringify({ model: 'public', max_tokens: 16, messages: [user('Hello')], ...fields }));
  const head = { public_model: 'public', scope, response_id: messageId };
  const exchange = new MessagesExchange(body, head, { reasoning: null }, { threads });
  return { id: messageId ?? '', exchange, chat: JSON.parse(exchange.body.toString()) as RequestReceived['chat'] };
}
const create = (fields: object = {}): RequestReceived => ask({ ...fields, thread: { type: 'create' } });
const after = ({ id }: RequestReceived, fields: object = {}, options: { scope?: string } = {}): RequestReceived =>
  ask({ ...fields, thread: { type: 'continue', previous_message_id: id } }, options);

/** As a request runs that the engine answers. */
function response(asked: RequestReceived, object: EngineObject): Record<string, unknown> {
  const message = JSON.parse(asked.exchange.whole(object).toString()) as Record<string, unknown>;
  asked.exchange.over();
  return message;
}
function stream(asked: RequestReceived, ...chunks: EngineObject[]): void {
  for (const one of chunks) asked.exchange.events([one]);
  asked.exchange.lastEvents();
  asked.exchange.over();
}

const faultOf = (run: () => unknown): unknown => {
  try {
    run();
  } catch (error) {
    if (error instanceof EngineFailure) return error.failure.thread ?? error.failure.param;
    throw error;
  }
  return null;
};

describe('a request that continues a thread', () => {
  it('reaches the engine with the whole conversation, turn for turn', () => {
    const first = create({ system: 'Be brief.', temperature: 0.5 });
    expect(response(first, whole({ content: 'Hi.' }))).toMatchObject({ id: first.id });
    const second = after(first, { messages: [user('How are you?')] });
    expect(second.chat.messages).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: 'Hi.' },
      { role: 'user', content: 'How are you?' },
    ]);
    // Other settings are those of the request.
    expect(second.chat).not.toHaveProperty('temperature');
    response(second, whole({ content: 'Well.' }));
    expect(after(second, { messages: [user('Good.')] }).chat.messages).toHaveLength(6);
  });

  it('answers a call of a tool that the thread keeps, streamed as whole', () => {
    const called = whole(
      { content: null, tool_calls: [call(0, 'c1', 'weather', '{"city":"Paris","id":9007199254740993}')] },
      'tool_calls',
    );
    const first = create({ tools: [weather] });
    response(first, called);
    const streamed = create({ tools: [weather], stream: true });
    stream(
      streamed,
      chunk({ reasoning_content: 'Hm' }),
      calls(call(0, 'c1', 'weather', '{"city":"Paris",')),
      calls(call(0, undefined, undefined, '"id":9007199254740993}')),
      chunk({}, 'tool_calls'),
    );
    const result = user([{ type: 'tool_result', tool_use_id: 'c1', content: 'sunny' }]);
    for (const asked of [first, streamed]) {
      const next = after(asked, { messages: [result] });
      expect(next.chat.tools).toHaveLength(1);
      expect(next.exchange.body.toString()).toContain('\\"id\\":9007199254740993');
      expect(next.chat.messages.slice(1)).toMatchObject([
        { role: 'assistant', tool_calls: [{ id: 'c1', function: { name: 'weather' } }] },
        { role: 'tool', tool_call_id: 'c1', content: 'sunny' },
      ]);
    }
  });

  it('keeps the text of a stream', () => {
    const first = create({ stream: true });
    stream(first, chunk({ content: 'He' }), chunk({ content: 'llo' }), chunk({}, 'stop'));
    expect(after(first).chat.messages[1]).toEqual({ role: 'assistant', content: 'Hello' });
  });

  it('goes on after a request for no answer', () => {
    const first = create({ max_tokens: 0 });
    response(first, whole({ content: 'H' }));
    // Turns of the same role are one for the engine.
    expect(after(first, { messages: [user('Now?')] }).chat.messages).toEqual([
      { role: 'user', content: 'Hello\n\nNow?' },
    ]);
  });

  it('a request that continues a thread is the only one that continues an answer, while it runs and afterwards', () => {
    const first = create();
    response(first, whole({ content: 'Hi.' }));
    const second = after(first);
    expect(faultOf(() => after(first))).toBe('continue_in_flight');
    response(second, whole({ content: 'Hi again.' }));
    expect(faultOf(() => after(first))).toBe('already_continued');
    expect(faultOf(() => after(second))).toBeNull();
  });

  it('a failed or cancelled request that continues a thread may be repeated', () => {
    const first = create();
    response(first, whole({ content: 'Hi.' }));
    const failed = after(first, { stream: true });
    failed.exchange.events([chunk({ content: 'Half' })]);
    failed.exchange.over();
    const again = after(first);
    expect(again.chat.messages).toHaveLength(3);
    expect(faultOf(() => after(failed))).toBe('not_found');
  });

  it('a refused request that continues a thread holds nothing', () => {
    const first = create();
    response(first, whole({ content: 'Hi.' }));
    const wrong = { messages: [user([{ type: 'tool_result', tool_use_id: 'c9', content: 'x' }])] };
    expect(faultOf(() => after(first, wrong))).toBe('messages[0].content[0].tool_use_id');
    expect(faultOf(() => after(first))).toBeNull();
  });

  it('a request that continues a thread is refused for what is not kept: unknown, of another account, not a thread', () => {
    const first = create();
    response(first, whole({ content: 'Hi.' }));
    const plain = ask({});
    response(plain, whole({ content: 'Hi.' }));
    expect(faultOf(() => after(first, {}, { scope: 'acc_b' }))).toBe('not_found');
    expect(faultOf(() => after(plain))).toBe('not_found');
    threads = storeOf(1_048_576);
    expect(faultOf(() => after(first))).toBe('not_found');
  });
});

describe('a thread that cannot be kept', () => {
  it.each<[string, () => unknown]>([
    ['a node that keeps nothing', () => ((threads = storeOf(0)), create())],
    [
      'a conversation that is too large',
      () => ((threads = storeOf(2_000)), create({ messages: [user('x'.repeat(2_000))] })),
    ],
    ['a relay that does not lead back', () => ask({ thread: { type: 'create' } }, { messageId: null })],
  ])('a thread that cannot be kept is refused at once: %s', (_, requesting) => {
    expect(faultOf(requesting)).toBe('thread');
  });
});
