import { describe, expect, it } from '@jest/globals';
import { stringifyExact } from '../../../../kernel/exact-json.js';
import { EngineFailure } from '../../engine.js';
import { parseChatRequest } from './chat-request.js';
import { parseCompletionRequest } from './completion-request.js';

const user = { role: 'user', content: 'Hello' };
const parse = (body: object) =>
  parseChatRequest(Buffer.from(JSON.stringify({ model: 'm', messages: [user], ...body })));
const failureOf = (action: () => unknown) => {
  try {
    action();
  } catch (error) {
    if (error instanceof EngineFailure) return error.failure;
    throw error;
  }
  throw new Error('expected a failure');
};
const tool = (name: string) => ({ type: 'function', function: { name, parameters: { type: 'object' } } });

describe('numbers of a chat request', () => {
  it('numbers of a chat request keep their digits in declarations and schemas', () => {
    const parameters = '{"properties":{"id":{"maximum":9223372036854775807}}}';
    const { toolUse, format } = parseChatRequest(
      Buffer.from(
        `{"model":"m","messages":[{"role":"user","content":"Hello"}],"tools":[{"type":"function","function":{"name":"f","parameters":${parameters}}}],` +
          `"response_format":{"type":"json_schema","json_schema":{"name":"x","schema":${parameters}}}}`,
      ),
    );
    expect(stringifyExact(toolUse.tools[0])).toContain(
      `"declaration":{"type":"function","function":{"name":"f","parameters":${parameters}}}`,
    );
    expect(stringifyExact(format?.schema)).toBe(parameters);
  });

  it('numbers of a chat request are refused where a setting cannot be so large, naming the field', () => {
    const body = '{"model":"m","messages":[{"role":"user","content":"Hello"}],"seed":9223372036854775807}';
    expect(failureOf(() => parseChatRequest(Buffer.from(body)))).toMatchObject({
      code: 'invalid_request',
      param: 'seed',
    });
  });
});

describe('messages of a chat request', () => {
  it('joins text parts, treats developer as system and null as absent', () => {
    const messages = [
      {
        role: 'developer',
        content: [
          { type: 'text', text: 'Be ' },
          { type: 'text', text: 'brief.' },
        ],
      },
      { role: 'user', content: null, name: null },
    ];
    expect(parse({ messages }).messages).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: '' },
    ]);
  });

  it('keeps calls, names their results, and reads both fields for reasoning', () => {
    const call = { id: 'call_1', type: 'function', function: { name: 'add', arguments: '{"a":1}' } };
    const messages = [
      { role: 'assistant', content: null, tool_calls: [call], reasoning_content: 'hm' },
      { role: 'tool', tool_call_id: 'call_1', content: '2' },
      { role: 'assistant', content: 'It is 2.', reasoning: 'ok' },
    ];
    expect(parse({ messages }).messages).toEqual([
      {
        role: 'assistant',
        content: '',
        reasoning: 'hm',
        toolCalls: [{ id: 'call_1', name: 'add', arguments: '{"a":1}' }],
      },
      { role: 'tool', content: '2', toolCallId: 'call_1', name: 'add' },
      { role: 'assistant', content: 'It is 2.', reasoning: 'ok' },
    ]);
  });

  it.each([
    ['no messages', { messages: [] }, 'messages'],
    ['an unknown role', { messages: [{ role: 'robot', content: '' }] }, 'messages[0].role'],
    ['content that is a number', { messages: [{ role: 'user', content: 5 }] }, 'messages[0].content'],
    [
      'a text part without text',
      { messages: [{ role: 'user', content: [{ type: 'text' }] }] },
      'messages[0].content[0].text',
    ],
    ['a result without its call', { messages: [user, { role: 'tool', content: '1' }] }, 'messages[1].tool_call_id'],
    ['a temperature in words', { temperature: 'hot' }, 'temperature'],
    ['a format nobody knows', { response_format: { type: 'xml' } }, 'response_format.type'],
    [
      'a JSON schema that is missing',
      { response_format: { type: 'json_schema', json_schema: { name: 'x' } } },
      'response_format.json_schema.schema',
    ],
    [
      'a choice of a tool that is not there',
      { tools: [tool('a')], tool_choice: { type: 'function', function: { name: 'b' } } },
      'tool_choice',
    ],
    ['a required call without tools', { tool_choice: 'required' }, 'tool_choice'],
  ])('refuses %s, naming the field', (_what, body, param) => {
    expect(failureOf(() => parse(body))).toMatchObject({ code: 'invalid_request', status: 400, param });
  });

  it('refuses media and files', () => {
    for (const type of ['image_url', 'input_audio', 'file', 'video_url']) {
      const messages = [user, { role: 'user', content: [{ type: 'text', text: 'a' }, { type }] }];
      expect(failureOf(() => parse({ messages }))).toMatchObject({
        code: 'unsupported_capability',
        param: 'messages[1].content[1]',
      });
    }
  });

  it('refuses invalid JSON', () => {
    expect(failureOf(() => parseChatRequest(Buffer.from('{')))).toMatchObject({ code: 'invalid_request', param: null });
  });
});

