import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../kernel/json-object.js';
import type { ResponseItem } from '../items.js';
import type { ToChatOptions } from '../translation.js';
import { responsesToChat } from './to-chat.js';

const pixel = 'data:image/png;base64,iVBORw0KGgo=';
const translate = (fields: JsonObject, options: Partial<ToChatOptions> = {}) =>
  responsesToChat({ model: 'tiny', input: 'hi', ...fields }, { earlier: [], ...options });
const messagesOf = (input: unknown, fields: JsonObject = {}, options: Partial<ToChatOptions> = {}) =>
  translate({ input, ...fields }, options).body['messages'];
const user = (content: unknown) => ({ role: 'user', content });
const assistant = (content: unknown) => ({ role: 'assistant', content });
const chatCall = (id: string, name = 'f', text = '{"a":1}') => ({
  id,
  type: 'function',
  function: { name, arguments: text },
});
const chatResult = (id: string, content = 'done') => ({ role: 'tool', tool_call_id: id, content });

describe('items of other kinds', () => {
  test('a custom call becomes a call with one argument', () => {
    const input = [
      { type: 'custom_tool_call', call_id: 'c1', name: 'patch', input: '*** Begin' },
      { type: 'custom_tool_call_output', call_id: 'c1', output: 'ok' },
    ];
    expect(messagesOf(input, { tools: [{ type: 'custom', name: 'patch' }] })).toEqual([
      { ...assistant(null), tool_calls: [chatCall('c1', 'patch', '{"input":"*** Begin"}')] },
      chatResult('c1', 'ok'),
    ]);
  });

  test("the client's own kinds of calls keep their payload and their result", () => {
    const input = [
      { type: 'local_shell_call', id: 'lsh_1', call_id: 'c1', status: 'completed', action: { command: ['ls'] } },
      { type: 'local_shell_call_output', call_id: 'c1', output: 'a.txt' },
      { type: 'shell_call', call_id: 'c2', action: { commands: ['ls'] } },
      { type: 'shell_call_output', call_id: 'c2', output: [{ stdout: 'a.txt' }] },
    ];
    expect(messagesOf(input)).toEqual([
      { ...assistant(null), tool_calls: [chatCall('c1', 'local_shell', '{"action":{"command":["ls"]}}')] },
      chatResult('c1', 'a.txt'),
      { ...assistant(null), tool_calls: [chatCall('c2', 'shell', '{"action":{"commands":["ls"]}}')] },
      chatResult('c2', '[{"stdout":"a.txt"}]'),
    ]);
  });

  test('a screenshot becomes an image', () => {
    const input = [
      { type: 'computer_call', call_id: 'c1', action: { type: 'screenshot' } },
      { type: 'computer_call_output', call_id: 'c1', output: { type: 'computer_screenshot', image_url: pixel } },
    ];
    expect(messagesOf(input)).toEqual([
      { ...assistant(null), tool_calls: [chatCall('c1', 'computer', '{"action":{"type":"screenshot"}}')] },
      chatResult('c1', '[the result follows]'),
      user([
        { type: 'text', text: '[tool result image for call c1]' },
        { type: 'image_url', image_url: { url: pixel } },
      ]),
    ]);
  });

  test('an unknown item is skipped and reported', () => {
    const input = [
      user('hi'),
      { type: 'web_search_call', id: 'ws_1', status: 'completed' },
      { type: 'compaction', encrypted_content: 'x' },
      { type: 'acme:telemetry' },
      { type: 'shell_call_output', call_id: 'gone', output: 'x' },
    ];
    const { body, dropped } = translate({ input });
    expect(body['messages']).toEqual([user('hi')]);
    expect(dropped).toEqual(['input[1]', 'input[2]', 'input[3]', 'input[4]']);
  });

  describe('references', () => {
    const stored: ResponseItem = {
      type: 'message',
      id: 'msg_1',
      role: 'assistant',
      content: [{ type: 'output_text', text: 'a' }],
    };

    test('references are resolved, and stored resolved', () => {
      const input = [user('hi'), { type: 'item_reference', id: 'msg_1' }];
      const { body, items } = translate({ input }, { findItem: (id) => (id === 'msg_1' ? stored : undefined) });
      expect(body['messages']).toEqual([user('hi'), assistant('a')]);
      expect(items).toEqual([{ type: 'message', ...user('hi') }, stored]);
    });

    test('references to items already in the conversation add nothing', () => {
      expect(messagesOf([{ id: 'msg_1' }, user('b')], {}, { earlier: [stored] })).toEqual([assistant('a'), user('b')]);
    });

    test('references to expired items are 404', () => {
      expect(() => translate({ input: [{ type: 'item_reference', id: 'msg_9' }] })).toThrow(
        expect.objectContaining({ code: 'previous_response_not_found', status: 404, param: 'input[0].id' }),
      );
    });
  });
});

describe('the input is stored normalised', () => {
  test('a text is a message', () => {
    expect(translate({}).items).toEqual([
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hi' }] },
    ]);
  });

  test('an absent type is written', () => {
    expect(translate({ input: [user('a'), { type: null, ...assistant('b') }] }).items).toEqual([
      { type: 'message', ...user('a') },
      { type: 'message', ...assistant('b') },
    ]);
  });
});
