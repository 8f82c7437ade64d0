import { describe, expect, it } from '@jest/globals';
import { BehaviorSubject, firstValueFrom } from 'rxjs';
import { ManualClock } from '../../../test/support/clock/manual-clock.js';
import type { Dialect } from '../../kernel/dialect.js';
import type { ModelReport } from '../../link/messages.js';
import type { ConfiguredCapabilities } from './configured-capabilities.js';
import { EngineCatalogue, MAX_ENGINES } from './engine-catalogue.js';
import type { Engine, EngineCondition, EngineLoadReport, EngineModel } from './engine.js';
import { LastKnownModels } from './last-known/last-known-models.js';
import { SlotGate } from './slot-gate.js';

const model = (name: string, change: Partial<EngineModel> = {}): EngineModel => ({
  engine_model: name,
  display_name: name,
  canonical_name: name,
  digest: null,
  quantization: null,
  size_bytes: null,
  context_length: null,
  state: 'loaded',
  dialects: ['chat', 'completions'],
  inputs: ['text'],
  tools: null,
  reasoning: null,
  embedding: false,
  ...change,
});

class TestEngine implements Engine {
  readonly kind = 'test';
  readonly management = {};
  condition: EngineCondition = { is: 'answering' };
  readonly models$: BehaviorSubject<readonly EngineModel[]>;
  slots = 2;
  version: string | null = null;
  load: EngineLoadReport | undefined;
  stops = 0;
  startFailure: Error | undefined;
  constructor(
    readonly name: string,
    ...models: readonly EngineModel[]
  ) {
    this.models$ = new BehaviorSubject(models);
  }
  facts() {
    return { name: this.name, kind: this.kind, version: this.version };
  }
  start(): Promise<void> {
    return this.startFailure === undefined ? Promise.resolve() : Promise.reject(this.startFailure);
  }
  stop(): Promise<void> {
    this.stops += 1;
    return Promise.resolve();
  }
  run(): Promise<never> {
    return Promise.reject(new Error('not here'));
  }
}

const DAY_MS = 86_400_000;

/** Chat, and one dialect that is translated to it. */
const servable = (spoken: readonly string[]): readonly Dialect[] =>
  spoken.includes('chat') ? ['chat', 'messages'] : [];

const set = (options: { remoteMedia?: boolean } = {}) => {
  const clock = new ManualClock();
  const failures: string[] = [];
  const catalogue = new EngineCatalogue({
    servable,
    clock,
    lastKnown: new LastKnownModels({ maxAgeMs: DAY_MS, clock, onFailure: () => undefined }),
    remoteMedia: options.remoteMedia ?? false,
    onFailure: (name) => failures.push(name),
  });
  let changes = 0;
  catalogue.slotsChanged$.subscribe(() => (changes += 1));
  const keys = async (): Promise<string[]> => (await firstValueFrom(catalogue.models$)).map(({ key }) => key);
  const report = (key: string): ModelReport | undefined => catalogue.find(key)?.report;
  return { catalogue, clock, failures, keys, report, changes: () => changes };
};

