/**
 * What an engine gets of requests that strict engines refuse, and what their clients get
 * (docs/reference/translation.md#rejected-and-dropped-fields).
 */
import Anthropic from '@anthropic-ai/sdk';
import { beforeEach, describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import type { FakeEngine } from '../support/engine/fake-engine.js';
import type { RelayClient } from '../support/process/relay-client.js';
import { shareRelayWithEngine } from '../support/process/shared-deployment.js';

type Json = Record<string, unknown>;

const messages = [{ role: 'user', content: 'Which one?' }];
const parameters = { type: 'object', properties: {} };
const address = 'http://10.9.8.7/seen.png';
const pixel = 'data:image/png;base64,iVBORw0KGgo=';

describe('a request', () => {
  let relay: RelayClient;
  let engine: FakeEngine;

  shareRelayWithEngine({ slots: 8 }, (started) => {
    ({ relay, engine } = started);
  });

  beforeEach(() => {
    engine.calls.length = 0;
    engine.respond = (call) => {
      if (!call.streaming) {
        call.completion('seen');
        return;
      }
      call.startStream();
      call.chunk({ role: 'assistant', content: 'seen' });
      call.finish();
    };
  });

  const post = (route: string, body: unknown): Promise<Response> =>
    fetch(`${relay.baseUrl}/v1/${route}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${relay.apiKey}`, 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  const sent = async (route: string, body: unknown): Promise<{ body: Json; raw: string; header: string | null }> => {
    const response = await post(route, body);
    expect([response.status, await response.text()]).toEqual([200, expect.any(String)]);
    const call = engine.calls.at(-1)!;
    return { body: call.body, raw: call.raw.toString(), header: response.headers.get('x-ferry-translation') };
  };
  const refused = async (route: string, body: unknown): Promise<Json> => {
    const response = await post(route, body);
    const { error } = (await response.json()) as { error: Json };
    expect([response.status, response.headers.get('x-should-retry')]).toEqual([400, 'false']);
    expect(engine.calls).toEqual([]);
    return error;
  };

  it('a request with no tools goes without them and their choice', async () => {
    for (const tools of [[], null]) {
      const { raw } = await sent('chat/completions', { model: 'fake', messages, tools, tool_choice: 'auto', seed: 1 });
      expect(raw).toBe('{"model":"fake","messages":[{"role":"user","content":"Which one?"}],"seed":1}');
    }
  });

  it('a request that is not streamed goes without options of a stream', async () => {
    const { body } = await sent('chat/completions', {
      model: 'fake',
      messages,
      stream_options: { include_usage: true },
    });
    expect(body).toEqual({ model: 'fake', messages });
  });

  it('a request has its functions where engines look for them, however the client wrote them', async () => {
    const tools = [
      { type: 'function', name: 'flat', description: 'd', parameters },
      { name: 'of_messages', input_schema: parameters },
      { type: 'function', function: { name: 'nested', parameters } },
    ];
    const { body } = await sent('chat/completions', {
      model: 'fake',
      messages,
      tools,
      tool_choice: { type: 'function', name: 'flat' },
    });
    expect(body['tools']).toEqual([
      { type: 'function', function: { name: 'flat', description: 'd', parameters } },
      { type: 'function', function: { name: 'of_messages', parameters } },
      tools[2],
    ]);
    expect(body['tool_choice']).toEqual({ type: 'function', function: { name: 'flat' } });
  });

  it.each<[string, string, object, string, string]>([
    [
      'tools with free text',
      'chat/completions',
      { messages, tools: [{ type: 'custom', name: 'patch' }] },
      'tools[0]',
      '/v1/responses',
    ],
    ['a body of the responses route', 'chat/completions', { input: messages }, 'messages', '/v1/responses'],
    ['a body of the chat route', 'responses', { messages }, 'input', '/v1/chat/completions'],
    ['a chat in place of a prompt', 'completions', { messages }, 'prompt', '/v1/chat/completions'],
    ['items that nobody knows', 'responses', { input: [{ type: 'a_new_item' }] }, 'input', 'a_new_item'],
    ['no model', 'responses', { model: undefined, input: 'hi', stream: true }, 'model', 'required'],
  ])('a request on %s is told where it belongs', async (_, route, body, param, words) => {
    const error = await refused(route, { model: 'fake', ...body });
    expect(error).toMatchObject({ param });
    expect(error['message']).toContain(words);
  });

  it.each<[string, string, string]>([
    [
      'in a list beside the content',
      'chat/completions',
      `{"messages":[{"role":"user","content":"x","images":["${address}"]}]}`,
    ],
    [
      'in a list of the whole request',
      'chat/completions',
      `{"messages":[{"role":"user","content":"x"}],"images":["${address}"]}`,
    ],
    ['in a completion', 'completions', `{"prompt":"x","images":["${address}"]}`],
    [
      'behind a repeated key',
      'chat/completions',
      `{"messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"${pixel}"},"image_url":{"url":"${address}"}}]}]}`,
    ],
  ])('never gives an engine an address %s', async (_, route, body) => {
    const response = await post(route, body.replace('{', '{"model":"fake",'));
    expect(response.status).toBe(400);
    expect(engine.calls).toEqual([]);
  });

  it('a request with a repeated key has its last value, here as at the engine', async () => {
    const twice = `{"model":"nobody","messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"${address}"},"image_url":{"url":"${pixel}"}}]}],"model":"fake"}`;
    const { raw } = await sent('chat/completions', twice);
    expect(raw).toBe(
      `{"messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"${pixel}"}}]}],"model":"fake"}`,
    );
  });

  it('a request with a repeated key is cut also where it is too long to be parsed at once', async () => {
    const filling = 'x'.repeat(1_500_000);
    const { raw } = await sent(
      'chat/completions',
      `{"seed":1,"messages":[{"role":"user","content":"${filling}"}],"model":"fake","seed":9007199254740993}`,
    );
    expect(raw.replace(filling, '')).toBe(
      '{"messages":[{"role":"user","content":""}],"model":"fake","seed":9007199254740993}',
    );
  });

  it.each<[string, Json]>([
    ['chat/completions', { messages: [{ role: 'user', content: 'cut \ud83d' }] }],
    ['completions', { prompt: 'cut \ud83d' }],
    ['responses', { input: 'cut \ud83d' }],
    ['messages', { max_tokens: 5, messages: [{ role: 'user', content: 'cut \ud83d' }] }],
  ])('a request to %s with half a character goes on as valid text, and says so', async (route, body) => {
    const { raw, header } = await sent(route, { model: 'fake', ...body });
    expect(raw).toMatch(/cut (?:\\ufffd|\ufffd)"/);
    expect(header).toContain('unpaired_surrogates');
  });

  it('a request with prompts in a list goes on as one, or as it is', async () => {
    expect((await sent('completions', { model: 'fake', prompt: ['one'] })).body['prompt']).toBe('one');
    expect((await sent('completions', { model: 'fake', prompt: [[1, 2], [3]] })).body['prompt']).toEqual([[1, 2], [3]]);
  });

  it('a request of an agent keeps what it has said before, in front', async () => {
    const call = (id: string): Json => ({
      role: 'assistant',
      content: [{ type: 'tool_use', id, name: 'run', input: {} }],
    });
    const result = (id: string): Json => ({
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: id, content: id }],
    });
    const reminder = (left: number): Json => ({ role: 'system', content: `${left} left` });
    const first = [messages[0], call('a'), reminder(2), result('a')];
    const ask = async (turns: unknown[]): Promise<unknown[]> =>
      (await sent('messages', { model: 'fake', max_tokens: 5, system: 'Be brief.', messages: turns })).body[
        'messages'
      ] as unknown[];
    const before = await ask(first);
    const after = await ask([...first, call('b'), result('b'), reminder(1)]);
    expect(after.slice(0, before.length)).toEqual(before);
    expect(before.at(-1)).toEqual({ role: 'system', content: '2 left' });
    expect(after.map((message) => (message as Json)['role'])).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
      'system',
      'assistant',
      'tool',
      'system',
    ]);
  });

  it('a request of Claude Code with newer blocks is heard as far as it is known', async () => {
    const { body, header } = await sent('messages', {
      model: 'fake',
      max_tokens: 5,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Hi' },
            { type: 'mid_conv_system', content: [{ type: 'text', text: 'Plan first.' }] },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'connector_text', connector_text: 'Looking. ' },
            { type: 'text', text: 'Yes?' },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Go' },
            { type: 'a_new_block', data: 1 },
          ],
        },
      ],
    });
    expect(body['messages']).toEqual([
      { role: 'user', content: 'Hi' },
      { role: 'system', content: 'Plan first.' },
      { role: 'assistant', content: 'Looking. Yes?' },
      { role: 'user', content: 'Go' },
    ]);
    expect(header).toBe(
      'translated; dropped=messages[2].content[1]; changed=messages[0].content[1],messages[1].content[0]',
    );
    const alone = [{ role: 'user', content: [{ type: 'a_new_block' }] }];
    engine.calls.length = 0;
    expect((await refused('messages', { model: 'fake', max_tokens: 5, messages: alone }))['message']).toContain(
      'a_new_block',
    );
  });

  it.each<[string, Json, string, string]>([
    [
      'messages',
      {
        max_tokens: 5,
        messages: [
          { role: 'user', content: 'Go' },
          { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'run', input: {} }] },
          { role: 'user', content: 'Stop' },
        ],
      },
      'a',
      'messages[1].content[0]',
    ],
    [
      'responses',
      {
        input: [
          { role: 'user', content: 'Go' },
          { type: 'function_call', call_id: 'a', name: 'run', arguments: '{}' },
          { role: 'user', content: 'Stop' },
        ],
      },
      'a',
      'input[1]',
    ],
  ])('a request to %s with a call that was interrupted has a result for it', async (route, body, id, path) => {
    const { body: asked, header } = await sent(route, { model: 'fake', ...body });
    expect((asked['messages'] as unknown[]).slice(2)).toEqual([
      { role: 'tool', tool_call_id: id, content: 'No result was recorded: the call was interrupted.' },
      { role: 'user', content: 'Stop' },
    ]);
    expect(header).toContain(`changed=${path}`);
  });

  it('for no answer has its prompt read, and gets an empty message', async () => {
    const anthropic = new Anthropic({ authToken: relay.apiKey, apiKey: null, baseURL: relay.baseUrl, maxRetries: 0 });
    const requesting = { model: 'fake', max_tokens: 0, messages: [{ role: 'user' as const, content: 'Read this.' }] };
    const whole = await anthropic.messages.create(requesting);
    expect(whole).toMatchObject({
      content: [],
      stop_reason: 'max_tokens',
      usage: { input_tokens: 3, output_tokens: 0 },
    });
    const streamed = await anthropic.messages.stream(requesting).finalMessage();
    expect(streamed).toMatchObject({ content: [], stop_reason: 'max_tokens', usage: { output_tokens: 0 } });
    expect(engine.calls.map((call) => call.body['max_tokens'])).toEqual([1, 1]);
  });

  it('for a free text gets the one text that the model wrote, under any name', async () => {
    const openai = new OpenAI({ apiKey: relay.apiKey, baseURL: `${relay.baseUrl}/v1`, maxRetries: 0 });
    const tools = [{ type: 'custom' as const, name: 'apply_patch' }];
    for (const [written, expected] of [
      ['{"patch":"*** Begin\\n*** End"}', '*** Begin\n*** End'],
      ['{"cmd":"x","patch":"y"}', '{"cmd":"x","patch":"y"}'],
    ]) {
      engine.respond = (call) => {
        call.startStream();
        const called = { name: 'apply_patch', arguments: written };
        call.chunk({ role: 'assistant', tool_calls: [{ index: 0, id: 'c1', type: 'function', function: called }] });
        call.finish('tool_calls');
      };
      const response = await openai.responses.stream({ model: 'fake', input: 'Patch it', tools }).finalResponse();
      expect(response.output).toMatchObject([{ type: 'custom_tool_call', name: 'apply_patch', input: expected }]);
    }
  });

  it('a request with U+0000 in its names and texts is served like any other', async () => {
    const { raw } = await sent('chat/completions', {
      model: 'fake',
      messages: [{ role: 'user', content: 'a\0b' }],
      user: 'c\0d',
    });
    expect(raw).toContain(String.raw`a\u0000b`);
    const unknown = await post('chat/completions', { model: 'fa\0ke', messages });
    expect([unknown.status, ((await unknown.json()) as { error: Json }).error['code']]).toEqual([
      404,
      'model_not_found',
    ]);
  });
});