describe('options of a chat request', () => {
  it('treats null as absent, and ignores unknown fields', () => {
    const nulls = Object.fromEntries(
      [
        'temperature',
        'top_p',
        'seed',
        'stop',
        'max_tokens',
        'tools',
        'tool_choice',
        'response_format',
        'n',
        'logprobs',
      ].map((key) => [key, null]),
    );
    const request = parse({ ...nulls, store: true, unknown: { deep: [] } });
    expect(request).toMatchObject({
      stopTexts: [],
      choices: 1,
      toolUse: { tools: [], mode: 'auto', parallel: true },
      sampling: { temperature: 0.8, topK: 40, topP: 0.95, minP: 0.05, repetitionPenalty: 1, frequencyPenalty: 0 },
    });
    expect(request.maxTokens).toBeUndefined();
    expect(request.format).toBeUndefined();
  });

  it('reads sampling, and accepts any integer as a seed', () => {
    const { sampling } = parse({
      temperature: 0,
      top_k: -1,
      top_p: 1,
      min_p: 0,
      seed: -1,
      repeat_penalty: 1.1,
      presence_penalty: -2,
    });
    expect(sampling).toEqual({
      temperature: 0,
      topK: 0,
      topP: 1,
      minP: 0,
      seed: 2 ** 32 - 1,
      repetitionPenalty: 1.1,
      frequencyPenalty: 0,
      presencePenalty: -2,
    });
  });

  it('draws a random seed without one', () => {
    expect(parse({}).sampling.seed).not.toBe(parse({}).sampling.seed);
  });

  it('reads one or several stop texts, without empty ones', () => {
    expect(parse({ stop: 'a' }).stopTexts).toEqual(['a']);
    expect(parse({ stop: ['a', '', 'b'] }).stopTexts).toEqual(['a', 'b']);
  });

  it('prefers max_completion_tokens', () => {
    expect(parse({ max_tokens: 5, max_completion_tokens: 7 }).maxTokens).toBe(7);
  });

  it('hides the tools with the choice none, and narrows them to the allowed ones', () => {
    const tools = [tool('a'), tool('b'), { type: 'web_search' }];
    const names = (tool_choice: unknown) => parse({ tools, tool_choice }).toolUse.tools.map(({ name }) => name);
    expect(names('none')).toEqual([]);
    expect(names('auto')).toEqual(['a', 'b']);
    const allowed_tools = { mode: 'required', tools: [tool('b')] };
    expect(names({ type: 'allowed_tools', allowed_tools })).toEqual(['b']);
    expect(parse({ tools, tool_choice: { type: 'allowed_tools', allowed_tools } }).toolUse.mode).toBe('required');
    expect(parse({ tools, parallel_tool_calls: false }).toolUse.parallel).toBe(false);
  });

  it('passes template variables on, and disables thinking with the effort none', () => {
    const request = parse({ reasoning_effort: 'none', chat_template_kwargs: { documents: 1 } });
    expect(request.templateVariables).toEqual({ reasoning_effort: 'none', enable_thinking: false, documents: 1 });
  });

  it('refuses log probabilities and too many choices', () => {
    expect(failureOf(() => parse({ logprobs: true }))).toMatchObject({
      code: 'unsupported_parameter',
      param: 'logprobs',
    });
    expect(failureOf(() => parse({ n: 9 }))).toMatchObject({ code: 'unsupported_parameter', param: 'n' });
  });
});

describe('a completion request', () => {
  const parseRaw = (body: object) => parseCompletionRequest(Buffer.from(JSON.stringify(body)));

  it('a completion request has a prompt and options', () => {
    expect(parseRaw({ prompt: 'Once', max_tokens: 3, stop: '.', n: 1, logprobs: null })).toMatchObject({
      prompt: 'Once',
      maxTokens: 3,
      stopTexts: ['.'],
    });
  });

  it.each(['n', 'best_of', 'echo', 'suffix', 'logprobs'])('refuses %s', (field) => {
    const value = { n: 2, best_of: 2, echo: true, suffix: 'x', logprobs: 1 }[field];
    expect(failureOf(() => parseRaw({ prompt: '', [field]: value }))).toMatchObject({
      code: 'unsupported_parameter',
      param: field,
    });
  });
});
