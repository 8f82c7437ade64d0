import { describe, expect, it } from '@jest/globals';
import { ChatChunks, chatChoice, chatCompletion, chatUsageChunk } from './chat-objects.js';
import type { GenerationUsage, OutputEvent } from './output-event.js';

const envelope = { id: 'chatcmpl-1', created: 1_700_000_000, model: 'tiny', system_fingerprint: 'llama.cpp-1' };
const usage: GenerationUsage = { promptTokens: 5, cachedTokens: 2, completionTokens: 7, reasoningTokens: 3 };
const finish = (reason: 'stop' | 'tool_calls'): OutputEvent => ({ kind: 'finish', reason, usage });
const twoCalls: readonly OutputEvent[] = [
  { kind: 'call', name: 'add' },
  { kind: 'arguments', text: '{"a"' },
  { kind: 'arguments', text: ':1}' },
  { kind: 'call', name: 'get' },
  { kind: 'arguments', text: '{}' },
  finish('tool_calls'),
];
const delta = (chunk: Record<string, unknown> | undefined) => (chunk?.['choices'] as { delta: unknown }[])[0]?.delta;

describe('chunks of a chat completion', () => {
  it('chunks of a chat completion begin with the role, once, even when the answer is empty', () => {
    const chunks = new ChatChunks(envelope, 1);
    expect(chunks.push([])).toEqual([
      {
        ...envelope,
        object: 'chat.completion.chunk',
        choices: [{ index: 1, delta: { role: 'assistant', content: '' }, logprobs: null, finish_reason: null }],
      },
    ]);
    expect(chunks.push([{ kind: 'content', text: 'Hi' }]).map(delta)).toEqual([{ content: 'Hi' }]);
    expect(chunks.push([finish('stop')])).toEqual([
      expect.objectContaining({ choices: [{ index: 1, delta: {}, logprobs: null, finish_reason: 'stop' }] }),
    ]);
  });

  it('chunks of a chat completion name the stop text that ended the answer, if any', () => {
    const stopped: OutputEvent = { kind: 'finish', reason: 'stop', stopText: 'END', usage };
    const [, last] = new ChatChunks(envelope, 0).push([stopped]);
    expect(last).toMatchObject({ choices: [{ finish_reason: 'stop', stop_reason: 'END' }] });
    expect(chatChoice([stopped], 0)).toMatchObject({ finish_reason: 'stop', stop_reason: 'END' });
    expect(chatChoice([finish('stop')], 0)).not.toHaveProperty('stop_reason');
  });

  it('chunks of a chat completion have a separate field for reasoning', () => {
    const chunks = new ChatChunks(envelope, 0).push([{ kind: 'reasoning', text: 'hm' }]);
    expect(chunks.map(delta)).toEqual([{ role: 'assistant', content: '' }, { reasoning_content: 'hm' }]);
  });

  it('chunks of a chat completion give each call a head with its id, then fragments with its index', () => {
    const id = expect.stringMatching(/^call_[0-9a-f]{24}$/);
    expect(new ChatChunks(envelope, 0).push(twoCalls).slice(1).map(delta)).toEqual([
      { tool_calls: [{ index: 0, id, type: 'function', function: { name: 'add', arguments: '' } }] },
      { tool_calls: [{ index: 0, function: { arguments: '{"a"' } }] },
      { tool_calls: [{ index: 0, function: { arguments: ':1}' } }] },
      { tool_calls: [{ index: 1, id, type: 'function', function: { name: 'get', arguments: '' } }] },
      { tool_calls: [{ index: 1, function: { arguments: '{}' } }] },
      {},
    ]);
  });

  it('chunks of a chat completion end with a usage that counts the prompt of several choices once', () => {
    expect(chatUsageChunk(envelope, [usage, usage])).toEqual({
      ...envelope,
      object: 'chat.completion.chunk',
      choices: [],
      usage: {
        prompt_tokens: 5,
        completion_tokens: 14,
        total_tokens: 19,
        prompt_tokens_details: { cached_tokens: 2 },
        completion_tokens_details: { reasoning_tokens: 6 },
      },
    });
  });
});

describe('a whole chat completion', () => {
  it('joins text and reasoning', () => {
    const events: OutputEvent[] = [
      { kind: 'reasoning', text: 'h' },
      { kind: 'reasoning', text: 'm' },
      { kind: 'content', text: 'Hi' },
      finish('stop'),
    ];
    expect(chatCompletion(envelope, [chatChoice(events, 0)], [usage])).toMatchObject({
      object: 'chat.completion',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'Hi', reasoning_content: 'hm', refusal: null },
          finish_reason: 'stop',
        },
      ],
      usage: { total_tokens: 12 },
    });
  });

  it('a whole chat completion has null content with calls only', () => {
    expect(chatChoice(twoCalls, 0)).toMatchObject({
      message: {
        content: null,
        tool_calls: [
          { function: { name: 'add', arguments: '{"a":1}' } },
          { function: { name: 'get', arguments: '{}' } },
        ],
      },
      finish_reason: 'tool_calls',
    });
    expect(chatChoice([finish('stop')], 0)).toMatchObject({ message: { content: '' } });
  });
});