describe("a node's engines", () => {
  it("a node's engines form one list whose keys name engine and model", async () => {
    const { catalogue, keys } = set();
    const [one, two] = [new TestEngine('one', model('a/b')), new TestEngine('two')];
    await catalogue.add(one);
    await catalogue.add(two);
    two.models$.next([model('a/b', { state: 'installed' }), model('c')]);
    expect(await keys()).toEqual(['one/a/b', 'two/a/b', 'two/c']);
    expect(catalogue.find('two/a/b')).toMatchObject({
      engine: { name: 'two' },
      report: { state: 'installed', engine: 'two', dialects: ['chat', 'messages'] },
    });
    one.models$.next([]);
    expect(await keys()).toEqual(['two/a/b', 'two/c']);
    expect(catalogue.find('one/a/b')).toBeUndefined();
  });

  it("a node's engines serve when one of them does not start", async () => {
    const { catalogue, failures } = set();
    const broken = new TestEngine('broken');
    broken.startFailure = new Error('no');
    await Promise.all([catalogue.add(broken), catalogue.add(new TestEngine('fine', model('a')))]);
    expect(failures).toEqual(['broken']);
    expect(catalogue.find('fine/a')).toBeDefined();
  });

  it("a node's engines count the slots of each engine over all its models", async () => {
    const { catalogue, changes } = set();
    await catalogue.add(new TestEngine('one', model('a'), model('b')));
    const before = changes();
    const first = catalogue.find('one/a')?.gate.claim();
    catalogue.find('one/b')?.gate.claim();
    expect(catalogue.find('one/a')?.gate.claim()).toBeUndefined();
    expect(catalogue.slots()).toEqual([
      { name: 'one', kind: 'test', version: null, slots_total: 2, slots_used: 2, queue_depth: 0 },
    ]);
    first?.release();
    expect(catalogue.slots()[0]?.slots_used).toBe(1);
    expect(changes() - before).toBe(3);
  });

  it('all stop with the node', async () => {
    const { catalogue } = set();
    const engines = [new TestEngine('one'), new TestEngine('two')];
    for (const engine of engines) await catalogue.add(engine);
    await catalogue.stop();
    expect(engines.map(({ stops }) => stops)).toEqual([1, 1]);
  });
});

describe('an engine that appears or vanishes while the node runs', () => {
  it('adds and removes its models and slots', async () => {
    const { catalogue, keys, changes } = set();
    await catalogue.add(new TestEngine('one', model('a')));
    const before = changes();
    await catalogue.add(new TestEngine('two', model('b')));
    expect(await keys()).toEqual(['one/a', 'two/b']);
    expect(catalogue.slots().map(({ name }) => name)).toEqual(['one', 'two']);
    expect(changes()).toBeGreaterThan(before);
    const withTwo = changes();
    catalogue.remove('two');
    expect(await keys()).toEqual(['one/a']);
    expect(catalogue.facts().map(({ name }) => name)).toEqual(['one']);
    expect(changes()).toBeGreaterThan(withTwo);
  });

  it('finishes its running requests before it is stopped', async () => {
    const { catalogue, keys } = set();
    const engine = new TestEngine('one', model('a'));
    await catalogue.add(engine);
    const slot = catalogue.find('one/a')?.gate.claim();
    catalogue.remove('one');
    engine.models$.next([model('late')]);
    expect(await keys()).toEqual([]);
    await new Promise(setImmediate);
    expect(engine.stops).toBe(0);
    slot?.release();
    await new Promise(setImmediate);
    expect(engine.stops).toBe(1);
    await catalogue.stop();
    expect(engine.stops).toBe(1);
  });

  it('an engine that appears or vanishes while the node runs may come back under its name while the old one finishes', async () => {
    const { catalogue, keys } = set();
    await catalogue.add(new TestEngine('one', model('a')));
    const slot = catalogue.find('one/a')?.gate.claim();
    catalogue.remove('one');
    await catalogue.add(new TestEngine('one', model('a'), model('b')));
    slot?.release();
    expect(await keys()).toEqual(['one/a', 'one/b']);
    expect(catalogue.slots()).toMatchObject([{ slots_used: 0 }]);
  });

  it('needs a unique name and a free place', async () => {
    const { catalogue } = set();
    for (let index = 0; index < MAX_ENGINES; index += 1) await catalogue.add(new TestEngine(`e${String(index)}`));
    expect(catalogue.hasRoomFor('another')).toBe(false);
    await expect(catalogue.add(new TestEngine('another'))).rejects.toThrow('another');
    catalogue.remove('e0');
    expect([catalogue.hasRoomFor('another'), catalogue.hasRoomFor('e1')]).toEqual([true, false]);
  });

  it('an engine that appears or vanishes while the node runs is reported again when it reveals more about itself', async () => {
    const { catalogue, changes } = set();
    const engine = new TestEngine('one', model('a'));
    await catalogue.add(engine);
    const before = changes();
    catalogue.tick();
    expect(changes()).toBe(before);
    engine.version = '0.33.0';
    engine.slots = 8;
    catalogue.tick();
    expect(changes()).toBe(before + 1);
    expect(catalogue.slots()).toMatchObject([{ version: '0.33.0', slots_total: 8 }]);
  });

  it('an engine that appears or vanishes while the node runs is reported again when its queue or the requests of others change', async () => {
    const { catalogue, changes } = set();
    const engine = new TestEngine('one', model('a'));
    await catalogue.add(engine);
    expect(catalogue.slots()[0]).toMatchObject({ queue_depth: 0 });
    expect(catalogue.slots()[0]).not.toHaveProperty('foreign_requests');
    const before = changes();
    engine.load = { waiting: 3, foreign: 7 };
    catalogue.tick();
    catalogue.tick();
    expect(changes()).toBe(before + 1);
    expect(catalogue.slots()).toMatchObject([{ queue_depth: 3, foreign_requests: 7, slots_used: 0 }]);
  });
});

