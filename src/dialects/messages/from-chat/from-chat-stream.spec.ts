import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../kernel/json-object.js';
import {
  blocks,
  call,
  calls,
  chunk,
  factsOf,
  line,
  untoldUsage,
} from '../../../../test/support/engine/message-events.js';
import { MessageStream } from './from-chat-stream.js';

const usage: JsonObject = {
  choices: [],
  usage: {
    prompt_tokens: 30,
    completion_tokens: 9,
    prompt_tokens_details: { cached_tokens: 10 },
    completion_tokens_details: { reasoning_tokens: 4 },
  },
};

describe('the exact events of a message', () => {
  it('text, with a thought before it', () => {
    const stream = new MessageStream(factsOf());
    const events = [
      chunk({ role: 'assistant', content: '' }),
      chunk({ reasoning_content: 'hm' }),
      chunk({ content: 'Hel' }),
      chunk({ content: 'lo' }),
      chunk({}, 'stop'),
      usage,
    ].flatMap((one) => stream.push(one));
    const ended = { container: null, stop_details: null };
    expect([...events, ...stream.end()]).toEqual([
      {
        type: 'message_start',
        message: {
          id: 'msg_1',
          type: 'message',
          role: 'assistant',
          model: 'public',
          content: [],
          stop_reason: null,
          stop_sequence: null,
          ...ended,
          diagnostics: null,
          context_management: null,
          usage: {
            input_tokens: 7,
            output_tokens: 0,
            cache_creation_input_tokens: 0,
            cache_read_input_tokens: 0,
            output_tokens_details: null,
            ...untoldUsage,
          },
        },
      },
      { type: 'ping' },
      { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'hm' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'cmVsYXk=' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'Hel' } },
      { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'lo' } },
      { type: 'content_block_stop', index: 1 },
      {
        type: 'message_delta',
        context_management: null,
        delta: { stop_reason: 'end_turn', stop_sequence: null, ...ended },
        usage: {
          input_tokens: 20,
          output_tokens: 9,
          cache_creation_input_tokens: 0,
          cache_read_input_tokens: 10,
          output_tokens_details: { thinking_tokens: 4 },
          ...untoldUsage,
        },
      },
      { type: 'message_stop' },
    ]);
  });

  it('a tool call, whose input starts empty', () => {
    const stream = new MessageStream(factsOf());
    const events = [calls(call(0, 'call_1', 'f', '')), calls(call(0, undefined, undefined, '{"a":1}'))].flatMap((one) =>
      stream.push(one),
    );
    expect(events.slice(2)).toEqual([
      {
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'tool_use', id: 'call_1', name: 'f', input: {}, caller: { type: 'direct' } },
      },
      { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{"a":1}' } },
    ]);
  });
});

describe('the beginning', () => {
  it('waits for the first output, so that an earlier failure keeps its HTTP status', () => {
    const stream = new MessageStream(factsOf());
    const silent = [chunk({ role: 'assistant', content: null }), chunk({ content: '', tool_calls: [] }), usage, {}];
    expect(silent.flatMap((one) => stream.push(one))).toEqual([]);
    expect(stream.push(chunk({ content: 'a' })).map(line)).toEqual([
      'message_start',
      'ping',
      'start 0 text',
      'delta 0 text_delta a',
    ]);
  });

  it('the beginning is sent with the end at the latest', () => {
    expect(blocks([])).toEqual(['end end_turn']);
    expect(blocks([chunk({}, 'stop')])).toEqual(['end end_turn']);
  });
});

