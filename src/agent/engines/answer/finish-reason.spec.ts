import { describe, expect, it } from '@jest/globals';
import { finishReasonOf } from './finish-reason.js';

describe('the end of an answer, in the words of engines', () => {
  it.each<[unknown, string | null]>([
    [null, null],
    [undefined, null],
    ['', null],
    ['NULL', null],
    ['None', null],
    [false, null],
    [0, null],
    [{}, null],
    ['stop', 'stop'],
    ['EOS', 'stop'],
    ['stop_sequence', 'stop'],
    ['something new', 'stop'],
    [{ type: 'stop', matched: 2 }, 'stop'],
    [{ type: 'length', length: 9 }, 'length'],
    ['MAX_TOKENS', 'length'],
    ['maxTokens', 'length'],
    ['max-tokens', 'length'],
    ['FinishReason.MAX_TOKENS', 'length'],
    ['FINISH_REASON_MAX_TOKENS', 'length'],
    ['tool_use', 'tool_calls'],
    ['TOOL_CALLS', 'tool_calls'],
    ['toolCalls', 'tool_calls'],
    ['function_call', 'function_call'],
    ['Content_Filter', 'content_filter'],
    ['refusal', 'content_filter'],
  ])('%j is %j', (word, expected) => {
    expect(finishReasonOf(word)).toBe(expected);
  });

  it.each(['abort', 'ERROR', 'cancelled', 'MALFORMED_FUNCTION_CALL'])('%s fails the answer', (word) => {
    expect(() => finishReasonOf(word)).toThrow('failed in the middle');
  });
});
