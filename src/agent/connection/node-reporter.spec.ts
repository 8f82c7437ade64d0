import { describe, expect, it } from '@jest/globals';
import { BehaviorSubject, Subject } from 'rxjs';
import { ManualClock } from '../../../test/support/clock/manual-clock.js';
import { modelReport } from '../../../test/support/link/model-report.js';
import type { InventoryMessage, ModelReport, StatusMessage } from '../../link/messages.js';
import { NodeReporter } from './node-reporter.js';

const model = (key: string, change: Partial<ModelReport> = {}): ModelReport =>
  modelReport(key, { key: `engine/${key}`, engine: 'engine', ...change });

const set = (models: readonly ModelReport[]) => {
  const models$ = new BehaviorSubject(models);
  const statusChanged$ = new Subject<void>();
  const inventories: InventoryMessage[] = [];
  const statuses: StatusMessage[] = [];
  const unsendable: string[] = [];
  const clock = new ManualClock();
  let used = 0;
  let several = false;
  const reporter = new NodeReporter({
    session: { sendInventory: (message) => inventories.push(message), sendStatus: (message) => statuses.push(message) },
    models$,
    statusChanged$,
    status: () => ({
      engines: [{ name: 'engine', slots_total: 4, slots_used: used, queue_depth: 0 }],
      paused: false,
      draining: false,
      memory_free_bytes: null,
    }),
    hasSeveralLinks: () => several,
    clock,
    timers: clock,
    onUnsendable: ({ key }) => unsendable.push(key),
  });
  const advance = (ms: number): void => {
    clock.advance(ms);
  };
  const use = (slots: number): void => {
    used = slots;
    statusChanged$.next();
  };
  const share = (): void => {
    several = true;
  };
  return { share, reporter, models$, inventories, statuses, unsendable, advance, use };
};

describe("a node's model report", () => {
  it("a node's model report is the full list first, then only changes", () => {
    const { reporter, models$, inventories } = set([model('a'), model('b')]);
    reporter.start();
    models$.next([model('a'), model('b', { state: 'installed' }), model('c')]);
    models$.next([model('c'), model('a')]);
    models$.next([model('a'), model('c')]);
    expect(
      inventories.map(({ version, full, models, removed }) => [version, full, models.map(({ key }) => key), removed]),
    ).toEqual([
      [1, true, ['engine/a', 'engine/b'], []],
      [2, false, ['engine/b', 'engine/c'], []],
      [3, false, [], ['engine/b']],
    ]);
  });

  it("a node's model report is an empty list without models, so that the relay drops earlier ones", () => {
    const { reporter, inventories } = set([]);
    reporter.start();
    expect(inventories).toEqual([{ version: 1, full: true, more: false, models: [], removed: [] }]);
  });

  it('fits into frames at any size', () => {
    const { reporter, models$, inventories } = set(Array.from({ length: 450 }, (_unused, index) => model(`m${index}`)));
    reporter.start();
    expect(inventories.map(({ version, more }) => [version, more])).toEqual([
      [1, true],
      [1, true],
      [1, false],
    ]);
    models$.next([]);
    expect(inventories.at(-1)).toMatchObject({ version: 2, full: false });
    expect(inventories.at(-1)?.removed).toHaveLength(450);
  });

  it('leaves out a model that the relay would refuse', () => {
    const { reporter, inventories, unsendable } = set([model('a'), model('b', { display_name: '' })]);
    reporter.start();
    expect(inventories[0]?.models.map(({ key }) => key)).toEqual(['engine/a']);
    expect(unsendable).toEqual(['engine/b']);
  });

  it('ends with the link', () => {
    const { reporter, models$, inventories, statuses, use, advance } = set([]);
    reporter.start();
    use(1);
    reporter.stop();
    models$.next([model('a')]);
    advance(10_000);
    use(2);
    expect([inventories.length, statuses.length]).toEqual([1, 1]);
  });
});

describe("a node's slot report", () => {
  it("a node's slot report is sent at once, then at most once a second, and the latest state is always sent", () => {
    const { reporter, statuses, advance, use } = set([]);
    reporter.start();
    const sent = (): number[] => statuses.map(({ engines }) => engines[0]!.slots_used);
    expect(sent()).toEqual([0]);
    advance(400);
    use(1);
    use(2);
    use(1);
    expect(sent()).toEqual([0]);
    advance(599);
    expect(sent()).toEqual([0]);
    advance(1);
    expect(sent()).toEqual([0, 1]);
    advance(5_000);
    expect(sent()).toEqual([0, 1]);
    use(3);
    expect(sent()).toEqual([0, 1, 3]);
  });
});

describe('the slot report of a node with several links', () => {
  const sent = (statuses: readonly StatusMessage[]): number[] => statuses.map(({ engines }) => engines[0]!.slots_used);

  it('follows changes after 200 ms', () => {
    const { reporter, statuses, advance, use, share } = set([]);
    share();
    reporter.start();
    advance(50);
    use(1);
    use(2);
    advance(149);
    expect(sent(statuses)).toEqual([0]);
    advance(1);
    expect(sent(statuses)).toEqual([0, 2]);
  });

  it('reports at once that a full engine has a free slot', () => {
    const { reporter, statuses, advance, use, share } = set([]);
    share();
    reporter.start();
    advance(200);
    use(4);
    advance(60);
    use(3);
    expect(sent(statuses)).toEqual([0, 4, 3]);
    advance(10);
    use(4);
    use(3);
    expect(sent(statuses)).toEqual([0, 4, 3]);
    advance(190);
    expect(sent(statuses)).toEqual([0, 4, 3, 3]);
  });

  it('the slot report of a node with several links is sent at most twenty times a second, however short the requests are', () => {
    const { reporter, statuses, advance, use, share } = set([]);
    share();
    reporter.start();
    for (let time = 0; time < 1_000; time += 5) {
      use(4);
      advance(3);
      use(3);
      advance(2);
    }
    expect(statuses.length).toBeLessThanOrEqual(21);
    expect(statuses.length).toBeGreaterThan(5);
  });
});
