import { expect, test } from '@jest/globals';
import { account, FakeNode, reportedModel } from '../../../../test/support/relay/routing-fleet.js';
import { createRequestId } from '../../../kernel/ids.js';
import { CandidateTable } from './candidate-table.js';
import type { RequestTrace } from './request-trace.js';
import { TraceTable } from './trace-table.js';

const candidates = new CandidateTable();

function traceOf(changes: Partial<RequestTrace> = {}): RequestTrace {
  const placement = { node: new FakeNode('a'), report: reportedModel() };
  const chosen = { placement, reason: 'eligible', busy: 0, slots: 1, advertised: 1, cost: 1.5, parts: null } as const;
  return {
    id: createRequestId(),
    accountId: account,
    model: 'tiny',
    dialect: 'chat',
    decidedAtWallMs: 1_750_000_000_000,
    decidedAtMs: 1_234.567,
    decisions: [
      {
        atMs: 1_234.567,
        candidates: candidates.note([chosen], chosen)!,
        considered: 1,
        placements: 70,
        chosen: placement.node.nodeId,
        reason: 'cheapest',
      },
    ],
    attempts: [
      { nodeId: placement.node.nodeId, nodeName: 'a', atMs: 1_235, result: 'completed', reason: null, hedge: false },
    ],
    outcome: 'completed',
    queuedMs: 0.25,
    position: null,
    bytes: 900,
    ...changes,
  };
}

/** With the candidates as they are read. */
const shown = (trace: RequestTrace | undefined): unknown =>
  trace && {
    ...trace,
    decisions: trace.decisions.map((decision) => ({ ...decision, candidates: decision.candidates.read() })),
  };

const [attempt] = traceOf().attempts;

test.each<[string, Partial<RequestTrace>]>([
  ['completed', {}],
  ['that waited', { position: 3, queuedMs: 1_500.5 }],
  ['that failed', { outcome: 'failed', attempts: [{ ...attempt!, result: 'failed', reason: 'engine_error' }] }],
  ['without an attempt', { outcome: 'rejected', attempts: [] }],
  ['with two attempts', { attempts: [{ ...attempt!, result: 'lost' }, attempt!] }],
])('a finished trace %s reads as before', (_what, changes) => {
  const table = new TraceTable();
  const trace = traceOf(changes);
  const before = shown(trace);
  table.finish(table.add(trace));
  expect(shown(table.find(trace.id))).toEqual(before);
});

test('traces are in the order of their beginning, finished or not', () => {
  const table = new TraceTable();
  const traces = [traceOf(), traceOf(), traceOf()];
  const [first, second] = traces.map((trace) => table.add(trace));
  table.finish(second!);
  table.finish(first!);
  expect([...table.all()].map(({ id }) => id)).toEqual(traces.map(({ id }) => id));
});

test('a table has a limit', () => {
  const table = new TraceTable();
  for (let row = 0; row < 512; row += 1) {
    expect(table.isFull).toBe(false);
    table.add(traceOf());
  }
  expect([table.size, table.isFull]).toEqual([512, true]);
});
