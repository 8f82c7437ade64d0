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
    ['n/a', null],
    ['generating', null],
    ['Continue', null],
    ['COMPLETE', 'stop'],
    ['length_limit_reached', 'length'],
    ['maxtokens', 'length'],
    ['output-limit', 'length'],
    ['context_overflow', 'length'],
    ['token budget exceeded', 'length'],
    ['truncated_by_server', 'length'],
    ['ERROR_LIMIT', 'length'],
    ['repetition', 'length'],
    ['IMAGE_PROHIBITED_CONTENT', 'content_filter'],
    ['safety_stop', 'content_filter'],
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

  it.each([
    ...['abort', 'ERROR', 'cancelled', 'MALFORMED_FUNCTION_CALL', 'insufficient_system_resource', 'USER_CANCEL'],
    ...['server_error', 'request_timeout', 'timed out', 'user_abort', 'preempted', 'engineError', 'Disconnected'],
  ])('%s fails the answer', (word) => {
    expect(() => finishReasonOf(word)).toThrow('failed in the middle');
  });
});
