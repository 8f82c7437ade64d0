import { describe, expect, it } from '@jest/globals';
import type { Schemas } from '../../../core/api/management-api.types.js';
import { byFreeMemory, fits, freeMemoryText } from './free-memory.js';

const GB = 1_000_000_000;
type Gpu = Partial<Schemas['Node']['gpus'][number]>;

const node = (ram: number | null, ...gpus: readonly Gpu[]): Schemas['Node'] =>
  ({
    memory: ram === null ? null : { total_bytes: 2 * ram * GB, free_bytes: ram * GB },
    gpus: gpus.map((gpu) => ({ name: 'GPU', total_bytes: 24 * GB, unified: false, backend: null, ...gpu })),
  }) as unknown as Schemas['Node'];
const gpu = (free: number | null, backend: Gpu['backend'] = null): Gpu => ({
  free_bytes: free === null ? null : free * GB,
  backend: backend ?? null,
});

describe('the free memory of a computer', () => {
  it('names that of graphics processors apart', () => {
    expect(freeMemoryText(node(41))).toEqual(['41.0 GB free']);
    expect(freeMemoryText(node(41, gpu(20), gpu(4)))).toEqual(['24.0 GB VRAM and 41.0 GB RAM free']);
    expect(freeMemoryText(node(null, gpu(20)))).toEqual(['20.0 GB VRAM free']);
    expect(freeMemoryText(node(null))).toEqual([]);
  });

  it('counts memory that computer and graphics processor share once', () => {
    const shared = node(41, { ...gpu(41, 'metal'), unified: true });
    expect(freeMemoryText(shared)).toEqual(['41.0 GB free']);
    expect(fits(shared, 40 * GB)).toBe(false);
  });

  it('adds both where the built-in engine splits a model, and only there', () => {
    expect(fits(node(20, gpu(20)), 30 * GB)).toBe(false);
    expect(fits(node(20, gpu(20, 'vulkan')), 30 * GB)).toBe(true);
    expect(fits(node(20, gpu(null, 'vulkan')), 30 * GB)).toBe(false);
  });

  it('the free memory of a computer is unknown for a node that has not measured it, and for a model of unknown size', () => {
    expect(fits({ ...node(20), memory: null }, GB)).toBeNull();
    expect(fits(node(20), null)).toBeNull();
  });
});

it('prefers the computer whose graphics processor has the memory, then one that has it at all', () => {
  const fast = node(4, gpu(20, 'vulkan'));
  const split = node(60, gpu(4, 'vulkan'));
  const none = node(4);
  const items = [none, split, fast].map((each) => ({ node: each }));
  expect(byFreeMemory(items, 10 * GB).map((item) => item.node)).toEqual([fast, split, none]);
});
