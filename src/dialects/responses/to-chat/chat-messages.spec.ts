import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../kernel/json-object.js';
import type { ResponseItem } from '../items.js';
import { packReasoning } from '../reasoning-replay.js';
import type { ToChatOptions } from '../translation.js';
import { responsesToChat } from './to-chat.js';

const pixel = 'data:image/png;base64,iVBORw0KGgo=';
const translate = (fields: JsonObject, options: Partial<ToChatOptions> = {}) =>
  responsesToChat({ model: 'tiny', input: 'hi', ...fields }, { earlier: [], ...options });
const messagesOf = (input: unknown, fields: JsonObject = {}, options: Partial<ToChatOptions> = {}) =>
  translate({ input, ...fields }, options).body['messages'];
const user = (content: unknown) => ({ role: 'user', content });
const assistant = (content: unknown) => ({ role: 'assistant', content });
const call = (id: string, fields: object = {}) => ({
  type: 'function_call',
  call_id: id,
  name: 'f',
  arguments: '{"a":1}',
  ...fields,
});
const output = (id: string, value: unknown = 'done') => ({ type: 'function_call_output', call_id: id, output: value });
const chatCall = (id: string, name = 'f', text = '{"a":1}') => ({
  id,
  type: 'function',
  function: { name, arguments: text },
});
const chatResult = (id: string, content = 'done') => ({ role: 'tool', tool_call_id: id, content });

describe('system texts', () => {
  test('instructions and leading system and developer messages become one system message', () => {
    const input = [
      { role: 'developer', content: 'B' },
      { role: 'system', content: [{ type: 'input_text', text: 'C' }] },
      user('hi'),
    ];
    expect(messagesOf(input, { instructions: 'A' })).toEqual([{ role: 'system', content: 'A\n\nB\n\nC' }, user('hi')]);
  });

  test('later ones keep their position', () => {
    const input = [user('hi'), { role: 'developer', content: 'be short' }, user('well?')];
    expect(messagesOf(input)).toEqual([user('hi'), { role: 'system', content: 'be short' }, user('well?')]);
  });

  test('only the instructions of this request count, in front of the earlier items', () => {
    const earlier: ResponseItem[] = [
      { type: 'message', role: 'system', content: 'old' },
      { type: 'message', role: 'user', content: 'hi' },
    ];
    expect(messagesOf('well?', { instructions: 'new' }, { earlier })).toEqual([
      { role: 'system', content: 'new\n\nold' },
      user('hi'),
      user('well?'),
    ]);
  });
});

