import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isJsonObject, type JsonObject } from '../../kernel/json-object.js';
import { chatRequirements } from './requirements.js';

const pixel = 'data:image/png;base64,iVBORw0KGgo=';
const user = (...content: unknown[]): object => ({ role: 'user', content });
const requesting = (...messages: unknown[]): JsonObject => ({ model: 'tiny', messages });
const plain = requesting({ role: 'user', content: 'hello' });

const nothingSoft = {
  toolHistory: false,
  forcedTool: false,
  reasoning: false,
  structuredOutput: false,
  logprobs: false,
  audioOutput: false,
};

describe('required input media, with the first field that carries them', () => {
  test.each<[string, JsonObject, [string, string][]]>([
    ['text alone', plain, []],
    [
      'image',
      requesting(user({ type: 'image_url', image_url: { url: pixel } })),
      [['image', 'messages[0].content[0]']],
    ],
    ['image in the wild', requesting(user({ type: 'input_image' })), [['image', 'messages[0].content[0]']]],
    [
      'image after text',
      requesting(user({ type: 'text', text: 'a' }, { type: 'image' })),
      [['image', 'messages[0].content[1]']],
    ],
    [
      'an old image in the history',
      requesting(
        user({ type: 'image_url' }),
        { role: 'assistant', content: 'a cat' },
        { role: 'user', content: 'sure?' },
      ),
      [['image', 'messages[0].content[0]']],
    ],
    [
      "an image in a tool's answer",
      requesting({ role: 'tool', tool_call_id: 'c', content: [{ type: 'image_url' }] }),
      [['image', 'messages[0].content[0]']],
    ],
    [
      'an image inside another part',
      requesting(user({ type: 'tool_result', content: [{ type: 'image' }] })),
      [['image', 'messages[0].content[0].content[0]']],
    ],
    ['audio', requesting(user({ type: 'input_audio' })), [['audio', 'messages[0].content[0]']]],
    ['audio by address', requesting(user({ type: 'audio_url' })), [['audio', 'messages[0].content[0]']]],
    [
      'speech that the model made earlier',
      requesting({ role: 'assistant', audio: { id: 'audio_1' } }),
      [['audio', 'messages[0].audio']],
    ],
    [
      'video',
      requesting(user({ type: 'video_url' }), user({ type: 'input_video' })),
      [['video', 'messages[0].content[0]']],
    ],
    ['file', requesting(user({ type: 'file', file: { file_data: 'JVBERi0=' } })), [['file', 'messages[0].content[0]']]],
    [
      'several kinds, each once',
      requesting(user({ type: 'input_audio' }, { type: 'image_url' }), user({ type: 'image_url' })),
      [
        ['audio', 'messages[0].content[0]'],
        ['image', 'messages[0].content[1]'],
      ],
    ],
  ])('%s', (_, body, inputs) => {
    expect([...chatRequirements(body).hard.inputs]).toEqual(inputs);
  });

  test.each<[string, unknown, string | null]>([
    ['a data URI', { type: 'image_url', image_url: { url: pixel } }, null],
    [
      'a web address',
      { type: 'image_url', image_url: { url: 'HTTPS://x/a.png' } },
      'messages[0].content[0].image_url.url',
    ],
    ['a bare web address', { type: 'image_url', image_url: 'http://x/a.png' }, 'messages[0].content[0].image_url'],
    [
      'a web address in a foreign spelling',
      { type: 'image', source: { type: 'url', url: 'http://10.0.0.1/' } },
      'messages[0].content[0].source.url',
    ],
    ['a web address in plain text', { type: 'text', text: 'http://x/a.png' }, null],
  ])('remote media: %s', (_, part, path) => {
    expect([...chatRequirements(requesting(user(part))).remoteMedia]).toEqual(path === null ? [] : [['image', path]]);
  });
});

describe('tools', () => {
  test.each<[string, object, string | null]>([
    ['none', {}, null],
    ['empty list', { tools: [] }, null],
    ['null', { tools: null }, null],
    ['declared', { tools: [{ type: 'function' }] }, 'tools'],
    ['in the old spelling', { functions: [{ name: 'f' }] }, 'functions'],
  ])('%s', (_, fields, tools) => {
    expect(chatRequirements({ ...plain, ...fields }).hard.tools).toBe(tools);
  });

  test('tool calls in the history are a preference, not a requirement', () => {
    const calls = requesting({ role: 'assistant', tool_calls: [{ id: 'c' }] });
    const results = requesting({ role: 'tool', tool_call_id: 'c', content: '' });
    for (const body of [calls, results]) {
      expect(chatRequirements(body)).toMatchObject({ hard: { tools: null }, soft: { toolHistory: true } });
    }
  });
});

describe('preferences never exclude a model', () => {
  test.each<[string, object, object]>([
    ['nothing', {}, {}],
    ['tool_choice required', { tool_choice: 'required' }, { forcedTool: true }],
    ['tool_choice auto', { tool_choice: 'auto' }, {}],
    ['tool_choice by name', { tool_choice: { type: 'function', function: { name: 'f' } } }, { forcedTool: true }],
    ['allowed tools', { tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'auto' } } }, {}],
    [
      'allowed tools, one required',
      { tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'required' } } },
      { forcedTool: true },
    ],
    ['an old named function', { function_call: { name: 'f' } }, { forcedTool: true }],
    ['reasoning effort', { reasoning_effort: 'high' }, { reasoning: true }],
    ['no reasoning effort', { reasoning_effort: 'none' }, {}],
    ['null reasoning effort', { reasoning_effort: null }, {}],
    ['reasoning object', { reasoning: { effort: 'low' } }, { reasoning: true }],
    ['think', { think: true }, { reasoning: true }],
    ['think by effort', { think: 'high' }, { reasoning: true }],
    ['thinking template', { chat_template_kwargs: { enable_thinking: true } }, { reasoning: true }],
    ['thinking block', { thinking: { type: 'enabled' } }, { reasoning: true }],
    ['JSON schema', { response_format: { type: 'json_schema' } }, { structuredOutput: true }],
    ['JSON object', { response_format: { type: 'json_object' } }, { structuredOutput: true }],
    ['text format', { response_format: { type: 'text' } }, {}],
    ['strict tool', { tools: [{ function: { strict: true } }] }, { structuredOutput: true }],
    ['logprobs', { logprobs: true }, { logprobs: true }],
    ['top_logprobs', { top_logprobs: 3 }, { logprobs: true }],
    ['no top_logprobs', { top_logprobs: 0, logprobs: false }, {}],
    ['spoken answer', { modalities: ['text', 'audio'] }, { audioOutput: true }],
  ])('%s', (_, fields, soft) => {
    const found = chatRequirements({ ...plain, ...fields });
    expect(found.soft).toEqual({ ...nothingSoft, ...soft });
    expect(found.hard.inputs.size).toBe(0);
  });
});

test('any JSON is tolerated', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.jsonValue({ maxDepth: 6 }), (messages, anything) => {
      const body = isJsonObject(anything) ? { ...anything, messages } : { messages, tools: anything, think: anything };
      expect(chatRequirements(body).hard.inputs).toBeInstanceOf(Map);
    }),
  );
});
