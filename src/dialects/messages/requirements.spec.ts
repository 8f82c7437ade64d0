import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { JsonObject } from '../../kernel/json-object.js';
import { messagesRequirements } from './requirements.js';

const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } };
const remote = (type: string): object => ({ type, source: { type: 'url', url: 'https://example.org/x' } });
const pdf = { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'AAAA' } };
const saying = (...content: unknown[]): JsonObject => ({ messages: [{ role: 'user', content }] });
const inputsOf = (body: JsonObject) => Object.fromEntries(messagesRequirements(body).hard.inputs);

describe('required input media', () => {
  it.each<[string, JsonObject, object]>([
    ['text', { messages: [{ role: 'user', content: 'hi' }] }, {}],
    ['an image', saying({ type: 'text', text: 'a' }, image), { image: 'messages[0].content[1]' }],
    [
      'an image of long ago',
      { messages: [{ role: 'user', content: [image] }, ...Array<object>(5).fill({ role: 'user', content: 'b' })] },
      { image: 'messages[0].content[0]' },
    ],
    [
      'an image in a tool result',
      saying({ type: 'tool_result', content: [{ type: 'text' }, image] }),
      { image: 'messages[0].content[0].content[1]' },
    ],
    [
      'an image in a document',
      saying({ type: 'document', source: { type: 'content', content: [image] } }),
      { image: 'messages[0].content[0].source.content[0]' },
    ],
    ['a PDF', saying(pdf), { file: 'messages[0].content[0]' }],
    [
      'a PDF in a tool result',
      saying({ type: 'tool_result', content: [pdf] }),
      { file: 'messages[0].content[0].content[0]' },
    ],
    ['a document of plain text', saying({ type: 'document', source: { type: 'text', data: 'a' } }), {}],
    ['an upload', saying({ type: 'container_upload' }), { file: 'messages[0].content[0]' }],
    ['a document elsewhere', saying(remote('document')), { file: 'messages[0].content[0]' }],
  ])('required input media are found in %s', (_, body, inputs) => {
    expect(inputsOf(body)).toEqual(inputs);
  });

  it('required input media are marked as remote when they are web addresses', () => {
    expect([...messagesRequirements(saying(image, remote('image'), remote('document'))).remoteMedia]).toEqual([
      ['image', 'messages[0].content[1].source.url'],
      ['file', 'messages[0].content[2].source.url'],
    ]);
    expect(messagesRequirements(saying(image)).remoteMedia.size).toBe(0);
  });
});

describe('required tool support', () => {
  const own = { name: 'f', input_schema: {} };
  const hosted = { type: 'web_search_20250305', name: 'web_search' };

  it.each<[string, JsonObject, string | null]>([
    ['tools', { tools: [own] }, 'tools'],
    ['a tool among hosted ones', { tools: [hosted, { ...own, type: 'custom' }] }, 'tools'],
    ['none', { tools: [] }, null],
    ['hosted tools, which are left out', { tools: [hosted] }, null],
    ['tools that it must not use', { tools: [own], tool_choice: { type: 'none' } }, null],
  ])('%s', (_, body, tools) => {
    expect(messagesRequirements(body).hard.tools).toBe(tools);
  });

  it('required tool support is preferred when the conversation has calls', () => {
    expect(messagesRequirements(saying({ type: 'tool_use' })).soft.toolHistory).toBe(true);
    expect(messagesRequirements(saying({ type: 'tool_result' })).soft.toolHistory).toBe(true);
    expect(messagesRequirements(saying({ type: 'text' })).soft.toolHistory).toBe(false);
  });
});

describe('preferences', () => {
  it.each<[string, JsonObject, object]>([
    ['a forced tool', { tool_choice: { type: 'any' } }, { forcedTool: true }],
    ['a named tool', { tool_choice: { type: 'tool', name: 'f' } }, { forcedTool: true }],
    ['a free choice', { tool_choice: { type: 'auto' } }, { forcedTool: false }],
    ['thinking', { thinking: { type: 'adaptive' } }, { reasoning: true }],
    ['no thinking', { thinking: { type: 'disabled' } }, { reasoning: false }],
    ['an effort', { output_config: { effort: 'low' } }, { reasoning: true }],
    ['old thoughts', saying({ type: 'thinking', thinking: 'x' }), { reasoning: false }],
    ['a schema', { output_config: { format: { type: 'json_schema' } } }, { structuredOutput: true }],
    ['a schema in the older spelling', { output_format: { type: 'json_schema' } }, { structuredOutput: true }],
    ['a strict tool', { tools: [{ name: 'f', strict: true }] }, { structuredOutput: true }],
  ])('%s', (_, body, soft) => {
    expect(messagesRequirements(body).soft).toMatchObject(soft);
  });

  it('preferences are read from any JSON without throwing', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('messages', 'tools', 'thinking', 'tool_choice'), fc.jsonValue()),
        (body) => {
          expect(messagesRequirements(body).hard.inputs.size).toBeLessThan(5);
        },
      ),
    );
  });
});
