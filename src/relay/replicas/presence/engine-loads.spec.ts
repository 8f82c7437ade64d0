import { describe, expect, it } from '@jest/globals';
import {
  engineLoads,
  engineNumber,
  entryLoads,
  loadSteps,
  loadsOfEntry,
  MAX_LOADED_ENGINES,
  noLoads,
  withLoad,
  type EngineLoads,
} from './engine-loads.js';

const engine = (name: string, waiting: number, foreign?: number) => ({
  name,
  slots_total: 4,
  slots_used: 0,
  queue_depth: waiting,
  ...(foreign === undefined ? {} : { foreign_requests: foreign }),
});
const loadOf = (waiting: number, foreign = 0): EngineLoads => engineLoads([engine('a', waiting, foreign)]);

describe('the loads of engines', () => {
  it('the loads of engines leave out idle engines and those that do not tell', () => {
    const loads = engineLoads([engine('a', 3), engine('b', 0, 2), engine('c', 0, 0), engine('d', 0)]);
    expect(Object.fromEntries(loads)).toEqual({
      [engineNumber('a')]: { waiting: 3, foreign: 0 },
      [engineNumber('b')]: { waiting: 0, foreign: 2 },
    });
    expect(engineLoads([engine('c', 0, 0)])).toBe(noLoads);
  });

  it('the loads of engines survive a message, and are bounded in it', () => {
    const loads = engineLoads([engine('a', 3, 4), engine('b', Number.MAX_SAFE_INTEGER, 2)]);
    expect(loadsOfEntry(entryLoads(loads))).toEqual(loads);
    expect(Math.max(...entryLoads(loads).filter((_, at) => at % 3 > 0))).toBe(65_535);
    expect(entryLoads(loads).every((value) => Number.isInteger(value) && value >= 0)).toBe(true);
  });

  it('the loads of engines are told exactly while small, and in steps of a quarter when large', () => {
    const changes = (before: number, now: number): boolean => loadSteps(loadOf(before), loadOf(now)).steps.length > 0;
    expect([changes(0, 1), changes(1, 2), changes(4, 5), changes(4, 3), changes(1, 0)]).toEqual(Array(5).fill(true));
    expect([changes(0, 0), changes(3, 3), changes(40, 49), changes(40, 31)]).toEqual(Array(4).fill(false));
    expect([changes(40, 50), changes(40, 30), changes(40, 0)]).toEqual(Array(3).fill(true));
    expect(loadSteps(loadOf(40, 1), loadOf(41, 2)).steps).toHaveLength(1);
  });

  it('the loads of engines add up to what the receivers know, however slowly they change', () => {
    let sent = noLoads;
    for (let waiting = 0; waiting < 200; waiting += 1) {
      ({ sent } = loadSteps(sent, loadOf(waiting)));
      const { waiting: known } = sent.get(engineNumber('a')) ?? { waiting: 0 };
      expect(Math.abs(known - waiting)).toBeLessThan(Math.max(1, known / 4));
    }
    expect(loadSteps(sent, noLoads)).toEqual({
      steps: [[engineNumber('a'), { waiting: 0, foreign: 0 }]],
      sent: noLoads,
    });
  });

  it('the loads of engines make room for new engines before they are told', () => {
    const many = (name: string): EngineLoads =>
      engineLoads(Array.from({ length: MAX_LOADED_ENGINES }, (_, at) => engine(`${name}${at}`, 1)));
    let received = many('old');
    for (const [number, load] of loadSteps(many('old'), many('new')).steps) received = withLoad(received, number, load);
    expect(received).toEqual(many('new'));
    expect(withLoad(received, engineNumber('one more'), { waiting: 1, foreign: 0 }).size).toBe(MAX_LOADED_ENGINES);
  });
});
