/** The invariants that every interleaving of a request's events must satisfy. */
import { expect } from '@jest/globals';
import type { RequestOutcome } from '../../../src/relay/platform/http/request-context.js';
import type { HarnessClient } from './harness-client.js';
import { InferenceHarness, nothingLeft, type InferenceHarnessOptions } from './inference.harness.js';

interface Expected {
  readonly outcome: RequestOutcome;
  readonly seen: readonly string[];
  /** Node and command of each attempt. */
  readonly tries: readonly string[];
  readonly retried?: boolean;
  readonly status?: number;
}

type Script = (harness: InferenceHarness, client: HarnessClient) => void;
export type OutcomeRow = readonly [
  name: string,
  script: Script,
  expected: Expected,
  options?: InferenceHarnessOptions,
  body?: object,
];

export const alone: InferenceHarnessOptions = { nodes: { a: {} } };
export const five: InferenceHarnessOptions = { nodes: { a: {}, b: {}, c: {}, d: {}, e: {} } };
export const whole = { stream: false };

/** Exactly one outcome, nothing after it, nothing left behind. The link of a node named `unreachable` is broken, unknown to the registry. */
export function expectOutcome(
  script: Script,
  expected: Expected,
  options: InferenceHarnessOptions = {},
  body: object = {},
): void {
  const harness = new InferenceHarness(options);
  harness.brokenLinks.add('unreachable');
  const client = harness.send(body);
  script(harness, client);
  const seen = [...client.seen];

  // Late frames, and a client that disconnects only now, change nothing.
  for (const stream of [...harness.streams]) {
    stream.ack().begin().data('late').data('later', false).lose();
    stream.reject();
    stream.end();
  }
  client.leave();
  client.request.abort('failed', 'draining', 'late', 'draining');

  expect(seen).toEqual(expected.seen);
  expect(client.seen).toEqual(seen);
  expect(client.reports).toMatchObject([{ outcome: expected.outcome, retried: expected.retried ?? false }]);
  expect(
    harness.streams.map(({ node, resets }) => [node, ...resets.map((reason) => `reset ${reason}`)].join(' ')),
  ).toEqual(expected.tries);
  if (expected.status !== undefined) expect(client.error?.status).toBe(expected.status);
  expect(client.bodyReleases).toBe(1);
  expect(harness.leftovers()).toEqual(nothingLeft);
}
