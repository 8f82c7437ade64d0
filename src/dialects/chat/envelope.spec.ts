import { describe, expect, test } from '@jest/globals';
import { FerryError } from '../../kernel/errors/ferry-error.js';
import { readChatEnvelope } from './envelope.js';

const hello = { role: 'user', content: 'hello' };
const valid = { model: 'tiny', messages: [hello] };
const pixel = 'data:image/png;base64,iVBORw0KGgo=';
const withPart = (part: unknown): object => ({ model: 'tiny', messages: [{ role: 'user', content: [part] }] });
const weather = { type: 'function', function: { name: 'get_weather' } };

const refusal = (json: unknown): FerryError => {
  try {
    readChatEnvelope(json);
  } catch (error) {
    if (error instanceof FerryError) return error;
    throw error;
  }
  throw new Error('was accepted');
};

describe('a chat request is refused with the path of the field at fault', () => {
  const message = (fields: object): object => ({ ...valid, messages: [hello, fields] });
  test.each<[string, unknown, string]>([
    ['no model', { messages: [hello] }, 'model'],
    ['empty model', { ...valid, model: '' }, 'model'],
    ['model of blanks', { ...valid, model: '  ' }, 'model'],
    ['model not a string', { ...valid, model: 7 }, 'model'],
    ['no messages', { model: 'tiny' }, 'messages'],
    ['null messages', { ...valid, messages: null }, 'messages'],
    ['empty messages', { ...valid, messages: [] }, 'messages'],
    ['messages not an array', { ...valid, messages: 'hello' }, 'messages'],
    ['message not an object', { ...valid, messages: ['hello'] }, 'messages[0]'],
    ['message without role', message({ content: 'x' }), 'messages[1].role'],
    ['unknown role', message({ role: 'wizard', content: 'x' }), 'messages[1].role'],
    ['user message without content', message({ role: 'user' }), 'messages[1].content'],
    ['user message with null content', message({ role: 'user', content: null }), 'messages[1].content'],
    ['content not text or parts', message({ role: 'user', content: 5 }), 'messages[1].content'],
    ['content an object', message({ role: 'assistant', content: {} }), 'messages[1].content'],
    ['part not an object', message({ role: 'user', content: ['hi'] }), 'messages[1].content[0]'],
    ['tool message without id', message({ role: 'tool', content: 'x' }), 'messages[1].tool_call_id'],
    ['tool message with empty id', message({ role: 'tool', tool_call_id: '' }), 'messages[1].tool_call_id'],
    ['stream a string', { ...valid, stream: 'true' }, 'stream'],
    ['stream a number', { ...valid, stream: 1 }, 'stream'],
    ['max_tokens a string', { ...valid, max_tokens: '5' }, 'max_tokens'],
    ['max_tokens a fraction', { ...valid, max_tokens: 1.5 }, 'max_tokens'],
    ['temperature a string', { ...valid, temperature: 'hot' }, 'temperature'],
    ['top_p a boolean', { ...valid, top_p: true }, 'top_p'],
    [
      'temperature beyond every number',
      JSON.parse('{"model":"m","messages":[{"role":"user","content":""}],"temperature":1e999}'),
      'temperature',
    ],
    ['frequency_penalty an array', { ...valid, frequency_penalty: [] }, 'frequency_penalty'],
    ['presence_penalty an object', { ...valid, presence_penalty: {} }, 'presence_penalty'],
    ['stop a number', { ...valid, stop: 3 }, 'stop'],
    ['stop with a number in it', { ...valid, stop: ['a', 3] }, 'stop[1]'],
    ['required tool, no tools', { ...valid, tool_choice: 'required' }, 'tool_choice'],
    ['required tool, empty tools', { ...valid, tools: [], tool_choice: 'required' }, 'tool_choice'],
    [
      'undeclared tool chosen',
      { ...valid, tools: [weather], tool_choice: { type: 'function', function: { name: 'other' } } },
      'tool_choice.function.name',
    ],
    [
      'undeclared custom tool chosen',
      { ...valid, tools: [weather], tool_choice: { type: 'custom', custom: { name: 'other' } } },
      'tool_choice.custom.name',
    ],
    [
      'undeclared tool allowed',
      {
        ...valid,
        tools: [weather],
        tool_choice: {
          type: 'allowed_tools',
          allowed_tools: { mode: 'auto', tools: [weather, { type: 'function', function: { name: 'other' } }] },
        },
      },
      'tool_choice.allowed_tools.tools[1].function.name',
    ],
    [
      'undeclared old function',
      { ...valid, functions: [{ name: 'a' }], function_call: { name: 'b' } },
      'function_call.name',
    ],
  ])('%s', (_, json, param) => {
    expect(refusal(json)).toMatchObject({ code: 'invalid_request', status: 400, param });
  });

  test.each<[string, unknown, string]>([
    ['image without address', { type: 'image_url', image_url: {} }, 'image_url'],
    ['image with empty address', { type: 'image_url', image_url: { url: '' } }, 'image_url'],
    ['image with null', { type: 'image_url', image_url: null }, 'image_url'],
    ['image from the file system', { type: 'image_url', image_url: { url: 'file:///etc/passwd' } }, 'image_url.url'],
    ['image as bare base64', { type: 'image_url', image_url: { url: 'iVBORw0KGgo=' } }, 'image_url.url'],
    ['data URI without base64', { type: 'image_url', image_url: { url: 'data:image/png,abc' } }, 'image_url.url'],
    [
      'data URI with bad base64',
      { type: 'image_url', image_url: { url: 'data:image/png;base64,%%%' } },
      'image_url.url',
    ],
    ['data URI without data', { type: 'image_url', image_url: { url: 'data:image/png;base64,' } }, 'image_url.url'],
    ['audio without data', { type: 'input_audio', input_audio: { format: 'wav' } }, 'input_audio'],
    ['audio with bad base64', { type: 'input_audio', input_audio: { data: '***', format: 'wav' } }, 'input_audio.data'],
    ['file without data or id', { type: 'file', file: { filename: 'a.pdf' } }, 'file'],
    ['video without address', { type: 'video_url', video_url: {} }, 'video_url'],
  ])('%s', (_, part, field) => {
    expect(refusal(withPart(part))).toMatchObject({
      code: 'invalid_request',
      param: `messages[0].content[0].${field}`,
    });
  });

  test.each([
    ['a text', 'x'],
    ['a list', [valid]],
    ['null', null],
    ['nothing', undefined],
  ])('%s as body', (_, json) => {
    expect(refusal(json)).toMatchObject({ code: 'invalid_json', status: 400 });
  });

  test('the error message names the field and never quotes the prompt', () => {
    const error = refusal({ ...valid, messages: [{ role: 'secret role', content: 'secret' }] });
    expect(error.message).toContain('messages[0].role');
    expect(error.message).not.toContain('secret');
  });
});

