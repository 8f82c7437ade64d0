import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { JsonObject } from '../../kernel/json-object.js';
import { assertResponseResource } from '../../../test/support/client/openresponses-schema.js';
import { requestEcho, responseResource } from './resource.js';

const state = {
  id: 'resp_1',
  created_at: 1,
  completed_at: null,
  status: 'in_progress',
  incomplete_details: null,
  model: 'tiny',
  output: [],
  error: null,
  usage: null,
} as const;
const resourceOf = (request: JsonObject) => {
  const resource = responseResource(requestEcho(request), state);
  assertResponseResource(JSON.parse(JSON.stringify(resource)));
  return resource;
};
const weather = { type: 'function', name: 'f', description: 'd', parameters: { type: 'object' }, strict: true };

describe('the resource of a response', () => {
  test('has all 31 keys of the schema and the one that the SDK requires beside, with the defaults of the protocol', () => {
    const resource = resourceOf({ model: 'tiny', input: 'hi' });
    expect(Object.keys(resource)).toHaveLength(32);
    expect(resource).toMatchObject({
      temperature: 1,
      top_p: 1,
      presence_penalty: 0,
      frequency_penalty: 0,
      top_logprobs: 0,
      truncation: 'disabled',
      parallel_tool_calls: true,
      text: { format: { type: 'text' } },
      tool_choice: 'auto',
      tools: [],
      store: true,
      background: false,
      service_tier: 'default',
      metadata: {},
      reasoning: null,
      instructions: null,
      previous_response_id: null,
      max_output_tokens: null,
      max_tool_calls: null,
      safety_identifier: null,
      prompt_cache_key: null,
      access_programs: null,
    });
  });

  test('echoes the request', () => {
    const request = {
      temperature: 0,
      top_p: 0.5,
      presence_penalty: 1,
      frequency_penalty: -1,
      top_logprobs: 3,
      truncation: 'auto',
      parallel_tool_calls: false,
      store: false,
      service_tier: 'flex',
      metadata: { a: '1' },
      reasoning: { effort: 'low', summary: 'auto' },
      instructions: 'Be brief.',
      previous_response_id: 'resp_0',
      max_output_tokens: 5,
      max_tool_calls: 2,
      safety_identifier: 's',
      prompt_cache_key: 'k',
      tools: [weather],
      tool_choice: { type: 'function', name: 'f' },
      text: { format: { type: 'json_object' }, verbosity: 'low' },
    };
    expect(resourceOf(request)).toMatchObject(request);
  });

  test.each<[string, JsonObject, JsonObject]>([
    [
      'efforts that the schema lacks',
      { reasoning: { effort: 'minimal' } },
      { reasoning: { effort: 'low', summary: null } },
    ],
    ['efforts beyond the schema', { reasoning: { effort: 'max' } }, { reasoning: { effort: 'xhigh', summary: null } }],
    [
      'unknown efforts',
      { reasoning: { effort: 'heroic', summary: 'epic' } },
      { reasoning: { effort: null, summary: null } },
    ],
    [
      'a bare function',
      { tools: [{ type: 'function', name: 'f' }] },
      { tools: [{ type: 'function', name: 'f', description: null, parameters: null, strict: null }] },
    ],
    ['other tools', { tools: [{ type: 'custom', name: 'c' }, { type: 'web_search' }, weather] }, { tools: [weather] }],
    ['the choice of another tool', { tool_choice: { type: 'custom', name: 'c' } }, { tool_choice: 'required' }],
    [
      'allowed tools',
      {
        tool_choice: {
          type: 'allowed_tools',
          mode: 'required',
          tools: [{ type: 'function', name: 'f' }, { type: 'web_search' }],
        },
      },
      { tool_choice: { type: 'allowed_tools', mode: 'required', tools: [{ type: 'function', name: 'f' }] } },
    ],
    [
      'a JSON schema',
      { text: { format: { type: 'json_schema', name: 'x', schema: { type: 'object' }, strict: true } } },
      {
        text: {
          format: { type: 'json_schema', name: 'x', description: null, schema: { type: 'object' }, strict: true },
        },
      },
    ],
    [
      'fractions where whole numbers belong',
      { top_logprobs: 1.5, max_output_tokens: 0.5 },
      { top_logprobs: 0, max_output_tokens: null },
    ],
    [
      'null',
      { temperature: null, store: null, metadata: null, service_tier: null },
      { temperature: 1, store: true, metadata: {}, service_tier: 'default' },
    ],
  ])('%s', (_, request, expected) => {
    expect(resourceOf(request)).toMatchObject(expected);
  });

  test('the resource of a response is valid whatever the request was, and the same when it is read again', () => {
    const names = Object.keys(requestEcho({}));
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names), fc.jsonValue()), (request) => {
        const echo = requestEcho(request);
        resourceOf(request);
        expect(requestEcho({ ...echo })).toEqual(echo);
      }),
    );
  });
});
