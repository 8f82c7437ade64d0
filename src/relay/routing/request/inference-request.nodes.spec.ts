import { describe, test } from '@jest/globals';
import { alone, expectOutcome, five, whole, type OutcomeRow } from '../../../../test/support/relay/request-outcomes.js';

const rows: readonly OutcomeRow[] = [
  [
    'a stream that completes',
    (lab) => {
      lab.last.ack().begin().data('1').data('2').end();
    },
    { outcome: 'completed', seen: ['data: 1', 'data: 2', 'complete'], tries: ['a'] },
  ],
  [
    'a whole answer that completes',
    (lab) => {
      lab.last.ack().begin(4).data('ab', false).data('cd').end();
    },
    { outcome: 'completed', seen: ['data: ab', 'data: cd', 'complete'], tries: ['a'] },
    {},
    whole,
  ],
  // Refusals
  [
    'refused once as busy, done by the next',
    (lab) => {
      lab.last.reject('busy');
      lab.last.ack().begin().data().end();
    },
    { outcome: 'completed', seen: ['data: x', 'complete'], tries: ['a', 'b'] },
  ],
  [
    'refused three times, done by the fourth',
    (lab) => {
      for (const reason of ['draining', 'not_loaded', 'unsupported'] as const) lab.last.reject(reason);
      lab.last.ack().begin().data().end();
    },
    { outcome: 'completed', seen: ['data: x', 'complete'], tries: ['a', 'b', 'c', 'd'] },
    five,
  ],
  [
    'refused four times as busy',
    (lab) => {
      for (let refusal = 0; refusal < 4; refusal += 1) lab.last.reject('busy');
    },
    { outcome: 'rejected', seen: ['error: capacity'], tries: ['a', 'b', 'c', 'd'], status: 429 },
    five,
  ],
  [
    'the only node says its model is not loaded',
    (lab) => {
      lab.last.reject('not_loaded');
    },
    { outcome: 'rejected', seen: ['error: no_node_for_user'], tries: ['a'], status: 503 },
    alone,
  ],
  [
    'every node drains',
    (lab) => {
      lab.last.reject('draining');
      lab.last.reject('draining');
    },
    { outcome: 'rejected', seen: ['error: no_node_for_user'], tries: ['a', 'b'], status: 503 },
  ],
  [
    'the only node is busy for a moment more than the relay knows',
    (lab) => {
      lab.last.reject('busy');
      lab.pass(600);
      lab.last.ack().begin().data().end();
    },
    { outcome: 'completed', seen: ['data: x', 'complete'], tries: ['a', 'a'] },
    alone,
  ],
  [
    'the only node stays busy',
    (lab) => {
      for (let refusal = 0; refusal < 4; refusal += 1) {
        lab.last.reject('busy');
        lab.pass(600);
      }
    },
    { outcome: 'rejected', seen: ['error: capacity'], tries: ['a', 'a', 'a', 'a'], status: 429 },
    alone,
  ],
  [
    'the link closed between choice and OPEN',
    (lab) => {
      lab.last.ack().begin().data().end();
    },
    { outcome: 'completed', seen: ['data: x', 'complete'], tries: ['b'] },
    { nodes: { unreachable: {}, b: {} } },
  ],
  // Losses
  [
    'lost before ACK, done by another node',
    (lab) => {
      lab.last.lose();
      lab.last.ack().begin().data().end();
    },
    { outcome: 'completed', seen: ['data: x', 'complete'], tries: ['a', 'b'], retried: true },
  ],
  [
    'lost after ACK, done by another node',
    (lab) => {
      lab.last.ack().lose();
      lab.last.ack().begin().data().end();
    },
    { outcome: 'completed', seen: ['data: x', 'complete'], tries: ['a', 'b'], retried: true },
  ],
  [
    'lost after ACK, refused by a second node, done by a third',
    (lab) => {
      lab.last.ack().lose();
      lab.last.reject('draining');
      lab.last.ack().begin().data().end();
    },
    { outcome: 'completed', seen: ['data: x', 'complete'], tries: ['a', 'b', 'c'], retried: true },
    five,
  ],
  [
    'lost twice before the first event: no third run',
    (lab) => {
      lab.last.ack().lose();
      lab.last.ack().lose();
    },
    { outcome: 'failed', seen: ['error: node_disconnected'], tries: ['a', 'b'], retried: true, status: 503 },
    five,
  ],
  [
    'the only node is lost after ACK',
    (lab) => {
      lab.last.ack().lose();
    },
    { outcome: 'failed', seen: ['error: node_disconnected'], tries: ['a'], status: 503 },
    alone,
  ],
  [
    'lost after ACK while all others are gone',
    (lab) => {
      lab.fleet.nodes[1]!.acceptsWork = false;
      lab.last.ack().lose();
    },
    { outcome: 'failed', seen: ['error: node_disconnected'], tries: ['a'], status: 503 },
  ],
  [
    'lost after the head: never run again',
    (lab) => {
      lab.last.ack().begin().lose();
    },
    { outcome: 'failed', seen: ['error: node_disconnected'], tries: ['a'] },
  ],
  [
    'lost after the first event: never run again',
    (lab) => {
      lab.last.ack().begin().data().lose();
    },
    { outcome: 'failed', seen: ['data: x', 'error: node_disconnected'], tries: ['a'] },
  ],
  [
    'reset by its node before the first event',
    (lab) => {
      lab.last.ack().lose('internal');
      lab.last.ack().begin().data().end();
    },
    { outcome: 'completed', seen: ['data: x', 'complete'], tries: ['a', 'b'], retried: true },
  ],
  // The engine fails
  [
    'engine failure before the first event: no other node is tried',
    (lab) => {
      lab.last.ack().end('failed', { code: 'engine_error', message: 'out of memory' });
    },
    { outcome: 'failed', seen: ['error: engine_error'], tries: ['a'], status: 503 },
  ],
  [
    "an engine's own 4xx keeps its status",
    (lab) => {
      lab.last.ack().end('failed', { code: 'engine_rejected_request', status: 413, message: 'too long' });
    },
    { outcome: 'failed', seen: ['error: engine_rejected_request'], tries: ['a'], status: 413 },
  ],
  [
    'engine failure in the middle',
    (lab) => {
      lab.last.ack().begin().data().end('failed', { code: 'engine_error' });
    },
    { outcome: 'failed', seen: ['data: x', 'error: engine_error'], tries: ['a'] },
  ],
  [
    "the engine's own timeout",
    (lab) => {
      lab.last.ack().end('failed', { code: 'engine_timeout' });
    },
    { outcome: 'timed_out', seen: ['error: engine_timeout'], tries: ['a'], status: 503 },
  ],
  [
    'cancelled by the node itself',
    (lab) => {
      lab.last.ack().begin().data().end('cancelled');
    },
    { outcome: 'failed', seen: ['data: x', 'error: engine_error'], tries: ['a'] },
  ],
];

describe('exactly one outcome for every behaviour of nodes and engines', () => {
  test.each(rows)('%s', (...[, script, expected, options, body]: OutcomeRow) => {
    expectOutcome(script, expected, options, body);
  });
});
