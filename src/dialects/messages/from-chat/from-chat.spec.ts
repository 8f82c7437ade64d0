import { untoldUsage } from '../../../../test/support/engine/message-events.js';
import { describe, expect, it } from '@jest/globals';
import { chatToMessage } from './from-chat.js';
import type { ResponseFacts, Message } from './message.js';

const facts: ResponseFacts = {
  messageId: 'msg_1',
  model: 'public',
  inputTokensEstimate: 7,
  serialCalls: false,
  stopSequences: ['END'],
  newCallId: () => 'toolu_1',
};
const translate = (
  message: object,
  finish = 'stop',
  extra: object = {},
  fields: Partial<ResponseFacts> = {},
): Message =>
  chatToMessage(
    {
      id: 'chatcmpl-1',
      model: '/home/me/secret.gguf',
      choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finish, ...extra }],
      usage: { prompt_tokens: 30, completion_tokens: 9, prompt_tokens_details: { cached_tokens: 10 } },
    },
    { ...facts, ...fields },
  );
const call = (id: unknown, name: string, text: unknown): object => ({
  id,
  type: 'function',
  function: { name, arguments: text },
});

it('a chat response becomes a message without any field of the engine', () => {
  expect(translate({ content: 'Hello' })).toEqual({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'public',
    content: [{ type: 'text', text: 'Hello' }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    stop_details: null,
    container: null,
    diagnostics: null,
    context_management: null,
    usage: {
      input_tokens: 20,
      output_tokens: 9,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 10,
      output_tokens_details: { thinking_tokens: 0 },
      ...untoldUsage,
    },
  });
});

describe('content', () => {
  it('content is thinking, text and calls, in this order', () => {
    expect(
      translate({
        tool_calls: [call('c1', 'f', '{"a":1}'), call('c2', 'g', { b: 2 })],
        content: 'a',
        reasoning_content: 'hm',
      }).content,
    ).toEqual([
      { type: 'thinking', thinking: 'hm', signature: 'cmVsYXk=' },
      { type: 'text', text: 'a' },
      { type: 'tool_use', id: 'c1', name: 'f', input: { a: 1 }, caller: { type: 'direct' } },
      { type: 'tool_use', id: 'c2', name: 'g', input: { b: 2 }, caller: { type: 'direct' } },
    ]);
  });

  it.each<[string, object]>([
    ['null', { content: null }],
    ['empty', { content: '', tool_calls: [], reasoning: '' }],
    ['missing', {}],
  ])('content may be %s', (_, message) => {
    expect(translate(message).content).toEqual([]);
  });

  it('content may come in parts', () => {
    expect(
      translate({
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      }).content,
    ).toEqual([{ type: 'text', text: 'ab' }]);
  });

  it.each<[string, unknown]>([
    ['malformed', '{"a":'],
    ['empty', ''],
    ['a list', '[1]'],
    ['missing', undefined],
  ])('content has an object for arguments that are %s', (_, text) => {
    expect(translate({ tool_calls: [call('c', 'f', text)] }).content).toEqual([
      { type: 'tool_use', id: 'c', name: 'f', input: {}, caller: { type: 'direct' } },
    ]);
  });

  it.each<[string, unknown[], string[]]>([
    ['missing', [undefined, null], ['toolu_1', 'toolu_1']],
    ['repeated', ['call_0', 'call_0'], ['call_0', 'toolu_1']],
  ])('gets generated ids where the ids of calls are %s', (_, given, ids) => {
    const { content } = translate({ tool_calls: given.map((id) => call(id, 'f', '{}')) });
    expect(content.map((block) => block.type === 'tool_use' && block.id)).toEqual(ids);
  });

  it('content has at most one call when parallel calls are disabled', () => {
    const tools = [call('c1', 'f', '{}'), call('c2', 'g', '{}')];
    expect(translate({ tool_calls: tools }, 'tool_calls', {}, { serialCalls: true }).content).toHaveLength(1);
  });
});

describe('the stop reason', () => {
  it.each<[string, object, string, object, object]>([
    ['length', { content: 'a' }, 'length', {}, { stop_reason: 'max_tokens' }],
    ['content_filter', { content: null }, 'content_filter', {}, { stop_reason: 'refusal' }],
    ['a refusal', { content: null, refusal: 'no' }, 'stop', {}, { stop_reason: 'refusal' }],
    [
      'a call, whatever the engine says',
      { tool_calls: [call('c', 'f', '{}')] },
      'stop',
      {},
      { stop_reason: 'tool_use' },
    ],
    ['a call that was cut', { tool_calls: [call('c', 'f', '{"a')] }, 'length', {}, { stop_reason: 'max_tokens' }],
    [
      'a stop sequence',
      { content: 'a' },
      'stop',
      { stop_reason: 'END' },
      { stop_reason: 'stop_sequence', stop_sequence: 'END' },
    ],
    ['a stop text of the engine', { content: 'a' }, 'stop', { stop_reason: '</s>' }, { stop_reason: 'end_turn' }],
  ])('for %s', (_, message, finish, extra, expected) => {
    expect(translate(message, finish, extra)).toMatchObject(expected);
  });
});

it('estimates usage for engines that report none', () => {
  const response = { choices: [{ message: { content: 'x'.repeat(400) }, finish_reason: 'stop' }] };
  const { usage } = chatToMessage(response, facts);
  expect(usage.input_tokens).toBe(7);
  expect(usage.output_tokens).toBeGreaterThanOrEqual(100);
});

it('names the stop sequence that llama-server reports beside the choices', () => {
  const response = {
    choices: [{ index: 0, message: { role: 'assistant', content: '1, 2, 3, 4, ' }, finish_reason: 'stop' }],
    __verbose: { stop: true, stop_type: 'word', stopping_word: '5' },
  };
  expect(chatToMessage(response, { ...facts, stopSequences: ['5'] })).toMatchObject({
    stop_reason: 'stop_sequence',
    stop_sequence: '5',
  });
});
