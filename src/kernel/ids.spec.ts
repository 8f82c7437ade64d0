import { describe, expect, it } from '@jest/globals';
import { systemClock } from './clock.js';
import { createReplicaId, createRequestId, isReplicaId, mayHaveServed, requestIdsOf, type ReplicaId } from './ids.js';

describe('ids of requests', () => {
  it('ids of requests name their replica in the shape of any request id', () => {
    const replica = 'rep_7f000000000000000000000000000000' as ReplicaId;
    const create = requestIdsOf(replica);
    const ids = Array.from({ length: 1_000 }, create);
    for (const id of ids) expect(id).toMatch(/^req_7f[0-9a-f]{30}$/);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every((id) => mayHaveServed(replica, id))).toBe(true);
  });

  it('resolve to another replica when they begin with its digits', () => {
    const create = requestIdsOf('rep_7f000000000000000000000000000000' as ReplicaId);
    expect(mayHaveServed('rep_80000000000000000000000000000000' as ReplicaId, create())).toBe(false);
    expect(mayHaveServed('rep_7fffffffffffffffffffffffffffffff' as ReplicaId, create())).toBe(true);
  });

  it('sort by the time of their creation', () => {
    let wallMs = 1_795_000_000_000;
    const create = requestIdsOf(createReplicaId(), { ...systemClock, wallMs: () => wallMs });
    const ids = [0, 1, 254, 1, 70_000, 10 ** 12].map((passedMs) => {
      wallMs += passedMs;
      return create();
    });
    expect(ids.toSorted()).toEqual(ids);
  });

  it('ids of requests begin with random digits when no replica is named', () => {
    const firstBytes = new Set(Array.from({ length: 1_000 }, () => createRequestId().slice(4, 6)));
    expect(firstBytes.size).toBeGreaterThan(100);
  });
});

describe('the id of a replica', () => {
  it('the id of a replica is recognised in no other shape', () => {
    const id = createReplicaId();
    expect(isReplicaId(id)).toBe(true);
    for (const text of ['', 'rep_', `${id}0`, id.toUpperCase(), `${id}.>`, id.replace('rep', 'req')])
      expect(isReplicaId(text)).toBe(false);
  });
});
