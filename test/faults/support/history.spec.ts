/** Proves that the checker detects violations, by breaking each invariant. */
import { describe, expect, it } from '@jest/globals';
import { violationsOf, type ClientRecord, type History } from './history.js';

const marker = 'm-00000000-0000-0000-0000-000000000001';
const foreign = 'm-00000000-0000-0000-0000-000000000002';
const client: ClientRecord = {
  marker,
  requestId: 'req_1',
  status: 200,
  end: 'completed',
  code: null,
  text: `${marker}:1 `,
  startedAtMs: 0,
  endedAtMs: 0,
};
const run = { marker, engine: 'a', text: `${marker}:1 ` };
const sound: History = {
  clients: [client],
  runs: [run],
  requestLog: [{ requestId: 'req_1', outcome: 'completed', status: 200 }],
  retried: new Set(),
  accidents: [],
};

const broken: readonly [string, string, Partial<History>][] = [
  ['I1', 'a request without an outcome', { requestLog: [] }],
  ['I1', 'a request with two outcomes', { requestLog: [...sound.requestLog, ...sound.requestLog] }],
  [
    'I1',
    'an outcome that differs from that of its client',
    { requestLog: [{ requestId: 'req_1', outcome: 'failed', status: 200 }] },
  ],
  ['I1', 'an end that says nothing', { clients: [{ ...client, end: 'truncated' }] }],
  [
    'I1',
    'a request that no client made',
    { requestLog: [...sound.requestLog, { requestId: 'req_2', outcome: 'failed', status: 200 }] },
  ],
  ['I2', 'a second run that the log does not admit', { runs: [run, run] }],
  ['I2', 'a third run', { runs: [run, run, run], retried: new Set(['req_1']) }],
  ['I3', "another one's words", { clients: [{ ...client, text: `${foreign}:1 ` }] }],
  ['I3', 'a prompt that is nobody of this account', { runs: [run, { ...run, marker: foreign }] }],
  ['I4', 'an accident', { accidents: ['unhandledRejection'] }],
  ['I4', 'a 500', { requestLog: [{ requestId: 'req_1', outcome: 'completed', status: 500 }] }],
  ['I6', 'words that no engine sent', { clients: [{ ...client, text: `${marker}:2 ` }] }],
  ['I6', 'a whole answer that is none', { runs: [{ ...run, text: `${marker}:1 ${marker}:2 ` }] }],
];

describe('the history checker', () => {
  it('finds nothing in a correct history, even with a logged retry', () => {
    expect(violationsOf(sound)).toEqual([]);
    expect(violationsOf({ ...sound, runs: [{ ...run, text: '' }, run], retried: new Set(['req_1']) })).toEqual([]);
  });

  it('misses no line of a relay that was killed, unless the client saw an end that says nothing', () => {
    const killed: History = { ...sound, requestLog: [], unrecorded: new Set([marker]) };
    expect(violationsOf(killed)).toEqual([]);
    expect(violationsOf({ ...killed, clients: [{ ...client, end: 'truncated' }] })).toEqual([
      `I1 ${marker} ended without saying how`,
    ]);
  });

  it.each(broken)('detects a violation of %s: %s', (invariant, _what, fields) => {
    expect(violationsOf({ ...sound, ...fields }).map((line) => line.slice(0, 2))).toContain(invariant);
  });
});
