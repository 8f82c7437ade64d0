/**
 * Any events in any order that the link can deliver: what must hold whatever happens
 * (docs/reference/request-lifecycle.md#one-owner-per-request, docs/reference/request-lifecycle.md#at-most-once).
 */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Lab, nothingLeft, type LabClient, type LabStream } from '../../../../test/support/relay/inference.harness.js';
import { noKeyLimits } from '../../platform/access/caller.js';
import { rejectReasons } from '../../../link/messages.js';
import { slotsOf } from '../selection/choice.js';

const slots: Readonly<Record<string, number>> = { a: 1, b: 2, c: 1 };
const losses = ['node_disconnected', 'internal', 'timed_out', 'draining'] as const;
const outcomes = ['completed', 'failed', 'cancelled'] as const;

type Step = (lab: Lab) => void;

/** One event of the node, of those that the link lets through in this phase of the stream. */
function nodeActs(stream: LabStream | undefined, pick: number): void {
  switch (stream?.phase) {
    case 'opened':
      if (pick % 3 === 0) stream.reject(rejectReasons[pick % rejectReasons.length]);
      else if (pick % 7 === 1) stream.lose(losses[pick % losses.length]);
      else stream.ack();
      return;
    case 'acknowledged':
      if (pick % 5 === 0) stream.lose(losses[pick % losses.length]);
      else if (pick % 7 === 1) stream.end('failed');
      else stream.begin();
      return;
    case 'answering':
      if (pick % 9 === 0) stream.lose();
      else if (pick % 4 === 1) stream.end(outcomes[pick % outcomes.length]);
      else stream.data(String(pick), pick % 2 === 0);
      return;
    case 'closed':
      // The link lets nothing through any more; were it to, nobody must notice.
      stream.data('late');
      stream.handler.onLost('internal');
      return;
    case undefined:
  }
}

const at = <Item>(items: readonly Item[], index: number): Item | undefined => items[index % Math.max(1, items.length)];

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.boolean().map((stream) => (lab: Lab) => void lab.send({ stream })) },
  {
    weight: 12,
    arbitrary: fc.tuple(fc.nat(1_000), fc.nat(1_000)).map(([which, pick]) => (lab: Lab) => {
      nodeActs(at(lab.streams, which), pick);
    }),
  },
  { weight: 2, arbitrary: fc.nat(1_000).map((which) => (lab: Lab) => at(lab.clients, which)?.leave()) },
  {
    weight: 1,
    arbitrary: fc.nat(1_000).map((which) => (lab: Lab) => {
      at(lab.clients, which)?.request.abort('cancelled', 'invalid_credential', 'revoked', 'revoked');
    }),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom(100, 600, 11_000, 31_000, 130_000, 1_000_000).map((ms) => (lab: Lab) => {
      lab.pass(ms);
    }),
  },
  {
    weight: 2,
    arbitrary: fc.nat(1_000).map((which) => (lab: Lab) => {
      const node = at(lab.fleet.nodes, which)!;
      node.acceptsWork = !node.acceptsWork;
      lab.fleetChanged();
    }),
  },
  {
    weight: 3,
    arbitrary: fc.tuple(fc.nat(1_000), fc.constantFrom(5, 'missing', 'none')).map(([which, how]) => (lab: Lab) => {
      const stopping = lab.streams.filter(({ onStopped }) => onStopped !== undefined);
      at(stopping, which)?.stopped(how as number | 'missing' | 'none');
    }),
  },
  {
    weight: 1,
    arbitrary: fc.nat(1_000).map((which) => (lab: Lab) => {
      const { name } = at(lab.fleet.nodes, which)!;
      if (!lab.deaf.delete(name)) lab.deaf.add(name);
    }),
  },
);

const isTerminal = (line: string): boolean => !line.startsWith('data: ');

function checkClient(client: LabClient, streams: readonly LabStream[]): void {
  expect(client.reports.length).toBeLessThanOrEqual(1);
  const [report] = client.reports;
  const own = streams.filter(({ head }) => head.request_id === client.request.routed.context.requestId);
  // Streams that were not refused may have run the prompt.
  expect(own.filter(({ refused }) => !refused).length).toBeLessThanOrEqual(2);
  if (report !== undefined) expect(report.attempts).toBeGreaterThanOrEqual(own.length);
  expect(own.filter(({ phase }) => phase !== 'closed').length).toBeLessThanOrEqual(report === undefined ? 1 : 0);
  const terminals = client.seen.filter(isTerminal);
  expect(terminals.length).toBeLessThanOrEqual(1);
  if (terminals.length === 1) {
    expect(isTerminal(client.seen.at(-1)!)).toBe(true);
    expect(report?.outcome === 'completed').toBe(terminals[0] === 'complete');
  }
  expect(client.bodyReleases).toBeLessThanOrEqual(1);
}

function checkLab(lab: Lab): void {
  const { live, occupancy, queue } = lab.context;
  let held = 0;
  for (const node of lab.fleet.nodes) {
    const [report] = [...node.models.values()];
    const busy = occupancy.busy({ nodeId: node.nodeId, engine: 'engine' });
    expect(busy).toBeLessThanOrEqual(slotsOf({ node, report: report! }));
    held += busy;
  }
  expect(occupancy.size).toBe(held);
  expect(live.size).toBe(held + queue.size);
  expect(lab.streams.filter(({ phase }) => phase !== 'closed')).toHaveLength(held);
  for (const client of lab.clients) checkClient(client, lab.streams);
}

test('one outcome, one slot, at most one second run, silence after the end', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 60 }), (steps) => {
      const lab = new Lab({
        nodes: Object.fromEntries(Object.entries(slots).map(([name, count]) => [name, { slots: count }])),
        queueLimit: 4,
        confirming: true,
        accountLimits: { ...noKeyLimits, concurrency: 8, tokensPerMinute: 100_000 },
      });
      for (const act of steps) {
        act(lab);
        checkLab(lab);
      }
      for (const client of lab.clients) client.leave();
      checkLab(lab);
      for (const client of lab.clients) {
        expect(client.reports).toHaveLength(1);
        expect(client.bodyReleases).toBe(1);
      }
      for (const stream of lab.streams) stream.stopped('none');
      for (const { reports, confirmed } of lab.clients) {
        expect(confirmed).toHaveLength(reports[0]!.usagePending ? 1 : 0);
      }
      expect(lab.leftovers()).toEqual(nothingLeft);
    }),
    { numRuns: 300 },
  );
});

test('free slots and waiting requests never stand side by side', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(1_000), fc.nat(1_000)), { maxLength: 60 }), (acts) => {
      // A node that becomes suspect keeps its free slots to itself, and is meant to: no row of failures is long enough here.
      const lab = new Lab({ nodes: { a: { slots: 1 }, b: { slots: 2 } }, health: { healthFailureThreshold: 1_000 } });
      for (const [which, pick] of acts) {
        if (pick % 3 === 0) lab.send();
        else finish(at(lab.streams, which), pick);
        const free = 3 - lab.context.occupancy.size;
        expect(Math.min(free, lab.context.queue.size)).toBe(0);
      }
      for (const client of lab.clients) client.leave();
      expect(lab.leftovers()).toEqual(nothingLeft);
    }),
    { numRuns: 200 },
  );
});

/** Ends the stream one way or another, without refusing it or losing its node. */
function finish(stream: LabStream | undefined, pick: number): void {
  if (stream?.phase !== 'opened') return;
  stream.ack();
  if (pick % 2 === 0) stream.begin().end();
  else stream.end('failed');
}
