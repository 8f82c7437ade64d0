import { describe, expect, test } from '@jest/globals';
import { FakeNode, reportedModel } from '../../../../test/support/relay/routing-fleet.js';
import type { Considered } from '../selection/decision.js';
import { CandidateTable, candidateReasons, type RecordedCandidates } from './candidate-table.js';

const node = new FakeNode('a');
const considered = (changes: Partial<Considered> = {}): Considered => ({
  placement: { node, report: reportedModel() },
  reason: 'eligible',
  busy: 1,
  slots: 3,
  advertised: 4,
  cost: 1_234.5,
  parts: { queueMs: 0.25, prefillMs: 900, decodeMs: 400.4, linkMs: 20, affinityMs: -86 },
  ...changes,
});
describe('a candidate table', () => {
  test('returns every value and reason as recorded', () => {
    const table = new CandidateTable();
    const ill = candidateReasons.map((reason) => considered({ reason, cost: Infinity, parts: null }));
    const chosen = considered();
    const noted = table.note([...ill, chosen], chosen);
    const asNoted = ({ placement, ...values }: Considered) => ({
      nodeId: placement.node.nodeId,
      nodeName: placement.node.name,
      clusterId: placement.node.clusterId,
      ...values,
    });
    expect(noted?.read()).toEqual([...ill, chosen].map(asNoted));
  });

  test('keeps the first 64 of many, and the chosen one', () => {
    const chosen = considered({ busy: 2 });
    const many = [...Array.from({ length: 99 }, () => considered()), chosen];
    const noted = new CandidateTable().note(many, chosen);
    expect(noted?.count).toBe(65);
    expect(noted?.read().at(-1)).toMatchObject({ busy: 2 });
  });

  test('rejects a decision that does not fit, and loses none that it accepted', () => {
    const table = new CandidateTable();
    const taken: RecordedCandidates[] = [];
    for (let busy = 0; busy < 1_000; busy += 1) {
      const noted = table.note([considered({ busy }), considered({ busy })], null);
      if (noted === undefined) break;
      taken.push(noted);
    }
    expect(taken.length).toBeGreaterThan(100);
    expect(taken.length).toBeLessThan(1_000);
    expect(taken.map((noted) => noted.read().map(({ busy }) => busy))).toEqual(taken.map((_, busy) => [busy, busy]));
  });

  test('keeps the old name of a renamed node', () => {
    const table = new CandidateTable();
    const before = table.note([considered()], null);
    const renamed = Object.assign(new FakeNode('a'), { name: 'b' });
    const after = table.note([considered({ placement: { node: renamed, report: reportedModel() } })], null);
    expect([before, after].map((noted) => noted?.read()[0]?.nodeName)).toEqual(['a', 'b']);
  });
});
