import { describe, expect, it } from '@jest/globals';
import { fit, neededBytes } from './fits';

const GB = 1_000_000_000;
const memory = (total: number, free?: number) => ({
  total_bytes: total * GB,
  free_bytes: free === undefined ? null : free * GB,
});

describe('fit', () => {
  it('fit is unknown without a size or without any memory', () => {
    expect(fit(null, { memory: memory(64, 60) })).toBe('unknown');
    expect(fit(5 * GB, {})).toBe('unknown');
    expect(fit(5 * GB, { memory: null, gpus: [] })).toBe('unknown');
  });

  it('compares with what is free, then with what there is', () => {
    expect(fit(5 * GB, { memory: memory(16, 10) })).toBe('fits');
    expect(fit(5 * GB, { memory: memory(16, 3) })).toBe('fits_when_free');
    expect(fit(20 * GB, { memory: memory(16, 14) })).toBe('does_not_fit');
  });

  it('reserves some memory for the system', () => {
    expect(fit(13 * GB, { memory: memory(16) })).toBe('does_not_fit');
    expect(fit(12 * GB, { memory: memory(16) })).toBe('fits');
  });

  it('adds up all GPUs, but never main memory', () => {
    expect(fit(30 * GB, { gpus: [memory(24, 24), memory(24, 24)] })).toBe('fits');
    expect(fit(30 * GB, { memory: memory(24, 20), gpus: [memory(24, 24)] })).toBe('does_not_fit');
    expect(fit(30 * GB, { memory: memory(64, 60), gpus: [memory(8, 8)] })).toBe('fits');
  });

  it('adds main memory where the built-in engine can give the processor a part, and says so', () => {
    const gpus = [{ ...memory(24, 24), backend: 'vulkan' }];
    expect(fit(30 * GB, { memory: memory(24, 20), gpus })).toBe('fits_in_part');
    expect(fit(20 * GB, { memory: memory(24, 20), gpus })).toBe('fits');
    expect(fit(60 * GB, { memory: memory(24, 20), gpus })).toBe('does_not_fit');
  });

  it('counts memory that computer and GPU share once', () => {
    const gpus = [{ ...memory(64, 50), unified: true, backend: 'metal' }];
    expect(fit(80 * GB, { memory: memory(64, 50), gpus })).toBe('does_not_fit');
    expect(fit(40 * GB, { memory: memory(64, 50), gpus })).toBe('fits');
  });

  it('counts the context', () => {
    expect(neededBytes(10 * GB, 4 * GB)).toBe(15 * GB);
    expect(fit(10 * GB, { gpus: [memory(14, 14)] })).toBe('fits');
    expect(fit(10 * GB, { gpus: [memory(14, 14)] }, 4 * GB)).toBe('does_not_fit');
  });
});
