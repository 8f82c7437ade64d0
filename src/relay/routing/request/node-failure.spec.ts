import { describe, expect, test } from '@jest/globals';
import { resetReasons, rejectReasons, type EndMessage, type NodeFailure } from '../../../link/messages.js';
import { continuedNotFound } from '../selection/eligibility.js';
import { outcomeOf, lossOutcome, refusalOutcome } from './node-failure.js';

const end = (outcome: EndMessage['outcome'], failure: Partial<NodeFailure> | null = null): EndMessage => ({
  outcome,
  failure:
    failure === null
      ? null
      : { code: 'engine_error', status: null, message: '', param: null, retry_after_seconds: null, ...failure },
  usage: { input_tokens: 3, output_tokens: 5, cached_tokens: null, reasoning_tokens: null, source: 'engine' },
  timings: { first_event_ms: 1, total_ms: 2 },
  dropped: [],
});

describe('failures reported by the engine', () => {
  const refused = 'engine_rejected_request';
  test.each<[string, Partial<NodeFailure>, object]>([
    ['its 400', { code: refused, status: 400 }, { code: refused, status: 400 }],
    ['its 404', { code: refused, status: 404 }, { code: refused, status: 404 }],
    ['its 413', { code: refused, status: 413 }, { code: refused, status: 413 }],
    [
      'its own code',
      { code: refused, status: 404, engine_code: 'gone' },
      { code: refused, status: 404, engineCode: 'gone' },
    ],
    ['another 4xx', { code: refused, status: 422 }, { code: refused, status: 400 }],
    ['a refusal without status', { code: refused }, { code: refused, status: 400 }],
    ["a 401 about the node's own credential", { code: refused, status: 401 }, { code: 'engine_error', status: 503 }],
    ["a 403 about the node's own credential", { code: refused, status: 403 }, { code: 'engine_error', status: 503 }],
    ['a 5xx called a refusal', { code: refused, status: 500 }, { code: 'engine_error', status: 503 }],
    ['an error', { code: 'engine_error', status: 418 }, { code: 'engine_error', status: 503 }],
    ['a timeout', { code: 'engine_timeout' }, { code: 'engine_timeout', status: 503 }],
    [
      'a field it cannot do',
      { code: 'unsupported_parameter', param: 'n' },
      { code: 'unsupported_parameter', status: 400, param: 'n' },
    ],
    ['a capability it lacks', { code: 'unsupported_capability' }, { code: 'unsupported_capability', status: 400 }],
    [
      'a malformed field',
      { code: 'invalid_request', param: 'x' },
      { code: 'invalid_request', status: 400, param: 'x' },
    ],
  ])('%s', (_, failure, expected) => {
    expect(outcomeOf(end('failed', failure), 'chat').error).toMatchObject({ ...expected, shouldRetry: false });
  });

  const param = 'thread.previous_message_id';
  test.each<[string, Partial<NodeFailure>, object]>([
    ['a thread that is not here', { thread: 'not_found', param }, { code: 'thread_not_found', status: 404, param }],
    [
      'one continued before',
      { thread: 'already_continued', param },
      { code: 'thread_already_continued', status: 400, param },
    ],
    ['one being continued', { thread: 'continue_in_flight', param }, { code: 'thread_continue_in_flight', param }],
    // Also what nodes of earlier versions say of every thread.
    [
      'one that cannot be kept',
      { param: 'thread' },
      { code: 'thread_unsupported_request', status: 400, param: 'thread' },
    ],
    [
      'another field',
      { param: 'tool_choice.name' },
      { code: 'invalid_request', status: 400, param: 'tool_choice.name' },
    ],
  ])('failures reported by the engine of a messages request: %s', (_, failure, expected) => {
    const error = outcomeOf(end('failed', { code: 'invalid_request', status: 400, ...failure }), 'messages').error;
    expect(error).toMatchObject(expected);
  });

  test('about a field of another dialect named thread stay as they are', () => {
    const failure = { code: 'invalid_request', param: 'thread' } as const;
    expect(outcomeOf(end('failed', failure), 'chat').error).toMatchObject({ code: 'invalid_request' });
  });

  test.each<[string, Partial<NodeFailure>, object]>([
    ['its 429', { code: refused, status: 429 }, { code: 'capacity', status: 429, retryAfterSeconds: 2 }],
    [
      'its 429 with a time and a code',
      { code: refused, status: 429, unavailable: 'busy', retry_after_seconds: 9, engine_code: 'slow_down' },
      { code: 'capacity', status: 429, retryAfterSeconds: 9, engineCode: 'slow_down' },
    ],
    [
      'its model that is still being loaded',
      { code: refused, status: 429, unavailable: 'loading', retry_after_seconds: 4 },
      { code: 'no_node_for_user', status: 503, reason: 'model_loading', retryAfterSeconds: 4 },
    ],
  ])('%s may be repeated', (_, failure, expected) => {
    expect(outcomeOf(end('failed', failure), 'chat').error).toMatchObject({ ...expected, shouldRetry: true });
  });

  test("an expired response is the same 404 as the relay's own", () => {
    const failure = { code: 'previous_response_not_found', status: 503, message: 'not here' } as const;
    expect(outcomeOf(end('failed', failure), 'chat').error).toEqual(
      continuedNotFound('responses', 'previous_response_id'),
    );
    expect(outcomeOf(end('failed', { ...failure, param: 'input' }), 'chat').error).toEqual(
      continuedNotFound('responses', 'input'),
    );
  });

  test("its message reaches the client, or else the catalogue's", () => {
    expect(outcomeOf(end('failed', { message: 'CUDA out of memory' }), 'chat').error?.message).toBe(
      'CUDA out of memory',
    );
    expect(outcomeOf(end('failed', { message: '' }), 'chat').error?.message).not.toBe('');
  });

  test('usage is kept for every outcome', () => {
    for (const outcome of ['completed', 'failed', 'cancelled'] as const) {
      expect(outcomeOf(end(outcome), 'chat').usage).toMatchObject({ input_tokens: 3 });
    }
  });

  test('outcomes', () => {
    expect(outcomeOf(end('completed'), 'chat')).toMatchObject({ outcome: 'completed', error: null });
    expect(outcomeOf(end('failed'), 'chat')).toMatchObject({ outcome: 'failed', error: { code: 'engine_error' } });
    expect(outcomeOf(end('cancelled'), 'chat')).toMatchObject({ outcome: 'failed', error: { code: 'engine_error' } });
    expect(outcomeOf(end('failed', { code: 'engine_timeout' }), 'chat')).toMatchObject({ outcome: 'timed_out' });
  });
});

test.each([...resetReasons, 'node_disconnected' as const])(
  'a stream lost as %s is 503 and not to be repeated',
  (loss) => {
    const { error, outcome } = lossOutcome(loss);
    expect(error).toMatchObject({ status: 503, shouldRetry: false });
    expect(outcome).toBe(loss === 'timed_out' ? 'timed_out' : 'failed');
  },
);

test.each(rejectReasons)('a refusal as %s may be repeated', (reason) => {
  expect(refusalOutcome(reason)).toMatchObject({
    outcome: 'rejected',
    error: { status: reason === 'busy' ? 429 : 503, shouldRetry: true, retryAfterSeconds: expect.any(Number) },
  });
});
