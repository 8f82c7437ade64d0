import { describe, test } from '@jest/globals';
import {
  alone,
  expectOutcome,
  five,
  last,
  whole,
  type OutcomeRow,
} from '../../../../test/support/relay/request-outcomes.js';

const rows: readonly OutcomeRow[] = [
  [
    'a stream that completes',
    (lab) => {
      last(lab).ack().begin().data('1').data('2').end();
    },
    { outcome: 'completed', seen: ['data: 1', 'data: 2', 'complete'], tries: ['a'] },
  ],
  [
    'a whole answer that completes',
    (lab) => {
      last(lab).ack().begin(4).data('ab', false).data('cd').end();
    },
    { outcome: 'completed', seen: ['data: ab', 'data: cd', 'complete'], tries: ['a'] },
    {},
    whole,
  ],
  // Refusals
  [
    'refused once as busy, done by the next',
    (lab) => {
      last(lab).reject('busy');
      last(lab).ack().begin().data().end();
    },
    { outcome: 'completed', seen: ['data: x', 'complete'], tries: ['a', 'b'] },
  ],
  [
    'refused three times, done by the fourth',
    (lab) => {
      for (const reason of ['draining', 'not_loaded', 'unsupported'] as const) last(lab).reject(reason);
      last(lab).ack().begin().data().end();
    },
    { outcome: 'completed', seen: ['data: x', 'complete'], tries: ['a', 'b', 'c', 'd'] },
    five,
  ],
  [
    'refused four times as busy',
    (lab) => {
      for (let refusal = 0; refusal < 4; refusal += 1) last(lab).reject('busy');
    },
    { outcome: 'rejected', seen: ['error: capacity'], tries: ['a', 'b', 'c', 'd'], status: 429 },
    five,
  ],
  [
    'the only node says its model is not loaded',
    (lab) => {
      last(lab).reject('not_loaded');
    },
    { outcome: 'rejected', seen: ['error: no_node_for_user'], tries: ['a'], status: 503 },
    alone,
  ],
  [
    'every node drains',
    (lab) => {
      last(lab).reject('draining');
      last(lab).reject('draining');
    },
    { outcome: 'rejected', seen: ['error: no_node_for_user'], tries: ['a', 'b'], status: 503 },
  ],
  [
    'the only node is busy for a moment more than the relay knows',
    (lab) => {
      last(lab).reject('busy');
      lab.pass(600);
      last(lab).ack().begin().data().end();
    },
    { outcome: 'completed', seen: ['data: x', 'complete'], tries: ['a', 'a'] },
    alone,
  ],
  [
    'the only node stays busy',
    (lab) => {
      for (let refusal = 0; refusal < 4; refusal += 1) {
        last(lab).reject('busy');
        lab.pass(600);
      }
    },
    { outcome: 'rejected', seen: ['error: capacity'], tries: ['a', 'a', 'a', 'a'], status: 429 },
    alone,
  ],
  [
    'the link closed between choice and OPEN',
    (lab) => {
      last(lab).ack().begin().data().end();
    },
    { outcome: 'completed', seen: ['data: x', 'complete'], tries: ['b'] },
    { nodes: { deaf: {}, b: {} } },
  ],
  // Losses
  [
    'lost before ACK, done by another node',
    (lab) => {
      last(lab).lose();
      last(lab).ack().begin().data().end();
    },
    { outcome: 'completed', seen: ['data: x', 'complete'], tries: ['a', 'b'], retried: true },
  ],
  [
    'lost after ACK, done by another node',
    (lab) => {
      last(lab).ack().lose();
      last(lab).ack().begin().data().end();
    },
    { outcome: 'completed', seen: ['data: x', 'complete'], tries: ['a', 'b'], retried: true },
  ],
  [
    'lost after ACK, refused by a second node, done by a third',
    (lab) => {
      last(lab).ack().lose();
      last(lab).reject('draining');
      last(lab).ack().begin().data().end();
    },
    { outcome: 'completed', seen: ['data: x', 'complete'], tries: ['a', 'b', 'c'], retried: true },
    five,
  ],
  [
    'lost twice before the first event: no third run',
    (lab) => {
      last(lab).ack().lose();
      last(lab).ack().lose();
    },
    { outcome: 'failed', seen: ['error: node_disconnected'], tries: ['a', 'b'], retried: true, status: 503 },
    five,
  ],
  [
    'the only node is lost after ACK',
    (lab) => {
      last(lab).ack().lose();
    },
    { outcome: 'failed', seen: ['error: node_disconnected'], tries: ['a'], status: 503 },
    alone,
  ],
  [
    'lost after ACK while all others are gone',
    (lab) => {
      lab.fleet.nodes[1]!.acceptsWork = false;
      last(lab).ack().lose();
    },
    { outcome: 'failed', seen: ['error: node_disconnected'], tries: ['a'], status: 503 },
  ],
  [
    'lost after the head: never run again',
    (lab) => {
      last(lab).ack().begin().lose();
    },
    { outcome: 'failed', seen: ['error: node_disconnected'], tries: ['a'] },
  ],
  [
    'lost after the first event: never run again',
    (lab) => {
      last(lab).ack().begin().data().lose();
    },
    { outcome: 'failed', seen: ['data: x', 'error: node_disconnected'], tries: ['a'] },
  ],
  [
    'reset by its node before the first event',
    (lab) => {
      last(lab).ack().lose('internal');
      last(lab).ack().begin().data().end();
    },
    { outcome: 'completed', seen: ['data: x', 'complete'], tries: ['a', 'b'], retried: true },
  ],
  // The engine fails
  [
    'engine failure before the first event: no other node is tried',
    (lab) => {
      last(lab).ack().end('failed', { code: 'engine_error', message: 'out of memory' });
    },
    { outcome: 'failed', seen: ['error: engine_error'], tries: ['a'], status: 503 },
  ],
  [
    "an engine's own 4xx keeps its status",
    (lab) => {
      last(lab).ack().end('failed', { code: 'engine_rejected_request', status: 413, message: 'too long' });
    },
    { outcome: 'failed', seen: ['error: engine_rejected_request'], tries: ['a'], status: 413 },
  ],
  [
    'engine failure in the middle',
    (lab) => {
      last(lab).ack().begin().data().end('failed', { code: 'engine_error' });
    },
    { outcome: 'failed', seen: ['data: x', 'error: engine_error'], tries: ['a'] },
  ],
  [
    "the engine's own timeout",
    (lab) => {
      last(lab).ack().end('failed', { code: 'engine_timeout' });
    },
    { outcome: 'timed_out', seen: ['error: engine_timeout'], tries: ['a'], status: 503 },
  ],
  [
    'cancelled by the node itself',
    (lab) => {
      last(lab).ack().begin().data().end('cancelled');
    },
    { outcome: 'failed', seen: ['data: x', 'error: engine_error'], tries: ['a'] },
  ],
];

describe('exactly one outcome for every behaviour of nodes and engines', () => {
  test.each(rows)('%s', (...[, script, expected, options, body]: OutcomeRow) => {
    expectOutcome(script, expected, options, body);
  });
});
