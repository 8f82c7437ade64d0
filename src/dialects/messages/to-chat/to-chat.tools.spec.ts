import { describe, expect, it } from '@jest/globals';
import {
  assistant,
  chat,
  conversation,
  image,
  imagePart,
  text,
  translate,
  user,
} from '../../../../test/support/engine/message-requests.js';

const weather = { name: 'weather', input_schema: { type: 'object', properties: { city: { type: 'string' } } } };

describe('tool results', () => {
  const result = (id: string, content?: unknown, fields: object = {}): object => ({
    type: 'tool_result',
    tool_use_id: id,
    ...(content === undefined ? {} : { content }),
    ...fields,
  });

  const calls = ['t1', 't2'].map((id) => ({ type: 'tool_use', id, name: 'f', input: {} }));
  const afterCalls = (...messages: object[]): unknown[] =>
    (conversation(assistant(...calls), ...messages) as unknown[]).slice(1);

  it('tool results are one tool message each, before other user content', () => {
    expect(afterCalls(user(text('and?'), result('t1', 'sun'), result('t2', [text('a'), text('b')])))).toEqual([
      { role: 'tool', tool_call_id: 't1', content: 'sun' },
      { role: 'tool', tool_call_id: 't2', content: 'a\n\nb' },
      { role: 'user', content: 'and?' },
    ]);
  });

  it('tool results follow the calls directly, whatever the user message contains', () => {
    expect(afterCalls(user(text('a')), user(result('t1', 'sun'), result('t2')), user(text('b')))).toEqual([
      { role: 'tool', tool_call_id: 't1', content: 'sun' },
      { role: 'tool', tool_call_id: 't2', content: '' },
      { role: 'user', content: 'a\n\nb' },
    ]);
  });

  it('missing tool results are neutral, directly after the others, and reported', () => {
    const messages = [assistant(...calls), user(result('t2', 'two'), text('Stop.')), assistant(...calls.slice(0, 1))];
    const { body, changed } = translate({ messages });
    const missing = { role: 'tool', tool_call_id: 't1', content: 'No result was recorded: the call was interrupted.' };
    expect((body['messages'] as unknown[]).slice(1)).toEqual([
      { role: 'tool', tool_call_id: 't2', content: 'two' },
      missing,
      { role: 'user', content: 'Stop.' },
      expect.objectContaining({ role: 'assistant' }),
      missing,
    ]);
    expect(changed).toEqual(['messages[0].content[0]', 'messages[2].content[0]']);
  });

  it('tool results belong to the latest call of their id', () => {
    const [first] = calls;
    expect(conversation(assistant(first), user(result('t1', 'a')), assistant(first), user(result('t1', 'b')))).toEqual([
      expect.objectContaining({ role: 'assistant' }),
      { role: 'tool', tool_call_id: 't1', content: 'a' },
      expect.objectContaining({ role: 'assistant' }),
      { role: 'tool', tool_call_id: 't1', content: 'b' },
    ]);
  });

  it('tool results are marked when they are errors', () => {
    expect(afterCalls(user(result('t1', 'no such city', { is_error: true }), result('t2')))).toEqual([
      { role: 'tool', tool_call_id: 't1', content: 'Error: no such city' },
      { role: 'tool', tool_call_id: 't2', content: '' },
    ]);
  });

  it('move their images to the next user message, which may have more content', () => {
    expect(afterCalls(user(result('t1', [text('a map'), image]), result('t2', 'sun'), text('well?')))).toEqual([
      { role: 'tool', tool_call_id: 't1', content: 'a map' },
      { role: 'tool', tool_call_id: 't2', content: 'sun' },
      { role: 'user', content: [text('[tool result image for call t1]'), imagePart, text('well?')] },
    ]);
  });

  it('tool results may reference tools', () => {
    expect(afterCalls(user(result('t1', [{ type: 'tool_reference', tool_name: 'weather' }]), result('t2')))).toEqual([
      { role: 'tool', tool_call_id: 't1', content: 'weather' },
      { role: 'tool', tool_call_id: 't2', content: '' },
    ]);
  });
});

describe('tools', () => {
  const tool = { type: 'function', function: { name: 'weather', parameters: weather.input_schema } };

  it('tools become functions; a missing schema means no arguments', () => {
    const described = { name: 'now', description: 'the time', type: 'custom', strict: true, cache_control: {} };
    expect(chat({ tools: [weather, described] })).toMatchObject({
      tools: [
        tool,
        {
          type: 'function',
          function: {
            name: 'now',
            description: 'the time',
            parameters: { type: 'object', properties: {} },
            strict: true,
          },
        },
      ],
    });
  });

  it('tools that run on the server are left out and reported', () => {
    const { body, dropped } = translate({ tools: [{ type: 'web_search_20250305', name: 'web_search' }, weather] });
    expect(body['tools']).toEqual([tool]);
    expect(dropped).toEqual(['tools[0]']);
  });

  it.each<[string, object, object]>([
    ['auto', { type: 'auto' }, { tool_choice: 'auto' }],
    ['any', { type: 'any' }, { tool_choice: 'required' }],
    ['one', { type: 'tool', name: 'weather' }, { tool_choice: { type: 'function', function: { name: 'weather' } } }],
    [
      'one at a time',
      { type: 'auto', disable_parallel_tool_use: true },
      { tool_choice: 'auto', parallel_tool_calls: false },
    ],
  ])('tool choice: %s', (_, choice, fields) => {
    const { tools, tool_choice, parallel_tool_calls } = chat({ tools: [weather], tool_choice: choice });
    expect({ tools, tool_choice, parallel_tool_calls }).toEqual({ tools: [tool], ...fields });
  });

  it.each<[string, object]>([
    ['not to be used', { tools: [weather], tool_choice: { type: 'none' } }],
    ['all elsewhere', { tools: [{ type: 'bash_20250124', name: 'bash' }], tool_choice: { type: 'auto' } }],
    ['none', { tools: [], tool_choice: { type: 'auto', disable_parallel_tool_use: true } }],
  ])('tools are not sent to the engine when they are %s', (_, fields) => {
    expect(Object.keys(chat(fields))).toEqual(['model', 'messages', 'max_tokens', 'stream']);
  });

  it('tools with an unknown choice are left to the model', () => {
    const { body, dropped } = translate({ tools: [weather], tool_choice: { type: 'sometimes' } });
    expect(body['tool_choice']).toBeUndefined();
    expect(dropped).toEqual(['tool_choice']);
  });
});
