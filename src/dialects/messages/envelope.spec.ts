import { describe, expect, it } from '@jest/globals';
import { FerryError } from '../../kernel/errors/ferry-error.js';
import { readMessagesEnvelope } from './envelope.js';

const png = { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' };
const base = { model: 'tiny', max_tokens: 16, messages: [{ role: 'user', content: 'hi' }] };
const saying = (...content: unknown[]): object => ({ ...base, messages: [{ role: 'user', content }] });
const call = { type: 'tool_use', id: 't', name: 'weather', input: {} };
const afterCall = (...content: unknown[]): object => ({
  ...base,
  messages: [
    { role: 'assistant', content: [call] },
    { role: 'user', content },
  ],
});
const weather = { name: 'weather', input_schema: { type: 'object', properties: {} } };

/** Code and field of the refusal; null when the request is fine. */
const refusal = (body: unknown): [string, string | null] | null => {
  try {
    readMessagesEnvelope(body);
    return null;
  } catch (error) {
    if (error instanceof FerryError) return [error.code, error.param];
    throw error;
  }
};

describe('a messages request', () => {
  it('a messages request has a model and a stream flag', () => {
    expect(readMessagesEnvelope(base)).toEqual({
      dialect: 'messages',
      model: 'tiny',
      stream: false,
      thread: null,
      body: base,
    });
    expect(readMessagesEnvelope({ ...base, stream: true }).stream).toBe(true);
    expect(readMessagesEnvelope({ ...base, stream: null }).stream).toBe(false);
  });

  it.each<[string, object]>([
    ['unknown fields, betas and nulls', { ...base, betas: ['x'], context_management: {}, system: null, tools: null }],
    ['cache_control everywhere', saying({ type: 'text', text: 'a', cache_control: { type: 'ephemeral' } })],
    ['a system message in the conversation', { ...base, messages: [{ role: 'system', content: 'be brief' }] }],
    ['a prefill', { ...base, messages: [...base.messages, { role: 'assistant', content: 'Sure' }] }],
    ['max_tokens 0, to have its prompt read', { ...base, max_tokens: 0 }],
    [
      'null for a content',
      {
        ...base,
        messages: [
          { role: 'user', content: null },
          { role: 'assistant', content: null },
        ],
      },
    ],
    ['a block of a type that is not known here', saying({ type: 'text', text: 'a' }, { type: 'hologram', data: 1 })],
    [
      'nothing but such blocks from the assistant',
      { ...base, messages: [...base.messages, { role: 'assistant', content: [{ type: 'hologram' }] }] },
    ],
    [
      'the newer blocks of Claude Code',
      saying({ type: 'connector_text', connector_text: 'a' }, { type: 'mid_conv_system' }),
    ],
    ['an empty content', { ...base, messages: [{ role: 'assistant', content: [] }] }],
    ['what servers of Anthropic did', saying({ type: 'server_tool_use' }, { type: 'web_search_tool_result' })],
    ['thinking replayed', saying({ type: 'thinking', thinking: 'x', signature: 'y' }, { type: 'redacted_thinking' })],
    [
      'base64 and plain text documents',
      saying({ type: 'document', source: { ...png, media_type: 'application/pdf' } }),
    ],
    ['a plain text document', saying({ type: 'document', source: { type: 'text', data: '' } })],
    [
      'a web address, which the router judges',
      saying({ type: 'image', source: { type: 'url', url: 'https://x/y.png' } }),
    ],
    ['a tool result without content', afterCall({ type: 'tool_result', tool_use_id: 't' })],
    ['dated tools', { ...base, tools: [{ type: 'web_search_20250305', name: 'web_search' }] }],
    ['a tool without a schema', { ...base, tools: [{ name: 'now' }], tool_choice: { type: 'tool', name: 'now' } }],
    ['a choice newer than this relay', { ...base, tools: [weather], tool_choice: { type: 'sometimes' } }],
    ['thinking of any kind', { ...base, thinking: { type: 'whenever' }, output_config: { effort: 'galactic' } }],
  ])('a messages request may have %s', (_, body) => {
    expect(refusal(body)).toBeNull();
  });

  it.each<[string, unknown, string, string | null]>([
    ['is no object', [base], 'invalid_json', null],
    ['has no model', { ...base, model: undefined }, 'invalid_request', 'model'],
    ['has no messages', { ...base, messages: undefined }, 'invalid_request', 'messages'],
    ['has empty messages', { ...base, messages: [] }, 'invalid_request', 'messages'],
    ['has a message that is text', { ...base, messages: ['hi'] }, 'invalid_request', 'messages[0]'],
    [
      'has an unknown role',
      { ...base, messages: [{ role: 'tool', content: '' }] },
      'invalid_request',
      'messages[0].role',
    ],
    ['has no content', { ...base, messages: [{ role: 'user' }] }, 'invalid_request', 'messages[0].content'],
    ['has no max_tokens', { ...base, max_tokens: undefined }, 'invalid_request', 'max_tokens'],
    ['has a negative max_tokens', { ...base, max_tokens: -1 }, 'invalid_request', 'max_tokens'],
    ['has half a max_tokens', { ...base, max_tokens: 1.5 }, 'invalid_request', 'max_tokens'],
    ['has max_tokens as text', { ...base, max_tokens: '16' }, 'invalid_request', 'max_tokens'],
    ['has a stream that is no flag', { ...base, stream: 'yes' }, 'invalid_request', 'stream'],
    ['has a number for a system', { ...base, system: 1 }, 'invalid_request', 'system'],
    ['has stop sequences in one text', { ...base, stop_sequences: 'a' }, 'invalid_request', 'stop_sequences'],
    ['has a number for a stop sequence', { ...base, stop_sequences: [1] }, 'invalid_request', 'stop_sequences'],
    ['has a block that is text', saying('hi'), 'invalid_request', 'messages[0].content[0]'],
    ['has a block without a type', saying({ text: 'hi' }), 'invalid_request', 'messages[0].content[0].type'],
    ['has a text block without text', saying({ type: 'text' }), 'invalid_request', 'messages[0].content[0].text'],
    ['has an image without a source', saying({ type: 'image' }), 'invalid_request', 'messages[0].content[0].source'],
    [
      'has an image without a media type',
      saying({ type: 'image', source: { ...png, media_type: undefined } }),
      'invalid_request',
      'messages[0].content[0].source',
    ],
    [
      'has an image that is no base64',
      saying({ type: 'image', source: { ...png, data: 'data:image/png;base64,AAAA' } }),
      'invalid_request',
      'messages[0].content[0].source.data',
    ],
    [
      'has an image at no address',
      saying({ type: 'image', source: { type: 'url', url: 'file:///etc/passwd' } }),
      'invalid_request',
      'messages[0].content[0].source.url',
    ],
    [
      'has a text for an image',
      saying({ type: 'image', source: { type: 'text', data: 'a cat' } }),
      'invalid_request',
      'messages[0].content[0].source',
    ],
    [
      'has an uploaded file',
      saying({ type: 'document', source: { type: 'file', file_id: 'f' } }),
      'unsupported_parameter',
      'messages[0].content[0].source',
    ],
    [
      'has an upload to a container',
      saying({ type: 'container_upload', file_id: 'f' }),
      'unsupported_parameter',
      'messages[0].content[0]',
    ],
    ['has nothing but unknown blocks', saying({ type: 'hologram', data: 1 }), 'invalid_request', 'messages[0].content'],
    [
      'has a malformed known block',
      saying({ type: 'mid_conv_system', content: 7 }),
      'invalid_request',
      'messages[0].content[0].content',
    ],
    [
      'has the result of a call that was never made',
      afterCall({ type: 'tool_result', tool_use_id: 'u' }),
      'invalid_request',
      'messages[1].content[0].tool_use_id',
    ],
    [
      'has a result before its call',
      {
        ...base,
        messages: [
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't' }] },
          { role: 'assistant', content: [call] },
        ],
      },
      'invalid_request',
      'messages[0].content[0].tool_use_id',
    ],
    [
      'has a bad image in a tool result',
      saying({ type: 'tool_result', tool_use_id: 't', content: [{ type: 'image', source: { ...png, data: '' } }] }),
      'invalid_request',
      'messages[0].content[0].content[0].source',
    ],
    [
      'has a bad image in a document',
      saying({ type: 'document', source: { type: 'content', content: [{ type: 'image' }] } }),
      'invalid_request',
      'messages[0].content[0].source.content[0].source',
    ],
    [
      'has a tool result without the id of its call',
      saying({ type: 'tool_result', content: 'x' }),
      'invalid_request',
      'messages[0].content[0].tool_use_id',
    ],
    [
      'has a tool use without a name',
      saying({ type: 'tool_use', id: 't' }),
      'invalid_request',
      'messages[0].content[0].name',
    ],
    ['has an object for tools', { ...base, tools: {} }, 'invalid_request', 'tools'],
    ['has a tool that is text', { ...base, tools: ['weather'] }, 'invalid_request', 'tools[0]'],
    ['has a tool without a name', { ...base, tools: [{ input_schema: {} }] }, 'invalid_request', 'tools[0].name'],
    [
      'has a text for a schema',
      { ...base, tools: [{ name: 'f', input_schema: '{}' }] },
      'invalid_request',
      'tools[0].input_schema',
    ],
    ['has a text for a choice', { ...base, tools: [weather], tool_choice: 'any' }, 'invalid_request', 'tool_choice'],
    ['forces a tool without tools', { ...base, tool_choice: { type: 'any' } }, 'invalid_request', 'tool_choice'],
    [
      'forces a tool that is not declared',
      { ...base, tools: [weather], tool_choice: { type: 'tool', name: 'time' } },
      'invalid_request',
      'tool_choice.name',
    ],
    [
      'forces a tool that no node can run',
      {
        ...base,
        tools: [{ type: 'bash_20250124', name: 'bash' }, weather],
        tool_choice: { type: 'tool', name: 'bash' },
      },
      'unsupported_parameter',
      'tool_choice.name',
    ],
    [
      'forces any of tools that no node can run',
      { ...base, tools: [{ type: 'bash_20250124', name: 'bash' }], tool_choice: { type: 'any' } },
      'unsupported_parameter',
      'tool_choice',
    ],
    [
      'wants an output without a schema',
      { ...base, output_config: { format: { type: 'json_schema' } } },
      'invalid_request',
      'output_config.format.schema',
    ],
  ])('a messages request is refused when it %s', (_, body, code, param) => {
    expect(refusal(body)).toEqual([code, param]);
  });

  it('a messages request is refused when blocks nest too deep', () => {
    let content: unknown = 'x';
    for (let depth = 0; depth < 20; depth += 1) content = [{ type: 'tool_result', tool_use_id: 't', content }];
    expect(refusal({ ...base, messages: [{ role: 'user', content }] })?.[0]).toBe('invalid_request');
  });
});
