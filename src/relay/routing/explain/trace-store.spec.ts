import { describe, expect, it } from '@jest/globals';
import { account, FakeNode, reportedModel } from '../../../../test/support/relay/routing-fleet.js';
import { createRequestId, type RequestId } from '../../../kernel/ids.js';
import type { RecordedCandidates } from './candidate-table.js';
import { TraceStore, type OpenTrace } from './trace-store.js';

const REQUESTS = 2_048;

const store = (): TraceStore => new TraceStore({ explainedRequests: REQUESTS, explainedBytes: Infinity });

/** A whole request on a node of the given name. In the order of the decision log: candidates first. */
function request(
  traces: TraceStore,
  nodeName: string,
  finished = true,
): { id: RequestId; noted: RecordedCandidates; open: OpenTrace } {
  const placement = { node: Object.assign(new FakeNode('a'), { name: nodeName }), report: reportedModel() };
  const chosen = { placement, reason: 'eligible', busy: 0, slots: 1, advertised: 1, cost: 1.5, parts: null } as const;
  const candidates = traces.noteCandidates([chosen], chosen);
  const trace = {
    id: createRequestId(),
    accountId: account,
    model: 'tiny',
    dialect: 'chat' as const,
    decidedAtWallMs: 1,
    decidedAtMs: 1,
    decisions: [
      { atMs: 1, candidates, considered: 1, placements: 1, chosen: placement.node.nodeId, reason: 'cheapest' },
    ],
    attempts: [
      {
        nodeId: placement.node.nodeId,
        nodeName,
        atMs: 1,
        result: 'completed' as const,
        reason: null,
        hedge: false,
      },
    ],
    outcome: 'completed' as const,
    queuedMs: 0,
    position: null,
    bytes: 900,
  };
  const open = traces.add(trace);
  if (finished) traces.finish(open);
  return { id: trace.id, noted: candidates, open };
}

const candidatesOf = (traces: TraceStore, id: RequestId): string[] | undefined =>
  traces.find(id)?.decisions.flatMap(({ candidates }) => candidates.read().map(({ nodeName }) => nodeName));

describe('the traces of the latest requests', () => {
  it('the traces of the latest requests keep their candidates for as long as they are found, while tables are used again', () => {
    const traces = store();
    const ids: RequestId[] = [];
    for (let index = 0; index < 4 * REQUESTS; index += 1) {
      ids.push(request(traces, `node ${index}`).id);
      // Also where a generation begins or ends.
      if (index % 97 !== 0 && index % (REQUESTS / 2) > 1) continue;
      const [oldest] = [...traces.all()];
      expect(candidatesOf(traces, oldest!.id)).toEqual([`node ${ids.indexOf(oldest!.id)}`]);
    }
    expect([...traces.all()].map(({ id }) => id)).toEqual(ids.slice(-traces.size));
  });

  it('the traces of the latest requests show no candidates of other requests once they are dropped', () => {
    const traces = store();
    const { id, noted } = request(traces, 'mine');
    expect(noted.read().map(({ nodeName }) => nodeName)).toEqual(['mine']);
    for (let index = 0; index < 3 * REQUESTS; index += 1) request(traces, 'theirs');
    expect(traces.find(id)).toBeUndefined();
    expect(noted.read()).toEqual([]);
  });

  it('the traces of the latest requests are not disturbed by a request that ends after its generation was dropped', () => {
    const traces = store();
    const { id, open } = request(traces, 'slow', false);
    for (let index = 0; index < 3 * REQUESTS; index += 1) request(traces, 'quick');
    traces.finish(open);
    expect(traces.find(id)).toBeUndefined();
    expect(new Set([...traces.all()].map((trace) => candidatesOf(traces, trace.id)?.join()))).toEqual(
      new Set(['quick']),
    );
  });
});
