import { describe, expect, it } from '@jest/globals';
import type { EngineHttp } from './engine-http.js';
import { EngineLoadReader, ForeignRequests } from './engine-load.js';

const gauges = { running: 'llamacpp:requests_processing', waiting: 'llamacpp:requests_deferred' };

/** An engine that answers `GET /metrics` so. */
function engine(status: number, text: string) {
  let asked = 0;
  const get = () => {
    asked += 1;
    return status === 0 ? Promise.reject(new Error('refused')) : Promise.resolve({ status, server: '', text });
  };
  return { http: { get } as unknown as EngineHttp, asked: () => asked };
}

describe('the load that an engine reports', () => {
  it('the load that an engine reports is read from the Prometheus text of llama-server', async () => {
    const text = [
      '# HELP llamacpp:requests_processing Number of requests processing.',
      '# TYPE llamacpp:requests_processing gauge',
      'llamacpp:requests_processing 3',
      '# TYPE llamacpp:requests_deferred gauge',
      'llamacpp:requests_deferred 1.2e1',
      'llamacpp:requests_deferred_total 99',
      '',
    ].join('\n');
    expect(await new EngineLoadReader(gauges).read(engine(200, text).http)).toEqual({ running: 3, waiting: 12 });
  });

  it('counts each request of SGLang once, although ranks and priorities repeat it', async () => {
    const running = (labels: string, count: number) =>
      `sglang:num_running_reqs{model_name="q, \\"x\\"",${labels}} ${count}.0`;
    const text = [
      running('tp_rank="0",dp_rank="0",priority=""', 4),
      running('tp_rank="1",dp_rank="0",priority=""', 4),
      running('tp_rank="0",dp_rank="0",priority="1"', 3),
      running('tp_rank="0",dp_rank="0",priority="2"', 1),
      running('tp_rank="0",dp_rank="1",priority=""', 2),
      'sglang:num_queue_reqs{model_name="q"} 5.0',
      '',
    ].join('\n');
    const sglang = { running: 'sglang:num_running_reqs', waiting: 'sglang:num_queue_reqs' };
    expect(await new EngineLoadReader(sglang).read(engine(200, text).http)).toEqual({ running: 6, waiting: 5 });
  });

  it.each([
    ['the route is missing', 501, '{"error":{"message":"This server does not support metrics endpoint."}}'],
    ['a gauge is missing', 200, 'llamacpp:requests_processing 3\n'],
    ['a gauge is no number', 200, 'llamacpp:requests_processing NaN\nllamacpp:requests_deferred NaN\n'],
    ['it does not answer', 0, ''],
  ])(
    'the load that an engine reports is unknown where %s, and not asked for again at the next poll',
    async (_case, status, text) => {
      const reader = new EngineLoadReader(gauges);
      const { http, asked } = engine(status, text);
      expect(await reader.read(http)).toBeUndefined();
      expect(await reader.read(http)).toBeUndefined();
      expect(asked()).toBe(1);
    },
  );
});

describe('requests of others', () => {
  it('requests of others are those that two readings in a row have seen, without the own ones', () => {
    const foreign = new ForeignRequests();
    expect(foreign.seen({ running: 5, waiting: 1 }, 2)).toBe(0);
    expect(foreign.seen({ running: 5, waiting: 1 }, 2)).toBe(4);
    expect(foreign.seen({ running: 2, waiting: 0 }, 1)).toBe(1);
    expect(foreign.seen({ running: 9, waiting: 0 }, 0)).toBe(1);
  });

  it('requests of others are none where the engine counts fewer than the node', () => {
    const foreign = new ForeignRequests();
    foreign.seen({ running: 1, waiting: 0 }, 4);
    expect(foreign.seen({ running: 1, waiting: 0 }, 4)).toBe(0);
  });
});
