import { describe, expect, it } from '@jest/globals';
import { BehaviorSubject, firstValueFrom } from 'rxjs';
import type { Dialect } from '../../kernel/dialect.js';
import { EngineCatalogue } from './engine-catalogue.js';
import type { Engine, EngineModel } from './engine.js';
import { SlotGate } from './slot-gate.js';

const model = (name: string, state: EngineModel['state'] = 'loaded'): EngineModel => ({
  engine_model: name,
  display_name: name,
  canonical_name: name,
  digest: null,
  quantization: null,
  size_bytes: null,
  context_length: null,
  state,
  dialects: ['chat', 'completions'],
  inputs: ['text'],
  tools: null,
  reasoning: null,
  embedding: false,
});

const engine = (
  name: string,
  models$: BehaviorSubject<readonly EngineModel[]>,
  start = () => Promise.resolve(),
): Engine => ({
  name,
  kind: 'test',
  slots: 2,
  models$,
  facts: () => ({ name, kind: 'test', version: null }),
  start,
  stop: () => Promise.resolve(),
  run: () => Promise.reject(new Error('not here')),
});

/** Chat, and one dialect that is translated to it. */
const servable = (spoken: readonly Dialect[]): readonly Dialect[] =>
  spoken.includes('chat') ? ['chat', 'messages'] : [];

describe('the engines of a node', () => {
  it('are one list whose keys name engine and model', async () => {
    const one = new BehaviorSubject<readonly EngineModel[]>([model('a/b')]);
    const two = new BehaviorSubject<readonly EngineModel[]>([]);
    const catalogue = new EngineCatalogue([engine('one', one), engine('two', two)], servable);
    await catalogue.start(() => undefined);
    two.next([model('a/b', 'installed'), model('c')]);
    const keys = async (): Promise<string[]> => (await firstValueFrom(catalogue.models$)).map(({ key }) => key);
    expect(await keys()).toEqual(['one/a/b', 'two/a/b', 'two/c']);
    expect(catalogue.find('two/a/b')).toMatchObject({
      engine: { name: 'two' },
      report: { state: 'installed', engine: 'two', dialects: ['chat', 'messages'] },
    });
    one.next([]);
    expect(await keys()).toEqual(['two/a/b', 'two/c']);
    expect(catalogue.find('one/a/b')).toBeUndefined();
    await catalogue.stop();
  });

  it('serve although one of them does not start', async () => {
    const failures: string[] = [];
    const models$ = new BehaviorSubject<readonly EngineModel[]>([model('a')]);
    const catalogue = new EngineCatalogue(
      [
        engine('broken', new BehaviorSubject<readonly EngineModel[]>([]), () => Promise.reject(new Error('no'))),
        engine('fine', models$),
      ],
      servable,
    );
    await catalogue.start((name) => failures.push(name));
    expect(failures).toEqual(['broken']);
    expect(catalogue.find('fine/a')).toBeDefined();
    await catalogue.stop();
  });

  it('count the slots of each engine over all its models', async () => {
    const catalogue = new EngineCatalogue(
      [engine('one', new BehaviorSubject<readonly EngineModel[]>([model('a'), model('b')]))],
      servable,
    );
    await catalogue.start(() => undefined);
    let changes = 0;
    catalogue.slotsChanged$.subscribe(() => (changes += 1));
    const first = catalogue.find('one/a')?.gate.claim();
    catalogue.find('one/b')?.gate.claim();
    expect(catalogue.find('one/a')?.gate.claim()).toBeUndefined();
    expect(catalogue.slots()).toEqual([{ name: 'one', slots_total: 2, slots_used: 2, queue_depth: 0 }]);
    first?.release();
    expect(catalogue.slots()[0]?.slots_used).toBe(1);
    expect(changes).toBe(3);
    await catalogue.stop();
  });
});

describe('a slot', () => {
  it('is given back once, however often it is released', () => {
    const gate = new SlotGate(1);
    const first = gate.claim();
    first?.release();
    const second = gate.claim();
    first?.release();
    expect(gate.used).toBe(1);
    expect(gate.claim()).toBeUndefined();
    second?.release();
    expect(gate.used).toBe(0);
  });
});