describe('model capabilities that an engine does not report', () => {
  const configured: ConfiguredCapabilities = {
    all: { tools: true },
    models: { a: { tools: false, inputs: ['image'], reasoning: true, context_tokens: 4_096, display_name: 'Model A' } },
  };

  it('model capabilities that an engine does not report can be configured, per engine and per model', async () => {
    const { catalogue, report } = set();
    await catalogue.add(new TestEngine('one', model('a'), model('b')), configured);
    expect(report('one/a')).toMatchObject({
      tools: false,
      inputs: ['text', 'image'],
      reasoning: true,
      context_length: 4_096,
      display_name: 'Model A',
      canonical_name: 'a',
    });
    expect(report('one/b')).toMatchObject({ tools: true, inputs: ['text'], reasoning: null });
  });

  it('model capabilities that an engine does not report are learned from its refusals', async () => {
    const { catalogue, report } = set();
    await catalogue.add(new TestEngine('one', model('a', { inputs: ['text', 'image'] }), model('b')));
    catalogue.learn('one/a', 'tools');
    catalogue.learn('one/a', 'image');
    catalogue.learn('one/a', 'reasoning');
    expect(report('one/a')).toMatchObject({ tools: false, inputs: ['text'], reasoning: false });
    expect(report('one/b')).toMatchObject({ tools: null, reasoning: null });
  });

  it('are not learned against the configuration or the engine, nor for a removed model', async () => {
    const { catalogue, report } = set();
    await catalogue.add(new TestEngine('one', model('b')), configured);
    await catalogue.add(new TestEngine('two', model('c', { tools: true })));
    catalogue.learn('one/b', 'tools');
    catalogue.learn('two/c', 'tools');
    catalogue.learn('two/gone', 'tools');
    expect([report('one/b')?.tools, report('two/c')?.tools]).toEqual([true, true]);
  });

  it.each<[string, (engine: TestEngine, tools: ReturnType<typeof set>) => void]>([
    [
      'another version of the engine',
      (engine, { catalogue }) => {
        engine.version = '2';
        catalogue.tick();
      },
    ],
    [
      'other content under the same name',
      (engine) => {
        engine.models$.next([model('a', { digest: 'sha256:other' })]);
      },
    ],
    [
      'being loaded again, maybe with other options',
      (engine) => {
        engine.models$.next([model('a', { state: 'installed' })]);
        engine.models$.next([model('a')]);
      },
    ],
    [
      'an hour',
      (_engine, { catalogue, clock }) => {
        clock.advance(3_600_000);
        catalogue.tick();
      },
    ],
  ])('model capabilities that an engine does not report are reset after %s', async (_, happen) => {
    const tools = set();
    const engine = new TestEngine('one', model('a'));
    await tools.catalogue.add(engine);
    tools.catalogue.learn('one/a', 'tools');
    expect(tools.report('one/a')?.tools).toBe(false);
    happen(engine, tools);
    expect(tools.report('one/a')?.tools).toBeNull();
  });
});