describe('messages of the user', () => {
  test.each<[string, unknown, unknown]>([
    ['a text', 'hi', 'hi'],
    [
      'text parts, as one text',
      [
        { type: 'input_text', text: 'a' },
        { type: 'input_text', text: 'b' },
      ],
      'a\nb',
    ],
    [
      'an image',
      [{ type: 'input_image', image_url: pixel, detail: 'low' }],
      [{ type: 'image_url', image_url: { url: pixel, detail: 'low' } }],
    ],
    [
      'an image without detail',
      [{ type: 'input_image', image_url: pixel, detail: null }],
      [{ type: 'image_url', image_url: { url: pixel } }],
    ],
    [
      'text and image, in order',
      [
        { type: 'input_text', text: 'a' },
        { type: 'input_image', image_url: pixel },
      ],
      [
        { type: 'text', text: 'a' },
        { type: 'image_url', image_url: { url: pixel } },
      ],
    ],
    [
      'a file',
      [{ type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,AAAA' }],
      [{ type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,AAAA' } }],
    ],
    [
      'a file of the engine',
      [{ type: 'input_file', file_id: 'file_1' }],
      [{ type: 'file', file: { file_id: 'file_1' } }],
    ],
    [
      'a file of text',
      [{ type: 'input_file', filename: 'a.txt', file_data: 'data:text/plain;base64,w6R4' }],
      'a.txt\n\näx',
    ],
    [
      'audio',
      [{ type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } }],
      [{ type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } }],
    ],
    [
      'video',
      [{ type: 'input_video', video_url: 'data:video/mp4;base64,AAAA' }],
      [{ type: 'video_url', video_url: { url: 'data:video/mp4;base64,AAAA' } }],
    ],
    [
      'parts in the spelling of chat',
      [
        { type: 'text', text: 'a' },
        { type: 'image_url', image_url: { url: pixel } },
      ],
      [
        { type: 'text', text: 'a' },
        { type: 'image_url', image_url: { url: pixel } },
      ],
    ],
  ])('%s', (_, content, expected) => {
    expect(messagesOf([{ role: 'user', content }])).toEqual([user(expected)]);
  });

  test('an unknown part is left out and reported', () => {
    const { body, dropped } = translate({
      input: [
        user([
          { type: 'hologram', data: 1 },
          { type: 'input_text', text: 'a' },
        ]),
      ],
    });
    expect(body['messages']).toEqual([user('a')]);
    expect(dropped).toEqual(['input[0].content[0]']);
  });

  test('a remote file has no equivalent in chat', () => {
    const part = { type: 'input_file', file_url: 'https://example.org/a.pdf' };
    expect(() => translate({ input: [user([part])] })).toThrow(
      expect.objectContaining({ code: 'unsupported_parameter', status: 400, param: 'input[0].content[0]' }),
    );
  });
});

describe('messages of the assistant', () => {
  test('their texts and refusals are joined in order; the phase is dropped', () => {
    const content = [
      { type: 'output_text', text: 'a', annotations: [] },
      { type: 'refusal', refusal: 'b' },
    ];
    expect(messagesOf([user('hi'), { ...assistant(content), phase: 'final_answer' }])).toEqual([
      user('hi'),
      assistant('ab'),
    ]);
  });

  test('adjacent ones become one message', () => {
    expect(messagesOf([user('hi'), assistant('a'), assistant('b'), user('c')])).toEqual([
      user('hi'),
      assistant('a\n\nb'),
      user('c'),
    ]);
  });

  test('an empty one is dropped', () => {
    expect(messagesOf([user('hi'), assistant(''), user('c')])).toEqual([user('hi'), user('c')]);
  });
});

describe('reasoning', () => {
  const thought = (text: string, fields: object = {}) => ({
    type: 'reasoning',
    summary: [{ type: 'summary_text', text }],
    ...fields,
  });

  test('goes with the message that follows, under both names', () => {
    expect(messagesOf([user('hi'), thought('hm'), assistant('a')])).toEqual([
      user('hi'),
      { ...assistant('a'), reasoning_content: 'hm', reasoning: 'hm' },
    ]);
  });

  test('goes with the calls that follow', () => {
    expect(messagesOf([user('hi'), thought('hm'), call('c'), output('c')])).toEqual([
      user('hi'),
      { ...assistant(null), reasoning_content: 'hm', reasoning: 'hm', tool_calls: [chatCall('c')] },
      chatResult('c'),
    ]);
  });

  test('its text is preferred to its summary', () => {
    const item = thought('short', { content: [{ type: 'reasoning_text', text: 'long' }] });
    expect(messagesOf([item, assistant('a')])).toEqual([
      { ...assistant('a'), reasoning_content: 'long', reasoning: 'long' },
    ]);
  });

  test('content packed by Ferry is unpacked, other encrypted content is left out', () => {
    const { body, dropped } = translate({
      input: [
        { type: 'reasoning', summary: [], encrypted_content: packReasoning('grüß') },
        { type: 'reasoning', summary: [], encrypted_content: 'gAAAAB' },
        assistant('a'),
      ],
    });
    expect(body['messages']).toEqual([{ ...assistant('a'), reasoning_content: 'grüß', reasoning: 'grüß' }]);
    expect(dropped).toEqual(['input[1]']);
  });

  test('reasoning is dropped when nothing follows it', () => {
    expect(messagesOf([user('hi'), thought('hm'), user('and?'), thought('hm')])).toEqual([user('hi'), user('and?')]);
  });
});

describe('an input of which the model can be asked nothing', () => {
  test.each<[string, JsonObject[], string]>([
    ['unknown items', [{ type: 'a_new_item', id: 'x' }], 'input[0] (a_new_item)'],
    ['unknown parts', [user([{ type: 'a_new_part' }])], 'input[0] (message of a_new_part)'],
    ['reasoning', [{ type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm.' }] }], 'input[0] (reasoning)'],
    ['types that are no names', [{ type: 'a\nb' }], 'input[0] (unknown)'],
  ])('an input of which the model can be asked nothing is 400 and names %s', (_, input, named) => {
    const ask = (fields: JsonObject = {}) => messagesOf(input, { instructions: 'Be brief.', ...fields });
    expect(ask).toThrow(expect.objectContaining({ code: 'invalid_request', status: 400, param: 'input' }));
    expect(ask).toThrow(named);
  });

  test('continues an earlier answer all the same', () => {
    const earlier: ResponseItem[] = [{ type: 'message', role: 'user', content: 'hi' }];
    expect(messagesOf([{ type: 'a_new_item' }], {}, { earlier })).toEqual([user('hi')]);
  });
});

describe('a call without an output', () => {
  const missing = chatResult('c1', 'No result was recorded: the call was interrupted.');

  test('gets a neutral result behind the others of its turn, and is reported', () => {
    const input = [user('hi'), call('c1'), call('c2'), output('c2'), user('stop')];
    const { body, changed } = translate({ input });
    expect(body['messages']).toEqual([
      user('hi'),
      { ...assistant(null), tool_calls: [chatCall('c1'), chatCall('c2')] },
      chatResult('c2'),
      missing,
      user('stop'),
    ]);
    expect(changed).toEqual(['input[1]']);
  });

  test('a call without an output may be one of an earlier answer', () => {
    const earlier = [{ type: 'message', role: 'user', content: 'hi' }, call('c1')] as ResponseItem[];
    const { body, changed } = translate({ input: 'stop' }, { earlier });
    expect(body['messages']).toEqual([
      user('hi'),
      { ...assistant(null), tool_calls: [chatCall('c1')] },
      missing,
      user('stop'),
    ]);
    expect(changed).toEqual(['previous_response_id']);
  });
});

describe('calls and their outputs', () => {
  test('neighbouring calls and the text beside them become one message, the results follow it', () => {
    expect(
      messagesOf([user('hi'), assistant('let me see'), call('c1'), call('c2'), output('c1', 'A'), output('c2', 'B')]),
    ).toEqual([
      user('hi'),
      { ...assistant('let me see'), tool_calls: [chatCall('c1'), chatCall('c2')] },
      chatResult('c1', 'A'),
      chatResult('c2', 'B'),
    ]);
  });

  test('sequential calls stay separate', () => {
    expect(messagesOf([call('c1'), output('c1'), call('c2'), output('c2'), assistant('ready')])).toEqual([
      { ...assistant(null), tool_calls: [chatCall('c1')] },
      chatResult('c1'),
      { ...assistant(null), tool_calls: [chatCall('c2')] },
      chatResult('c2'),
      assistant('ready'),
    ]);
  });

  test('a message between a call and its output is folded into the message of the call', () => {
    expect(messagesOf([call('c1'), assistant('one moment'), output('c1'), assistant('ready')])).toEqual([
      { ...assistant('one moment'), tool_calls: [chatCall('c1')] },
      chatResult('c1'),
      assistant('ready'),
    ]);
  });

  test('a late output still follows its call', () => {
    expect(messagesOf([call('c1'), user('still there?'), output('c1')])).toEqual([
      { ...assistant(null), tool_calls: [chatCall('c1')] },
      chatResult('c1'),
      user('still there?'),
    ]);
  });

  test('an output continues a call of the stored conversation', () => {
    const earlier: ResponseItem[] = [{ type: 'message', role: 'user', content: 'hi' }, { ...call('c1') }];
    expect(messagesOf([output('c1')], {}, { earlier })).toEqual([
      user('hi'),
      { ...assistant(null), tool_calls: [chatCall('c1')] },
      chatResult('c1'),
    ]);
  });

  test.each<[string, unknown, string]>([
    ['a JSON object, untouched', '{ "a": 1 }', '{ "a": 1 }'],
    ['nothing', '', '{}'],
    ['no field at all', undefined, '{}'],
    ['an object', { a: 1 }, '{"a":1}'],
    ['broken JSON', '{"a":', '{"invalid_arguments":"{\\"a\\":"}'],
    ['JSON that is no object', '[1]', '{"invalid_arguments":"[1]"}'],
  ])('arguments: %s', (_, given, expected) => {
    expect(messagesOf([call('c1', { arguments: given }), output('c1')])).toEqual([
      { ...assistant(null), tool_calls: [chatCall('c1', 'f', expected)] },
      chatResult('c1'),
    ]);
  });

  test.each<[string, unknown, string]>([
    ['a text', 'ok', 'ok'],
    [
      'text parts',
      [
        { type: 'input_text', text: 'a' },
        { type: 'input_text', text: 'b' },
      ],
      'a\nb',
    ],
    ['nothing', '', ''],
  ])('output: %s', (_, value, expected) => {
    expect(messagesOf([call('c1'), output('c1', value)])).toEqual([
      { ...assistant(null), tool_calls: [chatCall('c1')] },
      chatResult('c1', expected),
    ]);
  });

  test('images from tools become a user message after all results', () => {
    const image = { type: 'input_image', image_url: pixel };
    const seen = { type: 'image_url', image_url: { url: pixel } };
    const input = [
      call('c1'),
      call('c2'),
      output('c1', [{ type: 'input_text', text: 'two' }, image, image]),
      output('c2', [image]),
    ];
    expect(messagesOf(input)).toEqual([
      { ...assistant(null), tool_calls: [chatCall('c1'), chatCall('c2')] },
      chatResult('c1', 'two'),
      chatResult('c2', '[the result follows]'),
      user([
        { type: 'text', text: '[tool result image for call c1]' },
        seen,
        seen,
        { type: 'text', text: '[tool result image for call c2]' },
        seen,
      ]),
    ]);
  });

  test.each([
    ['function_call_output', 'No tool call found for function call output with call_id nope.'],
    ['custom_tool_call_output', 'No tool call found for custom tool call output with call_id nope.'],
  ])("%s without a call is 400, with OpenAI's message", (type, message) => {
    expect(() => translate({ input: [call('c1'), { type, call_id: 'nope', output: 'x' }] })).toThrow(
      expect.objectContaining({ code: 'invalid_request', status: 400, param: 'input[1].call_id', message }),
    );
  });
});
