import { describe, expect, it } from '@jest/globals';
import type { Schemas } from '../api/management-api.types';
import { goneNodes, isGone } from './gone-nodes';

const item = (
  code: Schemas['Attention']['code'],
  nodeId: string | null,
  since: string | null,
): Schemas['Attention'] => ({ code, node_id: nodeId, since, message: '', place: 'node', key_id: null });

describe('goneNodes', () => {
  const since = '2026-12-01T00:00:00Z';
  const gone = goneNodes([item('node_gone', 'nod_1', since), item('engine_problem', 'nod_2', since)]);

  it('are those that lost their connection', () => {
    expect([...gone]).toEqual([['nod_1', since]]);
  });

  it('are no longer those that have come back since', () => {
    expect(isGone(gone, { node_id: 'nod_1', online: false })).toBe(true);
    expect(isGone(gone, { node_id: 'nod_1', online: true })).toBe(false);
    expect(isGone(gone, { node_id: 'nod_2', online: false })).toBe(false);
  });
});
