import { describe, test } from '@jest/globals';
import { alone, expectOutcome, whole, type OutcomeRow } from '../../../../test/support/relay/request-outcomes.js';

const rows: readonly OutcomeRow[] = [
  // The client leaves
  [
    'client gone before ACK',
    (_, client) => {
      client.leave();
    },
    { outcome: 'cancelled', seen: [], tries: ['a reset cancelled'] },
  ],
  [
    'client gone in prefill',
    (lab, client) => {
      lab.last.ack();
      client.leave();
    },
    { outcome: 'cancelled', seen: [], tries: ['a reset cancelled'] },
  ],
  [
    'client gone in decode',
    (lab, client) => {
      lab.last.ack().begin().data();
      client.leave();
    },
    { outcome: 'cancelled', seen: ['data: x'], tries: ['a reset cancelled'] },
  ],
  [
    'client gone while a whole answer is made',
    (lab, client) => {
      lab.last.ack();
      client.leave();
    },
    { outcome: 'cancelled', seen: [], tries: ['a reset cancelled'] },
    {},
    whole,
  ],
  [
    'client gone during the second run',
    (lab, client) => {
      lab.last.ack().lose();
      client.leave();
    },
    { outcome: 'cancelled', seen: [], tries: ['a', 'b reset cancelled'], retried: true },
  ],
  [
    'client gone after the end',
    (lab, client) => {
      lab.last.ack().begin().data().end();
      client.leave();
    },
    { outcome: 'completed', seen: ['data: x', 'complete'], tries: ['a'] },
  ],
  // Deadlines
  [
    'no ACK in time, done by another node',
    (lab) => {
      lab.pass(10_000);
      lab.last.ack().begin().data().end();
    },
    { outcome: 'completed', seen: ['data: x', 'complete'], tries: ['a reset failed_over', 'b'], retried: true },
  ],
  [
    'no ACK from anybody',
    (lab) => {
      lab.pass(10_000);
      lab.pass(10_000);
    },
    {
      outcome: 'timed_out',
      seen: ['error: engine_timeout'],
      tries: ['a reset failed_over', 'b reset timed_out'],
      retried: true,
      status: 503,
    },
  ],
  [
    'no ACK from the only node',
    (lab) => {
      lab.pass(10_000);
    },
    { outcome: 'timed_out', seen: ['error: engine_timeout'], tries: ['a reset failed_over'] },
    alone,
  ],
  [
    'no first event in time',
    (lab) => {
      lab.last.ack();
      lab.pass(900_000);
    },
    { outcome: 'timed_out', seen: ['error: engine_timeout'], tries: ['a reset timed_out'], status: 503 },
  ],
  [
    'a second run does not get the time of the first again',
    (lab) => {
      lab.last.ack();
      lab.pass(800_000);
      lab.last.lose();
      lab.last.ack();
      lab.pass(100_000);
    },
    { outcome: 'timed_out', seen: ['error: engine_timeout'], tries: ['a', 'b reset timed_out'], retried: true },
  ],
  [
    'a long prefill within the limit',
    (lab) => {
      lab.last.ack();
      lab.pass(890_000);
      lab.last.begin().data().end();
    },
    { outcome: 'completed', seen: ['data: x', 'complete'], tries: ['a'] },
  ],
  [
    'silence in the middle',
    (lab) => {
      lab.last.ack().begin().data();
      lab.clients[0]!.read();
      lab.pass(120_000);
    },
    { outcome: 'timed_out', seen: ['data: x', 'error: engine_timeout'], tries: ['a reset timed_out'] },
  ],
  [
    'slow but never silent',
    (lab) => {
      lab.last.ack().begin();
      for (let event = 0; event < 5; event += 1) {
        lab.pass(110_000);
        lab.last.data();
        lab.clients[0]!.read();
      }
      lab.last.end();
    },
    { outcome: 'completed', seen: [...Array<string>(5).fill('data: x'), 'complete'], tries: ['a'] },
  ],
  [
    'a node is not blamed for the silence that its client makes',
    (lab) => {
      lab.last.ack().begin().data('never read');
      lab.pass(200_000);
      lab.last.end();
    },
    { outcome: 'completed', seen: ['data: never read', 'complete'], tries: ['a'] },
  ],
  [
    'a stream that grows too old',
    (lab) => {
      lab.last.ack().begin();
      for (let event = 0; event < 60; event += 1) {
        lab.last.data();
        lab.clients[0]!.read();
        if (lab.context.live.size > 0) lab.pass(60_000);
      }
    },
    {
      outcome: 'timed_out',
      seen: [...Array<string>(60).fill('data: x'), 'error: engine_timeout'],
      tries: ['a reset timed_out'],
    },
  ],
  [
    'a whole answer may take longer than a first event',
    (lab) => {
      lab.last.ack();
      lab.pass(1_700_000);
      lab.last.begin(1).data().end();
    },
    { outcome: 'completed', seen: ['data: x', 'complete'], tries: ['a'] },
    {},
    whole,
  ],
  [
    'a whole answer that takes too long',
    (lab) => {
      lab.last.ack();
      lab.pass(1_800_000);
    },
    { outcome: 'timed_out', seen: ['error: engine_timeout'], tries: ['a reset timed_out'] },
    {},
    whole,
  ],
  // From outside
  [
    'the key is revoked in the middle',
    (lab, client) => {
      lab.last.ack().begin().data();
      client.request.abort('cancelled', 'invalid_credential', 'The API key was revoked.', 'revoked');
    },
    { outcome: 'cancelled', seen: ['data: x', 'error: invalid_credential'], tries: ['a reset revoked'] },
  ],
  [
    'the relay drains in prefill',
    (lab, client) => {
      lab.last.ack();
      client.request.abort('failed', 'draining', 'The relay is shutting down.', 'draining');
    },
    { outcome: 'failed', seen: ['error: draining'], tries: ['a reset draining'], status: 503 },
  ],
];

describe('exactly one outcome for every end of a request', () => {
  test.each(rows)('%s', (...[, script, expected, options, body]: OutcomeRow) => {
    expectOutcome(script, expected, options, body);
  });
});