describe('a chat request is accepted', () => {
  test.each<[string, object]>([
    ['fields nobody here has heard of', { ...valid, mirostat: 2, vendor: { deep: [1] } }],
    [
      'null for everything optional',
      {
        ...valid,
        stream: null,
        max_tokens: null,
        temperature: null,
        top_p: null,
        stop: null,
        tools: null,
        tool_choice: null,
      },
    ],
    ['numbers of any size', { ...valid, max_tokens: -1, temperature: -3, top_p: 9 }],
    ['one stop or many', { ...valid, stop: ['a', 'b'] }],
    [
      'an assistant message of tool calls',
      { ...valid, messages: [{ role: 'assistant', content: null, tool_calls: [{}] }] },
    ],
    ['a silent tool', { ...valid, messages: [{ role: 'tool', tool_call_id: 'call_1', content: null }] }],
    [
      'developer and old function roles',
      {
        ...valid,
        messages: [
          { role: 'developer', content: '' },
          { role: 'function', name: 'f' },
        ],
      },
    ],
    ['an image as data URI', withPart({ type: 'image_url', image_url: { url: pixel, detail: 'low' } })],
    ['an image address as bare text', withPart({ type: 'image_url', image_url: pixel })],
    [
      'a web address, which the router judges',
      withPart({ type: 'image_url', image_url: { url: 'https://example.com/a.png' } }),
    ],
    ['audio as base64', withPart({ type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } })],
    ['a file by id', withPart({ type: 'file', file: { file_id: 'file-1' } })],
    ['a part of a type yet to be invented', withPart({ type: 'hologram', hologram: 4 })],
    ['tool_choice auto without tools', { ...valid, tool_choice: 'auto' }],
    ['a declared tool', { ...valid, tools: [weather], tool_choice: weather }],
    ['an old function', { ...valid, functions: [{ name: 'a' }], function_call: { name: 'a' } }],
    ['a tool_choice of a kind yet to be invented', { ...valid, tools: [weather], tool_choice: { type: 'telepathy' } }],
  ])('%s', (_, json) => {
    expect(readChatEnvelope(json)).toMatchObject({ dialect: 'chat', model: 'tiny', stream: false });
  });

  test('the stream flag and the model are taken as written', () => {
    expect(readChatEnvelope({ ...valid, model: ' Tiny 1B ', stream: true })).toMatchObject({
      model: ' Tiny 1B ',
      stream: true,
    });
  });

  test('a long attachment is validated without scanning all of it', () => {
    const long = 'A'.repeat(1_000_000);
    const image = (data: string): object =>
      withPart({ type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } });
    expect(readChatEnvelope(image(`${long}==`)).model).toBe('tiny');
    expect(refusal(image(`!${long}`)).param).toBe('messages[0].content[0].image_url.url');
    expect(refusal(image(`${long}!`)).param).toBe('messages[0].content[0].image_url.url');
  });
});
