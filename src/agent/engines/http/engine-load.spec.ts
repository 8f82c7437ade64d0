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
  it('is read from the Prometheus text of llama-server', async () => {
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

  it.each([
    ['the route is missing', 501, '{"error":{"message":"This server does not support metrics endpoint."}}'],
    ['a gauge is missing', 200, 'llamacpp:requests_processing 3\n'],
    ['a gauge is no number', 200, 'llamacpp:requests_processing NaN\nllamacpp:requests_deferred NaN\n'],
    ['it does not answer', 0, ''],
  ])('is unknown where %s, and not asked for again at the next poll', async (_case, status, text) => {
    const reader = new EngineLoadReader(gauges);
    const { http, asked } = engine(status, text);
    expect(await reader.read(http)).toBeUndefined();
    expect(await reader.read(http)).toBeUndefined();
    expect(asked()).toBe(1);
  });
});

describe('requests of others', () => {
  it('are those that two readings in a row have seen, without the own ones', () => {
    const foreign = new ForeignRequests();
    expect(foreign.seen({ running: 5, waiting: 1 }, 2)).toBe(0);
    expect(foreign.seen({ running: 5, waiting: 1 }, 2)).toBe(4);
    expect(foreign.seen({ running: 2, waiting: 0 }, 1)).toBe(1);
    expect(foreign.seen({ running: 9, waiting: 0 }, 0)).toBe(1);
  });

  it('are none where the engine counts fewer than the node', () => {
    const foreign = new ForeignRequests();
    foreign.seen({ running: 1, waiting: 0 }, 4);
    expect(foreign.seen({ running: 1, waiting: 0 }, 4)).toBe(0);
  });
});
