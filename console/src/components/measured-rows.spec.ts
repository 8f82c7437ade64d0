import { describe, expect, it } from '@jest/globals';
import { RowEstimate } from './measured-rows';

describe('RowEstimate', () => {
  it('is one line of text until a row was measured, and then their average', () => {
    const estimate = new RowEstimate();
    const sizes = new Map<number, number>();
    estimate.sizes = sizes;
    expect(estimate.size()).toBe(45);
    sizes.set(0, 90).set(1, 100);
    expect(estimate.size()).toBe(95);
    sizes.set(2, 110);
    expect(estimate.size()).toBe(100);
  });

  it('is taken anew where the rows that were measured have other heights', () => {
    const estimate = new RowEstimate();
    const sizes = new Map([[0, 90]]);
    estimate.sizes = sizes;
    expect(estimate.size()).toBe(90);
    sizes.set(0, 60);
    estimate.renew();
    expect(estimate.size()).toBe(60);
  });
});
