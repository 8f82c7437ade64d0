import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { settled } from '../../../test/support/clock/settled.js';
import { ManualClock } from '../../../test/support/clock/manual-clock.js';
import type { ApiKeyId, AccountId, ClusterId, ModelSelector, NodeId, RequestId } from '../../kernel/ids.js';
import type { UsageReport } from '../../link/messages.js';
import type { FinishedRequest } from './finished-request.js';
import { UsageRecorder, type UsageRecorderLimits } from './usage-recorder.js';
import type { UsageRow } from './usage-row.js';

const usage: UsageReport = {
  input_tokens: 12,
  output_tokens: 7,
  cached_tokens: 4,
  reasoning_tokens: 2,
  source: 'engine',
};

const finished = (values: Partial<FinishedRequest> = {}): FinishedRequest => ({
  requestId: 'req_1' as RequestId,
  accountId: 'acc_a' as AccountId,
  keyPublicId: 'key_a' as ApiKeyId,
  dialect: 'chat',
  stream: true,
  model: 'tiny',
  selector: 'mdl_0123456789abcdef' as ModelSelector,
  modelName: 'tiny',
  outcome: 'completed',
  code: null,
  message: null,
  nodeId: 'nd_a' as NodeId,
  clusterId: 'cl_a' as ClusterId,
  attempts: 1,
  retried: false,
  queuedMs: 1.4,
  firstEventMs: 20.6,
  totalMs: 500,
  responseBytes: 2_300,
  usage,
  usagePending: false,
  ...values,
});

const numbered = (count: number): FinishedRequest[] =>
  Array.from({ length: count }, (_, index) => finished({ requestId: `req_${String(index)}` as RequestId }));

const limits: UsageRecorderLimits = {
  usageFlushMs: 1_000,
  usageBatchRequests: 3,
  usageQueueRequests: 5,
  usageConfirmTimeoutMs: 15_000,
  requestLogMessageCharacters: 40,
};

