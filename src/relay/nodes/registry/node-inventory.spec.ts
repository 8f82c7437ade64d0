import { describe, expect, it } from '@jest/globals';
import type { InventoryMessage, ModelReport } from '../../../link/messages.js';
import { modelReport } from '../../../../test/support/link/model-report.js';
import { NodeInventory } from './node-inventory.js';

const model = (key: string, extra: Partial<ModelReport> = {}): ModelReport =>
  modelReport(key, { key, state: 'installed', ...extra });

const full = (version: number, models: ModelReport[], more = false): InventoryMessage => ({
  version,
  full: true,
  more,
  models,
  removed: [],
});
const change = (version: number, models: ModelReport[], removed: string[] = []): InventoryMessage => ({
  version,
  full: false,
  more: false,
  models,
  removed,
});
const keysOf = ({ models }: NodeInventory): string[] => [...models.keys()];

describe('NodeInventory', () => {
  it('NodeInventory is empty before the first full list is complete', () => {
    const inventory = new NodeInventory(10);
    expect(inventory.complete).toBe(false);
    expect(inventory.apply(full(1, [model('a')], true))).toBe('incomplete');
    expect([inventory.complete, keysOf(inventory)]).toEqual([false, []]);
    expect(inventory.apply(full(1, [model('b')]))).toBe('applied');
    expect([inventory.complete, keysOf(inventory)]).toEqual([true, ['a', 'b']]);
  });

  it('NodeInventory may be empty', () => {
    const inventory = new NodeInventory(10);
    expect(inventory.apply(full(0, []))).toBe('applied');
    expect(inventory.complete).toBe(true);
  });

  it('adds, changes and removes', () => {
    const inventory = new NodeInventory(10);
    inventory.apply(full(7, [model('a'), model('b')]));
    expect(inventory.apply(change(8, [model('c'), model('a', { state: 'loaded' })], ['b']))).toBe('applied');
    expect(keysOf(inventory)).toEqual(['a', 'c']);
    expect(inventory.models.get('a')?.state).toBe('loaded');
    expect(inventory.apply(change(9, [], ['unknown']))).toBe('applied');
  });

  it('replaces everything with the next full list, but not before that is complete', () => {
    const inventory = new NodeInventory(10);
    inventory.apply(full(1, [model('a')]));
    inventory.apply(full(2, [model('b')], true));
    expect(keysOf(inventory)).toEqual(['a']);
    inventory.apply(full(2, [model('c')]));
    expect(keysOf(inventory)).toEqual(['b', 'c']);
  });

  it('starts over when a new full list comes before the last one was complete', () => {
    const inventory = new NodeInventory(10);
    inventory.apply(full(1, [model('a')], true));
    inventory.apply(full(2, [model('b')]));
    expect(keysOf(inventory)).toEqual(['b']);
  });

  it.each([
    ['before any list', [], 1],
    ['that skips a version', [full(1, [])], 3],
    ['that repeats a version', [full(1, []), change(2, [])], 2],
    ['inside a full list', [full(1, []), full(2, [], true)], 2],
  ])('refuses a change %s', (_name, before, version) => {
    const inventory = new NodeInventory(10);
    for (const message of before) inventory.apply(message);
    expect(inventory.apply(change(version, [model('a')]))).toBe('out_of_order');
  });

  it.each([
    ['one full list', [full(1, [model('a'), model('b'), model('c')])]],
    ['the parts of a full list', [full(1, [model('a'), model('b')], true), full(1, [model('c')], true)]],
    ['changes', [full(1, [model('a'), model('b')]), change(2, [model('c')])]],
  ])('refuses more models than a node may have, in %s', (_name, messages) => {
    const inventory = new NodeInventory(2);
    expect(messages.map((message) => inventory.apply(message)).at(-1)).toBe('too_many_models');
  });

  it('counts a model that is reported again once', () => {
    const inventory = new NodeInventory(1);
    inventory.apply(full(1, [model('a')], true));
    expect(inventory.apply(full(1, [model('a')]))).toBe('applied');
  });

  it('sanitises names, and keeps the key unchanged', () => {
    const inventory = new NodeInventory(10);
    inventory.apply(full(1, [model('\u001bkey', { display_name: '\u001b[2Jx\n', canonical_name: 'a\0b' })]));
    const [[key, report] = []] = inventory.models;
    expect([key, report?.key]).toEqual(['\u001bkey', '\u001bkey']);
    expect([report?.display_name, report?.canonical_name]).toEqual(['[2Jx', 'ab']);
  });

  it('names a nameless model by its key', () => {
    const inventory = new NodeInventory(10);
    inventory.apply(full(1, [model('key', { display_name: '\u200b', canonical_name: '\0', engine_model: 'm.gguf' })]));
    expect(inventory.models.get('key')).toMatchObject({ display_name: 'm.gguf', canonical_name: 'm.gguf' });
  });

  it('takes over the list of an older link of the same process until a new report', () => {
    const older = new NodeInventory(10);
    older.apply(full(5, [model('a')]));
    const inventory = new NodeInventory(10);
    inventory.inherit(older);
    expect([inventory.complete, keysOf(inventory)]).toEqual([true, ['a']]);
    expect(inventory.apply(change(6, []))).toBe('out_of_order');
    older.apply(change(6, [], ['a']));
    expect(keysOf(inventory)).toEqual(['a']);
    inventory.apply(full(0, [model('b')]));
    expect(keysOf(inventory)).toEqual(['b']);
  });
});
