import { describe, expect, it } from '@jest/globals';
import {
  assistant,
  chat,
  conversation,
  hi,
  image,
  imagePart,
  png,
  text,
  translate,
  user,
} from '../../../../test/support/engine/message-requests.js';
import type { JsonObject } from '../../../kernel/json-object.js';

describe('a complete simple request', () => {
  it('asks for usage when it streams', () => {
    expect(translate({ stream: true })).toEqual({
      body: {
        model: 'tiny',
        messages: [{ role: 'user', content: 'hi' }],
        max_tokens: 16,
        stream: true,
        stream_options: { include_usage: true },
      },
      dropped: [],
      changed: [],
      hasLaterSystem: false,
    });
  });

  it('a complete simple request does not when it does not', () => {
    expect(chat({})).toEqual({
      model: 'tiny',
      messages: [{ role: 'user', content: 'hi' }],
      max_tokens: 16,
      stream: false,
    });
  });
});

describe('system', () => {
  const systemOf = (fields: object): unknown => (chat(fields)['messages'] as JsonObject[])[0];

  it.each<[string, object, string]>([
    ['as text', { system: 'be brief' }, 'be brief'],
    ['as blocks', { system: [text('be'), text('brief')] }, 'be\n\nbrief'],
    [
      'without the billing header, which changes every time',
      { system: [text('x-anthropic-billing-header: cc_version=1'), text('be brief')] },
      'be brief',
    ],
    [
      'with what the conversation begins with',
      {
        system: 'a',
        messages: [{ role: 'system', content: 'b' }, { role: 'system', content: [text('c')] }, hi],
      },
      'a\n\nb\n\nc',
    ],
    ['only from the conversation', { messages: [{ role: 'system', content: 'b' }, hi] }, 'b'],
  ])('system is one leading message %s', (_, fields, content) => {
    const messages = chat({ messages: [{ role: 'user', content: 'hi' }], ...fields })['messages'] as JsonObject[];
    expect(messages[0]).toEqual({ role: 'system', content });
    expect(messages.filter(({ role }) => role === 'system')).toHaveLength(1);
  });

  it.each<[string, object]>([
    ['empty', { system: '' }],
    ['null', { system: null }],
    ['a billing header and nothing else', { system: [text('x-anthropic-billing-header: a')] }],
  ])('system is no message when it is %s', (_, fields) => {
    expect(systemOf(fields)).toEqual({ role: 'user', content: 'hi' });
  });
});

