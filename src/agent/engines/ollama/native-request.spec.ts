import { describe, expect, it } from '@jest/globals';
import type { EngineRoute } from '../engine.js';
import { nativeRequest } from './native-request.js';
import { comparesShift, refusesLongPrompts } from './version.js';

const target = {
  engineModel: 'qwen3:8b',
  contextTokens: 8_192,
  stream: true,
  runner: { of: 'ferry', keepAlive: -1 },
  knowsDeveloper: true,
  thinks: false,
} as const;
const bodyFor = (request: object, route: EngineRoute = 'chat', more: object = {}): unknown => {
  const adapted = { body: Buffer.from(JSON.stringify(request)), dropped: [] };
  return JSON.parse(nativeRequest(adapted, route, { ...target, ...more }).body.toString('utf8'));
};
const user = { role: 'user', content: 'Hello' };

describe('a request for /api/chat', () => {
  it('sets the context and disables truncation', () => {
    expect(bodyFor({ model: 'public-name', messages: [user], stream_options: { include_usage: true } })).toEqual({
      model: 'qwen3:8b',
      messages: [user],
      stream: true,
      truncate: false,
      shift: false,
      keep_alive: -1,
      options: { num_ctx: 8_192 },
    });
  });

  it('a request for /api/chat leaves temperature and top_p to the model where the client sets none', () => {
    const body = bodyFor({ messages: [user], temperature: 0, top_p: null });
    expect(body).toMatchObject({ options: { num_ctx: 8_192, temperature: 0 } });
    expect(body).not.toHaveProperty('options.top_p');
  });

  it('a request for /api/chat to the runner of another program asks for what that program asks for, and for no more than the context', () => {
    const body = bodyFor({ messages: [user] }, 'chat', { runner: { of: 'others' } });
    expect(body).toMatchObject({ truncate: false, options: { num_ctx: 8_192, num_predict: 8_192 } });
    expect(body).not.toHaveProperty('shift');
    expect(body).not.toHaveProperty('keep_alive');
    const small = { messages: [user], max_tokens: 5 };
    expect(bodyFor(small, 'chat', { runner: { of: 'others' } })).toMatchObject({ options: { num_predict: 5 } });
  });

  it('a request for /api/chat has the role developer only for a template that knows it', () => {
    const messages = [{ role: 'developer', content: 'Be brief.' }, user];
    expect(bodyFor({ messages })).toMatchObject({ messages: [{ role: 'developer' }, { role: 'user' }] });
    expect(bodyFor({ messages }, 'chat', { knowsDeveloper: false })).toMatchObject({
      messages: [{ role: 'system', content: 'Be brief.' }, { role: 'user' }],
    });
  });

  it('joins texts and sends media as base64', () => {
    const content = [
      { type: 'text', text: 'What' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
      { type: 'text', text: 'is it?' },
      { type: 'input_audio', input_audio: { data: 'BBBB', format: 'wav' } },
    ];
    expect(bodyFor({ messages: [{ role: 'user', content }] })).toMatchObject({
      messages: [{ role: 'user', content: 'What\nis it?', images: ['AAAA', 'BBBB'] }],
    });
  });

  it('sends arguments as objects and tool names with results', () => {
    const messages = [
      {
        role: 'assistant',
        content: null,
        reasoning_content: 'I need the weather.',
        tool_calls: [
          { id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Paris"}' } },
          { id: 'call_2', type: 'function', function: { name: 'get_time', arguments: '' } },
        ],
      },
      { role: 'tool', tool_call_id: 'call_1', content: 'sunny' },
    ];
    expect(bodyFor({ messages })).toMatchObject({
      messages: [
        {
          role: 'assistant',
          content: '',
          thinking: 'I need the weather.',
          tool_calls: [
            { id: 'call_1', function: { index: 0, name: 'get_weather', arguments: { city: 'Paris' } } },
            { id: 'call_2', function: { index: 1, name: 'get_time', arguments: {} } },
          ],
        },
        { role: 'tool', content: 'sunny', tool_name: 'get_weather', tool_call_id: 'call_1' },
      ],
    });
  });

  it.each([
    [{ response_format: { type: 'json_object' } }, { format: 'json' }],
    [
      { response_format: { type: 'json_schema', json_schema: { name: 'x', schema: { type: 'object' } } } },
      { format: { type: 'object' } },
    ],
    [{ reasoning_effort: 'none' }, { think: false }],
    [{ reasoning_effort: 'minimal' }, { think: 'low' }],
    [{ reasoning: { effort: 'medium' } }, { think: 'medium' }],
    [
      { logprobs: true, top_logprobs: 3 },
      { logprobs: true, top_logprobs: 3 },
    ],
    [{ stop: '.' }, { options: { stop: ['.'] } }],
    [
      { seed: 1, max_tokens: 2, max_completion_tokens: 3, presence_penalty: 0.5, frequency_penalty: 0.6 },
      { options: { seed: 1, num_predict: 3, presence_penalty: 0.5, frequency_penalty: 0.6 } },
    ],
  ])('translates %j to %j', (fields, native) => {
    expect(bodyFor({ messages: [user], ...fields })).toMatchObject(native);
  });

  it.each([
    [{ messages: 'Hello' }, 'messages'],
    [
      { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://x.test/a.png' } }] }] },
      'messages[0].content[0]',
    ],
    [{ messages: [{ role: 'user', content: [{ type: 'file', file: {} }] }] }, 'messages[0].content[0]'],
    [
      { messages: [{ role: 'assistant', tool_calls: [{ function: { name: 'f', arguments: '{' } }] }] },
      'messages[0].tool_calls[0]',
    ],
  ])('a request for /api/chat is refused for %j', (request, param) => {
    expect(() => bodyFor(request)).toThrow(
      expect.objectContaining({ failure: expect.objectContaining({ code: 'invalid_request', status: 400, param }) }),
    );
  });
});

describe('a request for /api/generate', () => {
  it('a request for /api/generate has the prompt and the suffix', () => {
    expect(bodyFor({ prompt: 'def f(', suffix: 'return 1', max_tokens: 5 }, 'completions')).toMatchObject({
      prompt: 'def f(',
      suffix: 'return 1',
      options: { num_ctx: 8_192, num_predict: 5 },
    });
  });

  it('asks a thinking model for no thinking', () => {
    expect(bodyFor({ prompt: 'Hello' }, 'completions', { thinks: true })).toMatchObject({ think: false });
    expect(bodyFor({ prompt: 'Hello' }, 'completions')).not.toHaveProperty('think');
  });

  it('a request for /api/generate is refused for several prompts', () => {
    expect(() => bodyFor({ prompt: ['a', 'b'] }, 'completions')).toThrow('one text');
  });
});

describe('the version of Ollama', () => {
  it.each([
    ['0.12.6', true],
    ['0.33.0', true],
    ['1.0.0-rc1', true],
    ['0.0.0', true],
    ['v0.0.0-dirty', true],
    ['0.12.5', false],
    ['0.9.6', false],
    ['unknown', false],
    [null, false],
  ])('%s supports truncate: %s', (version, heeds) => {
    expect(refusesLongPrompts(version)).toBe(heeds);
  });

  it.each([
    ['0.30.0', true],
    ['0.33.0-rc2', true],
    ['0.0.0', true],
    ['0.29.9', false],
    [null, false],
  ])('%s restarts a runner for another shift: %s', (version, compares) => {
    expect(comparesShift(version)).toBe(compares);
  });
});

it('numbers of schemas and earlier calls keep their digits', () => {
  const body =
    '{"messages":[{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f","arguments":' +
    String.raw`"{\"id\":1234567890123456789,\"ratio\":1.0}"` +
    '}}]}],"tools":[{"type":"function","function":{"name":"f","parameters":{"maximum":9223372036854775807}}}]}';
  const text = nativeRequest({ body: Buffer.from(body), dropped: [] }, 'chat', target).body.toString('utf8');
  expect(text).toContain('"arguments":{"id":1234567890123456789,"ratio":1.0}');
  expect(text).toContain('"maximum":9223372036854775807');
});