describe('the end', () => {
  const reported = (finish: string, extra: object = {}): string | undefined =>
    blocks([chunk({ content: 'a' }), chunk({}, finish, extra)]).at(-1);

  it.each<[string, string, object, string]>([
    ['stop', 'stop', {}, 'end end_turn'],
    ['length', 'length', {}, 'end max_tokens'],
    ['content_filter', 'content_filter', {}, 'end refusal'],
    ['something new', 'tired', {}, 'end end_turn'],
    ['a stop sequence of vLLM', 'stop', { stop_reason: 'END' }, 'end stop_sequence END'],
    ['a stop sequence of SGLang', 'stop', { matched_stop: 'END' }, 'end stop_sequence END'],
    ['a stop text that the client did not name', 'stop', { stop_reason: '</s>' }, 'end end_turn'],
    ['a stop token', 'stop', { stop_reason: 128_009 }, 'end end_turn'],
  ])('the end after %s', (_, finish, extra, expected) => {
    expect(reported(finish, extra)).toBe(expected);
  });

  it('the end after a refusal is a refusal, with its text', () => {
    expect(blocks([chunk({ refusal: 'I will ' }), chunk({ refusal: 'not.' }), chunk({}, 'stop')])).toEqual([
      'start 0 text',
      'delta 0 text_delta I will ',
      'delta 0 text_delta not.',
      'stop 0',
      'end refusal',
    ]);
  });

  it.each(['stop', 'tool_calls', 'function_call'])(
    'the end after a call is tool_use, also when the engine says %s',
    (finish) => {
      expect(blocks([calls(call(0, 'c', 'f', '{}')), chunk({}, finish)]).at(-1)).toBe('end tool_use');
    },
  );

  it('the end after a truncated call is not tool_use, so that no client runs it', () => {
    expect(blocks([calls(call(0, 'c', 'f', '{"path":"/et')), chunk({}, 'length')])).toEqual([
      'start 0 tool_use c f',
      'delta 0 input_json_delta {"path":"/et',
      'stop 0',
      'end max_tokens',
    ]);
  });

  it('estimates usage for engines that report none', () => {
    const stream = new MessageStream(factsOf());
    ['a', 'b', 'c'].forEach((text) => stream.push(chunk({ content: text })));
    expect(stream.end().at(-2)).toMatchObject({ usage: { input_tokens: 7, output_tokens: 3 } });
  });

  it('takes the last usage when every chunk has one', () => {
    const stream = new MessageStream(factsOf());
    for (const tokens of [1, 2]) {
      stream.push({ ...chunk({ content: 'a' }), usage: { prompt_tokens: 5, completion_tokens: tokens } });
    }
    expect(stream.end().at(-2)).toMatchObject({ usage: { input_tokens: 5, output_tokens: 2 } });
  });
});

describe('thoughts', () => {
  it.each(['reasoning_content', 'reasoning', 'reasoning_text'])('thoughts are read from %s', (name) => {
    expect(blocks([chunk({ [name]: 'hm' }), chunk({ content: 'a' }, 'stop')])).toEqual([
      'start 0 thinking',
      'delta 0 thinking_delta hm',
      'delta 0 signature_delta cmVsYXk=',
      'stop 0',
      'start 1 text',
      'delta 1 text_delta a',
      'stop 1',
      'end end_turn',
    ]);
  });

  it('under two field names are sent once', () => {
    expect(blocks([chunk({ reasoning_content: 'hm', reasoning: 'hm' }, 'stop')])).toContain(
      'delta 0 thinking_delta hm',
    );
  });

  it('thoughts may come again after text', () => {
    const chunks = [chunk({ content: 'a' }), chunk({ reasoning: 'hm' }), chunk({ content: 'b' }, 'stop')];
    expect(blocks(chunks).filter((text) => text.startsWith('start'))).toEqual([
      'start 0 text',
      'start 1 thinking',
      'start 2 text',
    ]);
  });
});

it('split a delta of megabytes into several events', () => {
  const content = '👋'.repeat(300_000);
  const stream = new MessageStream(factsOf());
  const events = [...stream.push(chunk({ content })), ...stream.end()];
  const texts = events.flatMap((event) =>
    event.type === 'content_block_delta' && event.delta.type === 'text_delta' ? [event.delta.text] : [],
  );
  expect(texts.length).toBeGreaterThan(2);
  expect(Math.max(...texts.map((text) => Buffer.byteLength(text)))).toBeLessThan(1 << 20);
  expect(texts.join('')).toBe(content);
});
