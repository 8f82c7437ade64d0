import { describe, expect, it } from '@jest/globals';
import { SlotGate } from './slot-gate.js';

describe('SlotGate', () => {
  it('SlotGate has as many claims as slots, by the number that holds at each claim', () => {
    let slots = 1;
    const gate = new SlotGate(() => slots);
    expect(gate.claim('a')).toBeDefined();
    expect(gate.claim('b')).toBeUndefined();
    slots = 2;
    expect(gate.claim('b')).toBeDefined();
    expect(gate.used).toBe(2);
  });

  it('counts a claim that is released twice once', () => {
    const gate = new SlotGate(() => 4);
    const first = gate.claim('a');
    gate.claim('a');
    first?.release();
    first?.release();
    expect(gate.used).toBe(1);
  });

  it('tells what other replicas use', () => {
    const gate = new SlotGate(() => 4);
    const seen: number[] = [];
    gate.used$.subscribe((used) => seen.push(used));
    const ofA = gate.claim('a');
    gate.claim('a');
    gate.claim('b');
    expect([gate.usedElsewhere('a'), gate.usedElsewhere('b'), gate.usedElsewhere('c')]).toEqual([1, 2, 3]);
    ofA?.release();
    expect([gate.usedElsewhere('a'), gate.usedElsewhere('b'), gate.usedElsewhere('c')]).toEqual([1, 1, 2]);
    expect(seen).toEqual([0, 1, 2, 3, 2]);
  });
});
