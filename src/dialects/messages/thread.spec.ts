import { describe, expect, it } from '@jest/globals';
import { FerryError } from '../../kernel/errors/ferry-error.js';
import { readMessagesEnvelope } from './envelope.js';
import { withEarlierTurns, type MessageThread } from './thread.js';

const base = { model: 'tiny', max_tokens: 16, messages: [{ role: 'user', content: 'And then?' }] };
const on = { thread: { type: 'continue', previous_message_id: 'msg_1' } };
const weather = { name: 'weather', input_schema: { type: 'object' } };
const resultOf = (id: string) => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: id, content: 'sunny' }],
});

const refusal = (run: () => unknown): unknown => {
  try {
    run();
  } catch (error) {
    if (error instanceof FerryError) return [error.code, error.param];
    throw error;
  }
  return null;
};
const reading = (fields: object): unknown => refusal(() => readMessagesEnvelope({ ...base, ...fields }));

describe('the thread of a messages request', () => {
  it('begins, goes on, or is none', () => {
    expect(readMessagesEnvelope(base).thread).toBeNull();
    expect(readMessagesEnvelope({ ...base, thread: null }).thread).toBeNull();
    expect(readMessagesEnvelope({ ...base, thread: { type: 'create' } }).thread).toEqual({ type: 'create' });
    expect(readMessagesEnvelope({ ...base, ...on }).thread).toEqual({ type: 'continue', previousMessageId: 'msg_1' });
  });

  it.each<[string, object, unknown]>([
    ['is a text', { thread: 'create' }, ['invalid_request', 'thread']],
    ['has a type that is not known', { thread: { type: 'fork' } }, ['thread_unsupported_request', 'thread']],
    ['names no message', { thread: { type: 'continue' } }, ['invalid_request', 'thread.previous_message_id']],
    ['repeats the tools that it keeps', { ...on, tools: [weather] }, ['invalid_request', 'tools']],
    ['repeats the system text that it keeps', { ...on, system: 'Be brief.' }, ['invalid_request', 'system']],
    ['begins with nothing', { thread: { type: 'create' }, messages: [] }, ['invalid_request', 'messages']],
    [
      'begins with the result of no call',
      { thread: { type: 'create' }, messages: [resultOf('c1')] },
      ['invalid_request', 'messages[0].content[0].tool_use_id'],
    ],
  ])('the thread of a messages request is refused when it %s', (_, fields, expected) => {
    expect(reading(fields)).toEqual(expected);
  });

  it('goes on with results of earlier calls, with a tool of the thread, and with no new turn', () => {
    expect(reading({ ...on, messages: [resultOf('c1')] })).toBeNull();
    expect(reading({ ...on, tool_choice: { type: 'tool', name: 'weather' } })).toBeNull();
    expect(reading({ ...on, messages: [], system: null, tools: null })).toBeNull();
  });
});

describe('a continued conversation', () => {
  const thread: MessageThread = {
    system: 'Be brief.',
    tools: [weather],
    messages: [
      { role: 'user', content: 'How is the weather?' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'weather', input: {} }] },
    ],
  };

  it('a continued conversation has the system text, the tools and the turns of the thread before its own', () => {
    expect(withEarlierTurns({ ...base, ...on, messages: [resultOf('c1')] }, thread)).toEqual({
      ...base,
      ...on,
      system: 'Be brief.',
      tools: [weather],
      messages: [...thread.messages, resultOf('c1')],
    });
  });

  it('a continued conversation has no such field where the thread has none', () => {
    expect(withEarlierTurns(base, { system: null, tools: null, messages: [] })).toEqual(base);
  });

  it('a continued conversation is refused with the position in the request, not in the thread', () => {
    const continuing = (fields: object) => refusal(() => withEarlierTurns({ ...base, ...fields }, thread));
    expect(continuing({ messages: [resultOf('c2')] })).toEqual([
      'invalid_request',
      'messages[0].content[0].tool_use_id',
    ]);
    expect(continuing({ tool_choice: { type: 'tool', name: 'other' } })).toEqual([
      'invalid_request',
      'tool_choice.name',
    ]);
    expect(continuing({ tool_choice: { type: 'tool', name: 'weather' } })).toBeNull();
  });
});