describe('UsageRecorder', () => {
  let clock: ManualClock;
  let batches: UsageRow[][];
  let database: 'up' | 'down';
  let lost: number[];
  let failures: number;
  let recorder: UsageRecorder;

  beforeEach(() => {
    clock = new ManualClock(Date.UTC(2026, 0, 2, 3, 4, 5));
    batches = [];
    database = 'up';
    lost = [];
    failures = 0;
    recorder = new UsageRecorder(
      (rows) => {
        if (database === 'down')
          return Promise.reject(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }));
        batches.push([...rows]);
        return Promise.resolve();
      },
      limits,
      { notWritten: () => (failures += 1), lost: (requests) => lost.push(requests) },
      clock,
    );
  });

  afterEach(() => recorder.stop());

  const written = (): UsageRow[] => batches.flat();

  it('keeps the metadata and start time of a request', async () => {
    recorder.record(finished());
    await recorder.flush();
    expect(written()).toEqual([
      {
        account_id: 'acc_a',
        id: 'req_1',
        started_at: '2026-01-02T03:04:04.500Z',
        key_id: 'key_a',
        node_id: 'nd_a',
        cluster_id: 'cl_a',
        model: 'mdl_0123456789abcdef',
        model_name: 'tiny',
        requested_model: 'tiny',
        dialect: 'chat',
        stream: true,
        outcome: 'completed',
        code: null,
        message: null,
        attempts: 1,
        retried: false,
        input_tokens: 12,
        cached_tokens: 4,
        output_tokens: 7,
        reasoning_tokens: 2,
        source: 'engine',
        queue_ms: 1,
        ttft_ms: 21,
        duration_ms: 500,
      },
    ]);
  });

  it('keeps the requested name and the words of an error as short printable lines', async () => {
    recorder.record(
      finished({
        model: `no\u001b[2J such\n${'model'.repeat(100)}`,
        outcome: 'rejected',
        code: 'model_not_found',
        message: 'line one\nline\u0000 two \u202eis longer than anybody reads',
      }),
    );
    await recorder.flush();
    expect(written()).toMatchObject([
      { requested_model: expect.stringMatching(/^no\[2J such modelmodel.{170,190}$/), message: expect.any(String) },
    ]);
    expect(written()[0]?.message).toBe('line one line two is longer than anybo');
  });

  it('keeps a first token of streams only', async () => {
    recorder.record(finished({ stream: false }));
    await recorder.flush();
    expect(written()).toMatchObject([{ stream: false, ttft_ms: null, duration_ms: 500 }]);
  });

  it('writes nothing in the event loop turn in which a request ends', () => {
    for (const request of numbered(3)) recorder.record(request);
    expect(batches).toEqual([]);
  });

  it('writes in batches of bounded size', async () => {
    for (const request of numbered(5)) recorder.record(request);
    await recorder.flush();
    expect(batches.map(({ length }) => length)).toEqual([3, 2]);
    expect(recorder.waitingRequests).toBe(0);
  });

  it('writes each request once under concurrent flushes', async () => {
    for (const request of numbered(5)) recorder.record(request);
    await Promise.all([recorder.flush(), recorder.tick(), recorder.flush()]);
    expect(written().map(({ id }) => id)).toEqual(['req_0', 'req_1', 'req_2', 'req_3', 'req_4']);
  });

  it('UsageRecorder does not wait for the timer when a batch is full', async () => {
    for (const request of numbered(3)) recorder.record(request);
    await settled();
    expect(batches.map(({ length }) => length)).toEqual([3]);
  });

  it('batches requests that end during a write', async () => {
    recorder.record(finished());
    const flushed = recorder.flush();
    recorder.record(finished({ requestId: 'req_later' as RequestId }));
    await flushed;
    expect(written().map(({ id }) => id)).toEqual(['req_1']);
    await recorder.tick();
    expect(batches.map(({ length }) => length)).toEqual([1, 1]);
  });

  describe('when the database is away', () => {
    beforeEach(() => {
      database = 'down';
    });

    it('keeps its queue in order, and writes it later', async () => {
      for (const request of numbered(4)) recorder.record(request);
      await recorder.tick();
      expect([failures, recorder.waitingRequests]).toEqual([1, 4]);
      database = 'up';
      clock.advance(5_000);
      await recorder.tick();
      expect(written().map(({ id }) => id)).toEqual(['req_0', 'req_1', 'req_2', 'req_3']);
    });

    it('does not retry at once', async () => {
      recorder.record(finished());
      await recorder.tick();
      clock.advance(1_000);
      await recorder.tick();
      expect(failures).toBe(1);
    });

    it('writes what waits as soon as the database answers anything, and once for each failure', async () => {
      recorder.record(finished());
      await recorder.tick();
      // It answers another query and fails again.
      recorder.databaseAnswers();
      recorder.databaseAnswers();
      await settled();
      expect(failures).toBe(2);
      database = 'up';
      recorder.databaseAnswers();
      await settled();
      expect(written().map(({ id }) => id)).toEqual(['req_1']);
      recorder.record(finished({ requestId: 'req_later' as RequestId }));
      recorder.databaseAnswers();
      await settled();
      expect(batches).toHaveLength(1);
    });

    it('drops overflow, counts it and logs once', async () => {
      for (const request of numbered(8)) recorder.record(request);
      await recorder.tick();
      await recorder.tick();
      expect([recorder.waitingRequests, recorder.lostRequests, lost]).toEqual([5, 3, [3]]);
    });

    it('logs at the end what was not written', async () => {
      recorder.record(finished());
      await recorder.stop();
      expect([recorder.lostRequests, lost]).toEqual([1, [1]]);
    });
  });

  describe('a cancelled request whose usage is pending', () => {
    const stopped = finished({ outcome: 'cancelled', usage: null, usagePending: true });

    it('a cancelled request whose usage is pending is written once it is reported', async () => {
      recorder.record(stopped);
      await recorder.tick();
      expect(written()).toEqual([]);
      recorder.confirmed(stopped.requestId, usage);
      recorder.confirmed(stopped.requestId, null);
      await recorder.flush();
      expect(written()).toMatchObject([
        { outcome: 'cancelled', input_tokens: 12, output_tokens: 7, source: 'engine', duration_ms: 500 },
      ]);
    });

    it('belongs to the hour in which it began, however late the report', async () => {
      recorder.record(stopped);
      clock.advance(9_000);
      recorder.confirmed(stopped.requestId, usage);
      await recorder.flush();
      expect(written()[0]?.started_at).toBe('2026-01-02T03:04:04.500Z');
    });

    it.each(['nothing within the time', 'that it does not know', 'the end of the relay'])(
      'a cancelled request whose usage is pending is estimated from the transferred bytes: %s',
      async (word) => {
        recorder.record(stopped);
        if (word === 'that it does not know') recorder.confirmed(stopped.requestId, null);
        if (word === 'the end of the relay') await recorder.stop();
        clock.advance(14_999);
        await recorder.tick();
        expect(written()).toHaveLength(word === 'nothing within the time' ? 0 : 1);
        clock.advance(1);
        await recorder.tick();
        expect(written()).toMatchObject([{ output_tokens: 10, source: 'estimated' }]);
      },
    );

    it('counts against the queue while it waits', () => {
      for (const request of numbered(7)) recorder.record({ ...request, usagePending: true });
      expect([recorder.waitingRequests, recorder.lostRequests]).toEqual([5, 2]);
    });
  });

  it('UsageRecorder is not estimated when no engine had the request', async () => {
    recorder.record(finished({ outcome: 'rejected', usage: null, nodeId: null, selector: null, modelName: null }));
    await recorder.flush();
    expect(written()).toMatchObject([{ source: null, input_tokens: 0, output_tokens: 0, node_id: null, model: null }]);
  });

  it('clamps absurd figures of a node', async () => {
    recorder.record(finished({ usage: { ...usage, output_tokens: Number.MAX_SAFE_INTEGER } }));
    await recorder.flush();
    expect(written()[0]?.output_tokens).toBe(1_000_000_000);
  });

  describe('while nothing waits', () => {
    beforeEach(() => {
      jest.useFakeTimers();
    });

    afterEach(async () => {
      await recorder.stop();
      jest.useRealTimers();
    });

    it('no timer runs, from its start on and after what was written', async () => {
      recorder.start();
      await jest.advanceTimersByTimeAsync(limits.usageFlushMs);
      expect(jest.getTimerCount()).toBe(0);
      for (const round of [1, 2]) {
        recorder.record(finished());
        expect(jest.getTimerCount()).toBe(1);
        await jest.advanceTimersByTimeAsync(limits.usageFlushMs);
        expect(batches).toHaveLength(round);
        expect(jest.getTimerCount()).toBe(0);
      }
    });

    it('one runs for a stopped request until its usage is written', async () => {
      recorder.start();
      recorder.record(finished({ usagePending: true }));
      await jest.advanceTimersByTimeAsync(3 * limits.usageFlushMs);
      expect(batches).toEqual([]);
      expect(jest.getTimerCount()).toBe(1);
      recorder.confirmed('req_1' as RequestId, usage);
      await jest.advanceTimersByTimeAsync(limits.usageFlushMs);
      expect(batches).toHaveLength(1);
      expect(jest.getTimerCount()).toBe(0);
    });

    it('what was recorded before the start is written after it', async () => {
      recorder.record(finished());
      expect(jest.getTimerCount()).toBe(0);
      recorder.start();
      await jest.advanceTimersByTimeAsync(limits.usageFlushMs);
      expect(batches).toHaveLength(1);
    });
  });
});
