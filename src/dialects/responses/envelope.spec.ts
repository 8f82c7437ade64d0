import { describe, expect, test } from '@jest/globals';
import { FerryError } from '../../kernel/errors/ferry-error.js';
import { readResponsesEnvelope } from './envelope.js';

const valid = { model: 'tiny', input: 'hello' };
const pixel = 'data:image/png;base64,iVBORw0KGgo=';
const weather = { type: 'function', name: 'get_weather' };
const withItem = (item: unknown): object => ({ model: 'tiny', input: [item] });
const withPart = (part: unknown): object => withItem({ role: 'user', content: [part] });

const refusal = (json: unknown): FerryError => {
  try {
    readResponsesEnvelope(json);
  } catch (error) {
    if (error instanceof FerryError) return error;
    throw error;
  }
  throw new Error('was accepted');
};

describe('a responses request is refused with the path of the field at fault', () => {
  test.each<[string, unknown, string]>([
    ['no model', { input: 'x' }, 'model'],
    ['model of blanks', { ...valid, model: ' ' }, 'model'],
    ['no input', { model: 'tiny' }, 'input'],
    ['null input', { ...valid, input: null }, 'input'],
    ['input a number', { ...valid, input: 5 }, 'input'],
    ['input an object', { ...valid, input: { role: 'user', content: 'x' } }, 'input'],
    ['empty input that continues nothing', { ...valid, input: [] }, 'input'],
    ['item a text', withItem('hello'), 'input[0]'],
    ['item type a number', withItem({ type: 5 }), 'input[0].type'],
    ['message without role', withItem({ content: 'x' }), 'input[0].role'],
    ['unknown role', withItem({ role: 'wizard', content: 'x' }), 'input[0].role'],
    ['role tool', withItem({ type: 'message', role: 'tool', content: 'x' }), 'input[0].role'],
    ['message without content', withItem({ role: 'user' }), 'input[0].content'],
    ['content a number', withItem({ role: 'user', content: 5 }), 'input[0].content'],
    ['part a text', withPart('hi'), 'input[0].content[0]'],
    ['part without type', withPart({ text: 'hi' }), 'input[0].content[0]'],
    ['image without source', withPart({ type: 'input_image' }), 'input[0].content[0]'],
    [
      'image with null source',
      withPart({ type: 'input_image', image_url: null, file_id: null }),
      'input[0].content[0]',
    ],
    [
      'image that is no address',
      withPart({ type: 'input_image', image_url: 'cat.png' }),
      'input[0].content[0].image_url',
    ],
    [
      'image with broken base64',
      withPart({ type: 'input_image', image_url: 'data:image/png;base64,!!' }),
      'input[0].content[0].image_url',
    ],
    ['file without source', withPart({ type: 'input_file', filename: 'a.pdf' }), 'input[0].content[0]'],
    [
      'file with broken base64',
      withPart({ type: 'input_file', file_data: 'data:x;base64,*' }),
      'input[0].content[0].file_data',
    ],
    ['audio without data', withPart({ type: 'input_audio', input_audio: {} }), 'input[0].content[0]'],
    [
      'broken part in a tool output',
      withItem({ type: 'function_call_output', call_id: 'c', output: [{ type: 'input_image' }] }),
      'input[0].output[0]',
    ],
    ['tool output without call_id', withItem({ type: 'function_call_output', output: 'x' }), 'input[0].call_id'],
    [
      'tool output with empty call_id',
      withItem({ type: 'function_call_output', call_id: '', output: 'x' }),
      'input[0].call_id',
    ],
    ['tool output without output', withItem({ type: 'function_call_output', call_id: 'c' }), 'input[0].output'],
    ['call without call_id', withItem({ type: 'function_call', name: 'f', arguments: '{}' }), 'input[0].call_id'],
    ['call without name', withItem({ type: 'function_call', call_id: 'c', arguments: '{}' }), 'input[0].name'],
    ['custom output without call_id', withItem({ type: 'custom_tool_call_output', output: 'x' }), 'input[0].call_id'],
    ['reference without id', withItem({ type: 'item_reference' }), 'input[0].id'],
    ['stream a string', { ...valid, stream: 'true' }, 'stream'],
    ['store a number', { ...valid, store: 1 }, 'store'],
    ['parallel_tool_calls a string', { ...valid, parallel_tool_calls: 'no' }, 'parallel_tool_calls'],
    ['background a string', { ...valid, background: 'yes' }, 'background'],
    ['instructions a list', { ...valid, instructions: [] }, 'instructions'],
    ['previous_response_id a number', { ...valid, previous_response_id: 7 }, 'previous_response_id'],
    ['max_output_tokens a string', { ...valid, max_output_tokens: '5' }, 'max_output_tokens'],
    ['max_tool_calls a fraction', { ...valid, max_tool_calls: 1.5 }, 'max_tool_calls'],
    ['top_k a fraction', { ...valid, top_k: 0.5 }, 'top_k'],
    ['top_logprobs a boolean', { ...valid, top_logprobs: true }, 'top_logprobs'],
    ['seed a string', { ...valid, seed: '1' }, 'seed'],
    ['temperature a string', { ...valid, temperature: 'hot' }, 'temperature'],
    ['top_p a boolean', { ...valid, top_p: true }, 'top_p'],
    ['min_p an object', { ...valid, min_p: {} }, 'min_p'],
    ['frequency_penalty a list', { ...valid, frequency_penalty: [] }, 'frequency_penalty'],
    ['presence_penalty a string', { ...valid, presence_penalty: '0' }, 'presence_penalty'],
    ['repetition_penalty a string', { ...valid, repetition_penalty: '1' }, 'repetition_penalty'],
    ['stop with a number in it', { ...valid, stop: ['a', 3] }, 'stop[1]'],
    ['metadata a list', { ...valid, metadata: [] }, 'metadata'],
    ['reasoning a string', { ...valid, reasoning: 'high' }, 'reasoning'],
    ['text a string', { ...valid, text: 'json' }, 'text'],
    ['format a string', { ...valid, text: { format: 'json' } }, 'text.format'],
    [
      'JSON schema format without a schema',
      { ...valid, text: { format: { type: 'json_schema', name: 'x' } } },
      'text.format.schema',
    ],
    ['tools an object', { ...valid, tools: {} }, 'tools'],
    ['tool without type', { ...valid, tools: [{ name: 'f' }] }, 'tools[0]'],
    ['function without name', { ...valid, tools: [weather, { type: 'function' }] }, 'tools[1].name'],
    ['unknown choice', { ...valid, tools: [weather], tool_choice: 'maybe' }, 'tool_choice'],
    ['required tool, no tools', { ...valid, tool_choice: 'required' }, 'tool_choice'],
    ['required tool, empty tools', { ...valid, tools: [], tool_choice: 'required' }, 'tool_choice'],
    [
      'required tool, hosted tools only',
      { ...valid, tools: [{ type: 'web_search' }], tool_choice: 'required' },
      'tool_choice',
    ],
    [
      'undeclared tool chosen',
      { ...valid, tools: [weather], tool_choice: { type: 'function', name: 'fly' } },
      'tool_choice.name',
    ],
    [
      'function chosen that is declared as custom',
      { ...valid, tools: [{ type: 'custom', name: 'fly' }], tool_choice: { type: 'function', name: 'fly' } },
      'tool_choice.name',
    ],
    ['nameless tool chosen', { ...valid, tools: [weather], tool_choice: { type: 'function' } }, 'tool_choice.name'],
    [
      'undeclared tool allowed',
      {
        ...valid,
        tools: [weather],
        tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [weather, { type: 'function', name: 'fly' }] },
      },
      'tool_choice.tools[1].name',
    ],
    ['nothing allowed', { ...valid, tools: [weather], tool_choice: { type: 'allowed_tools' } }, 'tool_choice.tools'],
    [
      'one of nothing required',
      { ...valid, tools: [weather], tool_choice: { type: 'allowed_tools', mode: 'required', tools: [] } },
      'tool_choice.tools',
    ],
    [
      'allowed in an unknown mode',
      { ...valid, tools: [weather], tool_choice: { type: 'allowed_tools', mode: 'none', tools: [weather] } },
      'tool_choice.mode',
    ],
  ])('%s', (_, json, param) => {
    expect(refusal(json)).toMatchObject({ code: 'invalid_request', status: 400, param });
  });

  test.each<[string, object, string]>([
    ['background work', { background: true }, 'background'],
    ['a conversation', { conversation: 'conv_1' }, 'conversation'],
    ['a prompt template', { prompt: { id: 'pmpt_1' } }, 'prompt'],
    [
      'a hosted tool by choice',
      { tools: [{ type: 'web_search' }], tool_choice: { type: 'web_search' } },
      'tool_choice',
    ],
  ])('%s is not supported', (_, fields, param) => {
    expect(refusal({ ...valid, ...fields })).toMatchObject({ code: 'unsupported_parameter', status: 400, param });
  });

  test('an image given by id alone is refused', () => {
    const error = refusal(withPart({ type: 'input_image', file_id: 'file_1' }));
    expect(error).toMatchObject({ code: 'unsupported_parameter', param: 'input[0].content[0].file_id' });
  });

  test('a body that is no object is no JSON request', () => {
    expect(refusal([])).toMatchObject({ code: 'invalid_json', status: 400 });
  });
});