it('a node that fetches images reports it with every model', async () => {
  const { catalogue, report } = set({ remoteMedia: true });
  await catalogue.add(new TestEngine('one', model('a')));
  expect(report('one/a')?.remote_media).toBe(true);
});

describe('a slot', () => {
  it('a slot is returned once, however often it is released', () => {
    const gate = new SlotGate(() => 1);
    const first = gate.claim();
    first?.release();
    const second = gate.claim();
    first?.release();
    expect(gate.used).toBe(1);
    expect(gate.claim()).toBeUndefined();
    second?.release();
    expect(gate.used).toBe(0);
  });

  it('a slot is reported as used elsewhere to every replica except the one whose request holds it', () => {
    const gate = new SlotGate(() => 3);
    const slots = ['one', 'one', 'two'].map((replica) => gate.claim(replica));
    const seenBy = () => ['one', 'two', 'three'].map((replica) => gate.usedElsewhere(replica));
    expect([gate.claim('two'), seenBy()]).toEqual([undefined, [1, 2, 3]]);
    slots[0]?.release();
    expect(seenBy()).toEqual([1, 1, 2]);
  });
});

describe('an engine that does not answer', () => {
  const gone = (engine: TestEngine, condition: EngineCondition): void => {
    engine.condition = condition;
    engine.models$.next([]);
  };
  const unreachable: EngineCondition = { is: 'unreachable', problem: 'cannot be reached' };

  it('keeps its last models, as not loaded, with the reason', async () => {
    const { catalogue, keys, report, changes } = set();
    const one = new TestEngine('one', model('a'), model('b', { state: 'installed' }));
    await catalogue.add(one);
    const before = changes();
    gone(one, unreachable);
    expect(await keys()).toEqual(['one/a', 'one/b']);
    expect(report('one/a')).toMatchObject({ state: 'installed', engine_unreachable: true });
    expect(catalogue.slots()).toMatchObject([{ name: 'one', problem: 'cannot be reached' }]);
    expect([changes() > before, catalogue.keepsModelsOf('one')]).toEqual([true, true]);
    one.condition = { is: 'answering' };
    one.models$.next([model('a')]);
    expect(await keys()).toEqual(['one/a']);
    expect(report('one/a')).toEqual(expect.not.objectContaining({ engine_unreachable: true }));
    expect(report('one/a')?.state).toBe('loaded');
    expect(catalogue.slots()[0]).not.toHaveProperty('problem');
    one.models$.next([]);
    gone(one, unreachable);
    expect([await keys(), catalogue.keepsModelsOf('one')]).toEqual([[], false]);
  });

  it('loses its models a day after its last answer', async () => {
    const { catalogue, keys, clock } = set();
    const [one, two] = [new TestEngine('one', model('a')), new TestEngine('two', model('b'))];
    await catalogue.add(one);
    await catalogue.add(two);
    clock.advance(DAY_MS * 3);
    catalogue.tick();
    gone(one, unreachable);
    clock.advance(DAY_MS - 1);
    catalogue.tick();
    expect(await keys()).toEqual(['two/b', 'one/a']);
    clock.advance(1);
    catalogue.tick();
    expect(await keys()).toEqual(['two/b']);
  });

  it('while it loads its only model is reported as loading', async () => {
    const { catalogue, report } = set();
    const [one, two] = [new TestEngine('one', model('a')), new TestEngine('two', model('b'), model('c'))];
    await catalogue.add(one);
    await catalogue.add(two);
    gone(one, { is: 'loading' });
    gone(two, { is: 'loading' });
    expect(report('one/a')).toMatchObject({ state: 'loading' });
    expect(report('one/a')?.engine_unreachable).toBeUndefined();
    expect(report('two/b')).toMatchObject({ state: 'installed', engine_unreachable: true });
  });

  it('loses its models when it is removed', async () => {
    const { catalogue, keys } = set();
    const one = new TestEngine('one', model('a'));
    await catalogue.add(one);
    gone(one, unreachable);
    catalogue.remove('one');
    await catalogue.add(new TestEngine('one'));
    expect(await keys()).toEqual([]);
  });
});
