import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { responsesRequirements } from './requirements.js';

const pixel = 'data:image/png;base64,iVBORw0KGgo=';
const image = { type: 'input_image', image_url: pixel };
const needs = (fields: object) => responsesRequirements({ model: 'tiny', input: 'hi', ...fields });
const needsOf = (...input: object[]) => needs({ input });

describe('media are found in the whole conversation', () => {
  test.each<[string, object, string, string]>([
    [
      'an image of a message',
      { role: 'user', content: [{ type: 'input_text', text: 'x' }, image] },
      'image',
      'input[0].content[1]',
    ],
    [
      'an image in the spelling of chat',
      { role: 'user', content: [{ type: 'image_url', image_url: { url: pixel } }] },
      'image',
      'input[0].content[0]',
    ],
    [
      'an image that a tool gave',
      { type: 'function_call_output', call_id: 'c', output: [image] },
      'image',
      'input[0].output[0]',
    ],
    [
      'a screenshot',
      { type: 'computer_call_output', call_id: 'c', output: { type: 'computer_screenshot', image_url: pixel } },
      'image',
      'input[0].output',
    ],
    [
      'audio',
      { role: 'user', content: [{ type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } }] },
      'audio',
      'input[0].content[0]',
    ],
    [
      'video',
      { role: 'user', content: [{ type: 'input_video', video_url: 'data:video/mp4;base64,AAAA' }] },
      'video',
      'input[0].content[0]',
    ],
    [
      'a file',
      {
        role: 'user',
        content: [{ type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,AAAA' }],
      },
      'file',
      'input[0].content[0]',
    ],
  ])('%s', (_, item, kind, path) => {
    expect([...needsOf(item).hard.inputs]).toEqual([[kind, path]]);
  });

  test('a file that is text needs nothing: it becomes a part of the prompt', () => {
    const file = { type: 'input_file', filename: 'a.txt', file_data: 'data:text/plain;charset=utf-8;base64,aGk=' };
    expect(needsOf({ role: 'user', content: [file] }).hard.inputs.size).toBe(0);
  });

  test('the first address that would have to be fetched is named', () => {
    const remote = { type: 'input_image', image_url: 'https://example.org/cat.png' };
    const found = needsOf({ role: 'user', content: [image] }, { role: 'user', content: [remote] });
    expect([...found.remoteMedia]).toEqual([['image', 'input[1].content[0].image_url']]);
    expect(found.hard.inputs.get('image')).toBe('input[0].content[0]');
  });
});

describe('tool support is required when a tool can be passed to the model', () => {
  test.each<[string, readonly object[], string | null]>([
    ['a function', [{ type: 'function', name: 'f' }], 'tools'],
    ['a custom tool', [{ type: 'custom', name: 'f' }], 'tools'],
    ['a namespace', [{ type: 'namespace', name: 'n', tools: [{ type: 'function', name: 'f' }] }], 'tools'],
    ['hosted tools only, which are left out', [{ type: 'web_search' }, { type: 'mcp', server_label: 'x' }], null],
    ['an empty namespace', [{ type: 'namespace', name: 'n', tools: [] }], null],
    ['none', [], null],
  ])('%s', (_, tools, expected) => {
    expect(needs({ tools }).hard.tools).toBe(expected);
  });
});

describe('preferences', () => {
  const tools = [{ type: 'function', name: 'f' }];
  test.each<[string, object, string]>([
    ['effort', { reasoning: { effort: 'low' } }, 'reasoning'],
    ['reasoning to be replayed', { include: ['reasoning.encrypted_content'] }, 'reasoning'],
    ['a JSON schema', { text: { format: { type: 'json_schema', name: 'x', schema: {} } } }, 'structuredOutput'],
    ['any JSON', { text: { format: { type: 'json_object' } } }, 'structuredOutput'],
    ['strict tools', { tools: [{ type: 'function', name: 'f', strict: true }] }, 'structuredOutput'],
    ['top_logprobs', { top_logprobs: 2 }, 'logprobs'],
    ['included logprobs', { include: ['message.output_text.logprobs'] }, 'logprobs'],
    ['any tool', { tools, tool_choice: 'required' }, 'forcedTool'],
    ['one tool', { tools, tool_choice: { type: 'function', name: 'f' } }, 'forcedTool'],
    ['one of some tools', { tools, tool_choice: { type: 'allowed_tools', mode: 'required', tools } }, 'forcedTool'],
    ['earlier calls', { input: [{ type: 'function_call', call_id: 'c', name: 'f' }] }, 'toolHistory'],
    ['audio', { modalities: ['audio'] }, 'audioOutput'],
  ])('%s', (_, fields, need) => {
    const { soft } = needs(fields);
    expect(Object.entries(soft).filter(([, wanted]) => wanted)).toEqual([[need, true]]);
  });

  test.each<[string, object]>([
    ['no effort', { reasoning: { effort: 'none', summary: 'auto' } }],
    ['null', { reasoning: null, text: null, tools: null, tool_choice: null, include: null, top_logprobs: null }],
    ['plain text', { text: { format: { type: 'text' } }, top_logprobs: 0, tool_choice: 'auto' }],
    ['a choice among some tools', { tools, tool_choice: { type: 'allowed_tools', mode: 'auto', tools } }],
    ['reasoning of an earlier turn', { input: [{ type: 'reasoning', summary: [] }] }],
  ])('nothing for %s', (_, fields) => {
    expect(Object.values(needs(fields).soft)).not.toContain(true);
  });
});

test('malformed input requires nothing and never throws', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom('input', 'tools', 'text', 'reasoning', 'include', 'tool_choice'), fc.jsonValue()),
      (body) => {
        expect(responsesRequirements(body)).toHaveProperty('hard');
      },
    ),
  );
});