describe('a responses request is accepted', () => {
  test.each<[string, object]>([
    ['with a text', valid],
    ['with an empty text', { ...valid, input: '' }],
    ['with a message that has no type', withItem({ role: 'user', content: 'hi' })],
    ['with a null type', withItem({ type: null, role: 'developer', content: 'hi' })],
    ['with an assistant that said nothing', withItem({ role: 'assistant', content: null })],
    ['with an item of an unknown type', withItem({ type: 'acme:telemetry', anything: [1] })],
    ['with a part of an unknown type', withPart({ type: 'hologram', data: 1 })],
    ['with calls and outputs of Codex', withItem({ type: 'local_shell_call', call_id: 'c', action: {} })],
    ['with reasoning to be replayed', withItem({ type: 'reasoning', summary: [], encrypted_content: 'x' })],
    ['with an image', withPart({ type: 'input_image', image_url: pixel, detail: 'low' })],
    ['with an image in the spelling of chat', withPart({ type: 'image_url', image_url: { url: pixel } })],
    ['with an image address, which is refused later', withPart({ type: 'input_image', image_url: 'https://a/b.png' })],
    ['with a file by its id', withPart({ type: 'input_file', file_id: 'file_1' })],
    ['with a bare base64 file', withPart({ type: 'input_file', filename: 'a.bin', file_data: 'AAAA' })],
    ['with audio', withPart({ type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } })],
    ['with hosted tools', { ...valid, tools: [{ type: 'web_search' }, { type: 'mcp', server_label: 'x' }, weather] }],
    ['with a chosen tool', { ...valid, tools: [weather], tool_choice: { type: 'function', name: 'get_weather' } }],
    [
      'with a chosen tool of a namespace',
      {
        ...valid,
        tools: [{ type: 'namespace', name: 'crm', tools: [{ type: 'function', name: 'find' }] }],
        tool_choice: { type: 'function', name: 'find' },
      },
    ],
    [
      'with a hosted tool among the allowed',
      {
        ...valid,
        tools: [weather, { type: 'web_search' }],
        tool_choice: { type: 'allowed_tools', mode: 'required', tools: [weather, { type: 'web_search' }] },
      },
    ],
    ['with unknown fields', { ...valid, client_metadata: { a: 1 }, future: true, keep_alive: '5m' }],
    [
      'with null for everything optional',
      {
        ...valid,
        ...Object.fromEntries(
          ['instructions', 'stream', 'store', 'tools', 'tool_choice', 'text', 'reasoning', 'metadata', 'temperature']
            .concat(['max_output_tokens', 'previous_response_id', 'background', 'conversation', 'prompt', 'stop'])
            .map((name) => [name, null]),
        ),
      },
    ],
  ])('%s', (_, json) => {
    expect(readResponsesEnvelope(json)).toMatchObject({
      dialect: 'responses',
      model: 'tiny',
      stream: false,
      body: json,
    });
  });

  test('an empty input may continue an earlier response', () => {
    const json = { ...valid, input: [], previous_response_id: 'resp_1', stream: true };
    expect(readResponsesEnvelope(json)).toMatchObject({ previousResponseId: 'resp_1', stream: true });
  });

  test('it is stored unless the client sets store to false', () => {
    expect(readResponsesEnvelope(valid).store).toBe(true);
    expect(readResponsesEnvelope({ ...valid, store: null }).store).toBe(true);
    expect(readResponsesEnvelope({ ...valid, store: false }).store).toBe(false);
  });

  test('items repeated by id alone are listed for routing, with or without their type', () => {
    const input = [{ type: 'item_reference', id: 'msg_1' }, { id: 'rs_2' }, { role: 'user', content: 'go on' }];
    expect(readResponsesEnvelope({ model: 'tiny', input }).itemReferences).toEqual(['msg_1', 'rs_2']);
  });
});
