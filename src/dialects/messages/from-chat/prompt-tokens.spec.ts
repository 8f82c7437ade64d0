import { describe, expect, it } from '@jest/globals';
import type { ResponseFacts } from './message.js';
import { MessageStream } from './from-chat-stream.js';

const facts: ResponseFacts = {
  messageId: 'msg_1',
  model: 'tiny',
  inputTokensEstimate: 99,
  serialCalls: false,
  stopSequences: [],
  newCallId: () => 'toolu_1',
};
const first = { choices: [{ index: 0, delta: { content: 'a' }, finish_reason: null }] };
const startOf = (stream: MessageStream, ...chunks: object[]): unknown =>
  chunks.flatMap((chunk) => stream.push({ ...chunk })).find(({ type }) => type === 'message_start');
const starting = (tokens: number) => ({ message: { usage: { input_tokens: tokens, output_tokens: 0 } } });

describe('the input tokens of message_start', () => {
  it('the input tokens of message_start are estimated when the engine has reported none yet', () => {
    expect(startOf(new MessageStream(facts), first)).toMatchObject(starting(99));
  });

  it('the input tokens of message_start are those that the engine reports early', () => {
    const stream = new MessageStream(facts);
    stream.metered(() => 12);
    expect(startOf(stream, first)).toMatchObject(starting(12));
  });

  it('the input tokens of message_start are those of the progress of llama-server', () => {
    const progress = { prompt_progress: { total: 12, cache: 3, processed: 3, time_ms: 0 } };
    const role = { choices: [{ index: 0, delta: { role: 'assistant', content: null }, finish_reason: null }] };
    expect(startOf(new MessageStream(facts), { ...role, ...progress }, first)).toMatchObject(starting(12));
  });

  it('the input tokens of message_start are those of a usage sent with the first output', () => {
    const usage = { prompt_tokens: 12, completion_tokens: 1 };
    expect(startOf(new MessageStream(facts), { ...first, usage })).toMatchObject(starting(12));
  });
});