describe('user messages', () => {
  it.each<[string, unknown, unknown]>([
    ['plain text', 'hi', 'hi'],
    ['text blocks, as plain text', [text('a'), text('b')], 'a\n\nb'],
    ['an image as a data URI', [text('a'), image], [text('a'), imagePart]],
    [
      'an image that is a data URI already',
      [{ type: 'image', source: { type: 'url', url: 'data:image/png;base64,AAAA' } }],
      [imagePart],
    ],
    ['a document of plain text', [{ type: 'document', source: { type: 'text', data: 'body' } }], 'body'],
    [
      'a document with its title and context above it',
      [{ type: 'document', title: 'T', context: 'C', source: { type: 'text', data: 'body' } }],
      'T\nC\nbody',
    ],
    [
      'a document of blocks',
      [{ type: 'document', title: 'T', source: { type: 'content', content: [text('a'), image] } }],
      [text('T\na'), imagePart],
    ],
    ['a document of text in place of blocks', [{ type: 'document', source: { type: 'content', content: 'a' } }], 'a'],
    [
      'a PDF as a file',
      [{ type: 'document', title: 'a.pdf', source: { ...png, media_type: 'application/pdf' } }],
      [{ type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,AAAA' } }],
    ],
    [
      'a search result',
      [{ type: 'search_result', title: 'T', source: 'https://x', content: [text('a'), text('b')] }],
      'T\nhttps://x\na\n\nb',
    ],
    ['nothing', [], ''],
  ])('%s', (_, content, translated) => {
    expect(conversation({ role: 'user', content })).toEqual([{ role: 'user', content: translated }]);
  });

  it('two in a row are one turn', () => {
    expect(conversation(user(text('a')), { role: 'user', content: 'b' }, user(image))).toEqual([
      { role: 'user', content: [text('a'), text('b'), imagePart] },
    ]);
  });

  it('user messages that null or unknown blocks leave empty are still turns', () => {
    expect(conversation({ role: 'user', content: null })).toEqual([{ role: 'user', content: '' }]);
    expect(conversation(user({ type: 'server_tool_use' }))).toEqual([{ role: 'user', content: '' }]);
  });
});

describe('assistant messages', () => {
  const turn = (...content: unknown[]): unknown => (conversation(hi, assistant(...content)) as unknown[])[1];

  it.each<[string, unknown[], object]>([
    ['text', [text('a'), text('b')], { content: 'ab' }],
    [
      'calls beside text',
      [text('a'), { type: 'tool_use', id: 't1', name: 'f', input: { x: 1 } }],
      {
        content: 'a',
        tool_calls: [{ id: 't1', type: 'function', function: { name: 'f', arguments: '{"x":1}' } }],
      },
    ],
    [
      'calls alone, the arguments always an object',
      [
        { type: 'tool_use', id: 't1', name: 'f' },
        { type: 'tool_use', id: 't2', name: 'g', input: 'x' },
      ],
      {
        content: null,
        tool_calls: [
          { id: 't1', type: 'function', function: { name: 'f', arguments: '{}' } },
          { id: 't2', type: 'function', function: { name: 'g', arguments: '{}' } },
        ],
      },
    ],
    [
      'thoughts, under both names that engines read',
      [{ type: 'thinking', thinking: 'hm', signature: 'x' }, text('a')],
      { content: 'a', reasoning_content: 'hm', reasoning: 'hm' },
    ],
    ['nothing', [], { content: '' }],
    ['text of connectors', [{ type: 'connector_text', connector_text: 'a' }, text('b')], { content: 'ab' }],
  ])('%s', (_, content, message) => {
    expect(turn(...content)).toEqual({ role: 'assistant', ...message });
  });

  it('a prefill stays the last message', () => {
    expect(conversation(user(text('hi')), { role: 'assistant', content: 'Sure, ' })).toEqual([
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: 'Sure, ' },
    ]);
  });

  it('assistant messages are left out when nothing of them can be said', () => {
    const { body, dropped } = translate({ messages: [hi, assistant({ type: 'a_new_block' }), user(text('b'))] });
    expect(body['messages']).toEqual([{ role: 'user', content: 'hi\n\nb' }]);
    expect(dropped).toEqual(['messages[1].content[0]']);
  });

  it('content that only Anthropic can read is dropped and reported', () => {
    const { body, dropped } = translate({
      messages: [hi, assistant({ type: 'redacted_thinking', data: 'x' }, { type: 'server_tool_use' }, text('a'))],
    });
    expect((body['messages'] as unknown[])[1]).toEqual({ role: 'assistant', content: 'a' });
    expect(dropped).toEqual(['messages[1].content[0]', 'messages[1].content[1]']);
  });
});

describe('thinking and effort', () => {
  const effort = (fields: object): unknown => chat(fields)['reasoning_effort'];

  it.each<[string, object, string | undefined]>([
    ['nothing', {}, undefined],
    ['disabled', { thinking: { type: 'disabled' } }, 'none'],
    ['a small budget', { thinking: { type: 'enabled', budget_tokens: 1_024 } }, 'low'],
    ['a middle budget', { thinking: { type: 'enabled', budget_tokens: 10_000 } }, 'medium'],
    ['a large budget', { thinking: { type: 'enabled', budget_tokens: 32_000 } }, 'high'],
    ['adaptive', { thinking: { type: 'adaptive' } }, undefined],
    ['adaptive with an effort', { thinking: { type: 'adaptive' }, output_config: { effort: 'medium' } }, 'medium'],
    ['an effort', { output_config: { effort: 'low' } }, 'low'],
    ['more effort than engines know', { output_config: { effort: 'xhigh' } }, 'high'],
    ['all effort', { output_config: { effort: 'max' } }, 'high'],
    ['an effort that is not known', { output_config: { effort: 'galactic' } }, undefined],
  ])('%s', (_, fields, expected) => {
    expect(effort(fields)).toBe(expected);
  });

  it.each<[object, string[]]>([
    [{ thinking: { type: 'enabled', budget_tokens: 2_000 } }, ['thinking']],
    [{ thinking: { type: 'adaptive' }, output_config: { effort: 'high' } }, ['output_config.effort']],
    [{ thinking: { type: 'disabled' } }, []],
  ])('thinking and effort are not requested from a model without reasoning: %j', (fields, dropped) => {
    const translated = translate(fields, false);
    expect(translated.body['reasoning_effort']).toBeUndefined();
    expect(translated.dropped).toEqual(dropped);
  });
});

describe('all other fields', () => {
  const schema = { type: 'object', properties: {} };
  const format = { type: 'json_schema', json_schema: { name: 'response', schema, strict: true } };

  it.each<[string, object, object]>([
    ['stop sequences', { stop_sequences: ['a', 'b'] }, { stop: ['a', 'b'] }],
    ['no stop sequences', { stop_sequences: [] }, {}],
    ['sampling', { temperature: 0, top_p: 0.5, top_k: 4 }, { temperature: 0, top_p: 0.5, top_k: 4 }],
    ['sampling of engines', { seed: 7, min_p: 0.1 }, { seed: 7, min_p: 0.1 }],
    ['nulls', { temperature: null, seed: null, stop_sequences: null, metadata: null, container: null }, {}],
    ['a schema', { output_config: { format: { type: 'json_schema', schema } } }, { response_format: format }],
    ['a schema in the older spelling', { output_format: { type: 'json_schema', schema } }, { response_format: format }],
    ['the user', { metadata: { user_id: 'u' } }, { user: 'u' }],
  ])('%s', (_, fields, expected) => {
    expect(translate(fields)).toEqual({
      body: { model: 'tiny', messages: [{ role: 'user', content: 'hi' }], max_tokens: 16, stream: false, ...expected },
      dropped: [],
      changed: [],
      hasLaterSystem: false,
    });
  });

  it('all other fields without an equivalent in chat are left out and reported', () => {
    const { body, dropped } = translate({
      container: 'c',
      mcp_servers: [],
      service_tier: 'auto',
      context_management: {},
      betas: ['b'],
      n: 5,
      output_config: { format: { type: 'yaml' } },
      'x\r\nset-cookie: a': 1,
    });
    expect(Object.keys(body)).toEqual(['model', 'messages', 'max_tokens', 'stream']);
    expect(dropped).toEqual([
      'output_config.format',
      'container',
      'mcp_servers',
      'service_tier',
      'context_management',
      'betas',
      'n',
    ]);
  });

  it('all other fields are reported up to a limit', () => {
    const fields = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`field_${index}`, 1]));
    expect(translate(fields).dropped).toHaveLength(64);
  });
});
