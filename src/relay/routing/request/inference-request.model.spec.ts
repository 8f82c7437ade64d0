/**
 * Any events in any order that the link can deliver: what must hold whatever happens
 * (docs/reference/request-lifecycle.md#one-owner-per-request, docs/reference/request-lifecycle.md#at-most-once).
 */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { HarnessClient } from '../../../../test/support/relay/harness-client.js';
import type { HarnessStream } from '../../../../test/support/relay/harness-stream.js';
import { InferenceHarness, nothingLeft } from '../../../../test/support/relay/inference.harness.js';
import { noKeyLimits } from '../../platform/access/caller.js';
import { rejectReasons } from '../../../link/messages.js';
import { slotsOf } from '../admission/occupancy.js';

const slots: Readonly<Record<string, number>> = { a: 1, b: 2, c: 1 };
const losses = ['node_disconnected', 'internal', 'timed_out', 'draining'] as const;
const outcomes = ['completed', 'failed', 'cancelled'] as const;

type Step = (harness: InferenceHarness) => void;

/** One event of the node, of those that the link lets through in this phase of the stream. */
function nodeActs(stream: HarnessStream | undefined, pick: number): void {
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
  { weight: 4, arbitrary: fc.boolean().map((stream) => (harness: InferenceHarness) => void harness.send({ stream })) },
  {
    weight: 12,
    arbitrary: fc.tuple(fc.nat(1_000), fc.nat(1_000)).map(([which, pick]) => (harness: InferenceHarness) => {
      nodeActs(at(harness.streams, which), pick);
    }),
  },
  {
    weight: 2,
    arbitrary: fc.nat(1_000).map((which) => (harness: InferenceHarness) => at(harness.clients, which)?.leave()),
  },
  {
    weight: 1,
    arbitrary: fc.nat(1_000).map((which) => (harness: InferenceHarness) => {
      at(harness.clients, which)?.request.abort('cancelled', 'invalid_credential', 'revoked', 'revoked');
    }),
  },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom(100, 600, 11_000, 31_000, 130_000, 1_000_000)
      .map((ms) => (harness: InferenceHarness) => {
        harness.pass(ms);
      }),
  },
  {
    weight: 2,
    arbitrary: fc.nat(1_000).map((which) => (harness: InferenceHarness) => {
      const node = at(harness.fleet.nodes, which)!;
      node.acceptsWork = !node.acceptsWork;
      harness.fleetChanged();
    }),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.nat(1_000), fc.constantFrom(5, 'missing', 'none'))
      .map(([which, how]) => (harness: InferenceHarness) => {
        const stopping = harness.streams.filter(({ onStopped }) => onStopped !== undefined);
        at(stopping, which)?.stopped(how as number | 'missing' | 'none');
      }),
  },
  {
    weight: 1,
    arbitrary: fc.nat(1_000).map((which) => (harness: InferenceHarness) => {
      const { name } = at(harness.fleet.nodes, which)!;
      if (!harness.brokenLinks.delete(name)) harness.brokenLinks.add(name);
    }),
  },
);

const isTerminal = (line: string): boolean => !line.startsWith('data: ');

function checkClient(client: HarnessClient, streams: readonly HarnessStream[]): void {
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

function checkLab(harness: InferenceHarness): void {
  const { live, occupancy, queue } = harness.context;
  let held = 0;
  for (const node of harness.fleet.nodes) {
    const [report] = [...node.models.values()];
    const busy = occupancy.busy({ nodeId: node.nodeId, engine: 'engine' });
    expect(busy).toBeLessThanOrEqual(slotsOf({ node, report: report! }));
    held += busy;
  }
  expect(occupancy.size).toBe(held);
  expect(live.size).toBe(held + queue.size);
  expect(harness.streams.filter(({ phase }) => phase !== 'closed')).toHaveLength(held);
  for (const client of harness.clients) checkClient(client, harness.streams);
}

test('one outcome, one slot, at most one second run, nothing after the end', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 60 }), (steps) => {
      const harness = new InferenceHarness({
        nodes: Object.fromEntries(Object.entries(slots).map(([name, count]) => [name, { slots: count }])),
        queueLimit: 4,
        confirming: true,
        accountLimits: { ...noKeyLimits, concurrency: 8, tokensPerMinute: 100_000 },
      });
      for (const act of steps) {
        act(harness);
        checkLab(harness);
      }
      for (const client of harness.clients) client.leave();
      checkLab(harness);
      for (const client of harness.clients) {
        expect(client.reports).toHaveLength(1);
        expect(client.bodyReleases).toBe(1);
      }
      for (const stream of harness.streams) stream.stopped('none');
      for (const { reports, confirmed } of harness.clients) {
        expect(confirmed).toHaveLength(reports[0]!.usagePending ? 1 : 0);
      }
      expect(harness.leftovers()).toEqual(nothingLeft);
    }),
    { numRuns: 300 },
  );
});

test('free slots and waiting requests never coexist', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(1_000), fc.nat(1_000)), { maxLength: 60 }), (acts) => {
      // A node that becomes suspect keeps its free slots to itself, and is meant to: no row of failures is long enough here.
      const harness = new InferenceHarness({
        nodes: { a: { slots: 1 }, b: { slots: 2 } },
        health: { healthFailureThreshold: 1_000 },
      });
      for (const [which, pick] of acts) {
        if (pick % 3 === 0) harness.send();
        else finish(at(harness.streams, which), pick);
        const free = 3 - harness.context.occupancy.size;
        expect(Math.min(free, harness.context.queue.size)).toBe(0);
      }
      for (const client of harness.clients) client.leave();
      expect(harness.leftovers()).toEqual(nothingLeft);
    }),
    { numRuns: 200 },
  );
});

/** Ends the stream one way or another, without refusing it or losing its node. */
function finish(stream: HarnessStream | undefined, pick: number): void {
  if (stream?.phase !== 'opened') return;
  stream.ack();
  if (pick % 2 === 0) stream.begin().end();
  else stream.end('failed');
}
