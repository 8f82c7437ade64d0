import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ManualClock } from '../../test/support/clock/manual-clock.js';
import { StaleIfErrorCache } from './stale-if-error-cache.js';

interface Loaded {
  readonly version: number;
}

const LIMITS = { freshMs: 30_000, staleMs: 300_000, maxEntries: 2, maxLoads: 2 };

let clock: ManualClock;
let version: number;
let cache: StaleIfErrorCache<Loaded>;
const load = jest.fn<() => Promise<Loaded | undefined>>();

beforeEach(() => {
  clock = new ManualClock();
  version = 0;
  cache = new StaleIfErrorCache(LIMITS, clock);
  load.mockReset().mockImplementation(() => Promise.resolve({ version: (version += 1) }));
});

describe('StaleIfErrorCache', () => {
  it('loads once while the value is fresh, and again after that', async () => {
    expect(await cache.get('key', load)).toEqual({ version: 1 });
    clock.advance(LIMITS.freshMs - 1);
    expect(await cache.get('key', load)).toEqual({ version: 1 });
    clock.advance(1);
    expect(await cache.get('key', load)).toEqual({ version: 2 });
    expect(load).toHaveBeenCalledTimes(2);
  });

  it('lets misses of one key share one load', async () => {
    const values = await Promise.all([cache.get('key', load), cache.get('key', load), cache.get('other', load)]);
    expect(values.map((value) => value?.version)).toEqual([1, 1, 2]);
  });

  it('serves a value while loading fails, and no longer than the limit', async () => {
    await cache.get('key', load);
    load.mockRejectedValue(new Error('down'));
    clock.advance(LIMITS.staleMs - 1);
    expect(await cache.get('key', load)).toEqual({ version: 1 });
    clock.advance(1_000);
    await expect(cache.get('key', load)).rejects.toThrow('down');
  });

  it('StaleIfErrorCache does not try a failed load again for every request, but does after a second', async () => {
    await cache.get('key', load);
    clock.advance(LIMITS.freshMs);
    load.mockRejectedValueOnce(new Error('down'));
    await cache.get('key', load);
    await cache.get('key', load);
    expect(load).toHaveBeenCalledTimes(2);
    clock.advance(1_000);
    expect(await cache.get('key', load)).toEqual({ version: 2 });
  });

  it('StaleIfErrorCache does not cache absence, and drops values that no longer exist', async () => {
    await cache.get('key', load);
    clock.advance(LIMITS.freshMs);
    load.mockResolvedValueOnce(undefined);
    expect(await cache.get('key', load)).toBeUndefined();
    load.mockRejectedValueOnce(new Error('down'));
    await expect(cache.get('key', load)).rejects.toThrow('down');
  });

  it('discards a load that was under way when its key was deleted', async () => {
    const early = cache.get('key', load);
    cache.delete('key');
    expect(await early).toEqual({ version: 1 });
    expect(await cache.get('key', load)).toEqual({ version: 2 });
  });

  it('discards a load that was under way when its kind was deleted', async () => {
    const early = cache.get('key', load);
    cache.deleteWhere(() => false);
    const late = cache.get('key', load);
    expect([await early, await late]).toEqual([{ version: 1 }, { version: 2 }]);
    expect(await cache.get('key', load)).toEqual({ version: 2 });
  });

  it('counts discarded loads against its limit of concurrent loads', async () => {
    const loads = ['a', 'b'].map((key) => cache.get(key, load));
    cache.deleteWhere(() => true);
    cache.delete('a');
    await expect(cache.get('c', load)).rejects.toMatchObject({ code: 'overloaded' });
    await Promise.all(loads);
    expect(await cache.get('c', load)).toBeDefined();
  });

  it('refuses loads beyond its limit of concurrent loads', async () => {
    const loads = ['a', 'b', 'c'].map((key) => cache.get(key, load));
    await expect(loads[2]).rejects.toMatchObject({ code: 'overloaded' });
    await Promise.all(loads.slice(0, 2));
    expect(await cache.get('c', load)).toBeDefined();
  });
});
