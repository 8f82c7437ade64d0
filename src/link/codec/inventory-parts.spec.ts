import { describe, expect, it } from '@jest/globals';
import { report } from '../../../test/support/link/link-pair.js';
import { encodeControl } from './control-payload.js';
import { splitInventory } from './inventory-parts.js';
import { inventoryMessage } from '../messages.js';

const keys = (count: number, length = 20): string[] =>
  Array.from({ length: count }, (_, index) => `${index}-`.padEnd(length, 'k'));

describe('splitInventory', () => {
  it('sends a short list, and an empty one, as one complete part', () => {
    expect(splitInventory({ version: 3, full: true, models: [] })).toEqual([
      { version: 3, full: true, more: false, models: [], removed: [] },
    ]);
    expect(splitInventory({ version: 4, full: true, models: [report('a')] })).toHaveLength(1);
  });

  it('chains the parts of a full list under one version, all in order, each within a frame', () => {
    const models = keys(2_000, 300).map((key) => report(key.slice(0, 200)));
    const parts = splitInventory({ version: 9, full: true, models });
    expect(parts.length).toBeGreaterThan(9);
    expect(parts.flatMap((part) => part.models)).toEqual(models);
    expect(new Set(parts.map(({ version }) => version))).toEqual(new Set([9]));
    expect(parts.map(({ more }) => more)).toEqual([...parts.slice(1).map(() => true), false]);
    for (const part of parts) expect(() => encodeControl(inventoryMessage, part)).not.toThrow();
  });

  it('splits a large change into changes of their own, with versions that count on', () => {
    const parts = splitInventory({ version: 5, full: false, models: keys(250).map(report), removed: keys(1_500) });
    expect(parts.map(({ version }) => version)).toEqual(parts.map((_, index) => 5 + index));
    expect(parts.every(({ more, full }) => !more && !full)).toBe(true);
    expect(parts.flatMap(({ removed }) => removed)).toHaveLength(1_500);
    for (const part of parts) expect(() => encodeControl(inventoryMessage, part)).not.toThrow();
  });

  it('measures escaped names, so that every part fits', () => {
    const models = keys(300).map((key) => ({ ...report(key), display_name: '\u0001'.repeat(200) }));
    const parts = splitInventory({ version: 1, full: true, models });
    expect(parts.flatMap((part) => part.models)).toHaveLength(300);
    for (const part of parts) expect(() => encodeControl(inventoryMessage, part)).not.toThrow();
  });

  it('leaves out and reports a model whose report exceeds a frame', () => {
    const refused: string[] = [];
    const parts = splitInventory({
      version: 1,
      full: true,
      models: [report('good'), { ...report('bad'), display_name: 'n'.repeat(201) }],
      onUnsendable: ({ key }) => refused.push(key),
    });
    expect(parts.flatMap((part) => part.models.map(({ key }) => key))).toEqual(['good']);
    expect(refused).toEqual(['bad']);
  });
});
