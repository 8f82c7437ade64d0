/** Several replicas with one limit, and messages that take time. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ManualClock } from '../../../../test/support/clock/manual-clock.js';
import { createReplicaId, type AccountId, type ApiKeyId, type ReplicaId } from '../../../kernel/ids.js';
import { noKeyLimits, type KeyLimits } from '../access/caller.js';
import { LimitGossip, SUBJECTS_PER_MESSAGE } from './limit-gossip.js';
import type { Permit } from './permit.js';
import { RateLimits } from './rate-limits.js';

const INTERVAL_MS = 1_000;

class Replica {
  readonly id: ReplicaId = createReplicaId();
  readonly limits: RateLimits;
  readonly gossip: LimitGossip;
  urgent = false;

  constructor(
    clock: ManualClock,
    readonly key: Partial<KeyLimits>,
  ) {
    this.limits = new RateLimits(clock, noKeyLimits);
    this.gossip = new LimitGossip({
      rates: this.limits,
      clock,
      intervalMs: INTERVAL_MS,
      onUrgent: () => (this.urgent = true),
    });
  }

  /** null: refused. */
  admit(estimatedTokens = 0, key = 'key_1'): Permit | null {
    try {
      return this.limits.admit({
        accountId: 'acc_1' as AccountId,
        keyPublicId: key as ApiKeyId,
        limits: { ...noKeyLimits, ...this.key },
        estimatedTokens,
      });
    } catch {
      return null;
    }
  }
}

class Replicas {
  readonly clock = new ManualClock();
  readonly all: readonly Replica[];
  lost = false;

  constructor(count: number, key: Partial<KeyLimits>) {
    this.all = Array.from({ length: count }, () => new Replica(this.clock, key));
  }

  at(index: number): Replica {
    return this.all[index % this.all.length]!;
  }

  tell(from: Replica): void {
    from.urgent = false;
    for (const message of from.gossip.collect())
      for (const other of this.all) if (other !== from && !this.lost) other.gossip.apply(from.id, message);
  }

  tellUrgent(): void {
    for (const replica of this.all) if (replica.urgent) this.tell(replica);
  }

  second(): void {
    this.clock.advance(INTERVAL_MS);
    for (const replica of this.all) this.tell(replica);
  }
}

describe('a rate over three replicas', () => {
  it('a rate of 60 a minute over three replicas admits 60 to 66 requests of a burst, with a delay of two requests', () => {
    const replicas = new Replicas(3, { requestsPerMinute: 60 });
    let admitted = 0;
    for (let sent = 0; sent < 300; sent += 1) {
      if (replicas.at(sent).admit() !== null) admitted += 1;
      replicas.clock.advance(1);
      if (sent % 3 === 2) replicas.tellUrgent();
    }
    expect(admitted).toBeGreaterThanOrEqual(60);
    expect(admitted).toBeLessThanOrEqual(66);
  });

  it('a rate over three replicas is exceeded by one second of the rate per other replica in an even flow', () => {
    const replicas = new Replicas(3, { requestsPerMinute: 600 });
    let admitted = 0;
    for (let second = 0; second < 120; second += 1) {
      for (let sent = 0; sent < 60; sent += 1) if (replicas.at(sent).admit() !== null) admitted += 1;
      replicas.second();
    }
    // The burst, two minutes of the rate, and what the others do not know of.
    expect(admitted).toBeGreaterThanOrEqual(600 + 1_190);
    expect(admitted).toBeLessThanOrEqual(600 + 1_200 + 2 * 60);
  });

  it('a rate over three replicas is whole for a client of one replica', () => {
    const replicas = new Replicas(3, { requestsPerMinute: 60 });
    for (let sent = 0; sent < 60; sent += 1) expect(replicas.at(0).admit()).not.toBeNull();
    expect(replicas.at(0).admit()).toBeNull();
  });

  it('counts reserved tokens elsewhere, and returns what was not used', () => {
    const replicas = new Replicas(2, { tokensPerMinute: 6_000 });
    const permit = replicas.at(0).admit(6_000);
    replicas.second();
    expect(replicas.at(1).admit(200)).toBeNull();
    permit?.charge({ input_tokens: 10, output_tokens: 10 });
    replicas.second();
    expect(replicas.at(1).admit(200)).not.toBeNull();
  });

  it('holds at a replica that starts, which asks the others what was used', () => {
    const replicas = new Replicas(2, { requestsPerMinute: 60, tokensPerMinute: 6_000 });
    const [one, two] = [replicas.at(0), replicas.at(1)];
    for (let sent = 0; sent < 40; sent += 1) one.admit(sent === 0 ? 3_000 : 0);
    replicas.tell(one);
    for (let sent = 0; sent < 10; sent += 1) two.admit();
    const started = new Replica(replicas.clock, { requestsPerMinute: 60, tokensPerMinute: 6_000 });
    // Both know of the first forty; of the ten all are told anyway.
    for (const other of [one, two]) for (const message of other.gossip.debts()) started.gossip.inherit(message);
    for (const message of two.gossip.collect()) started.gossip.apply(two.id, message);
    let admitted = 0;
    while (started.admit() !== null) admitted += 1;
    expect(admitted).toBe(10);
    replicas.clock.advance(10_000);
    expect(started.admit(3_000)).not.toBeNull();
    expect(started.admit(3_000)).not.toBeNull();
    expect(started.admit()).toBeNull();
  });

  it('a rate over three replicas is told to a replica that starts in messages of bounded length, of those that owe something', () => {
    const replicas = new Replicas(1, { requestsPerMinute: 1 });
    for (let key = 0; key < SUBJECTS_PER_MESSAGE + 10; key += 1) replicas.at(0).admit(0, `key_${key}`);
    // What was used a moment ago all are told: it is not told twice.
    expect([...replicas.at(0).gossip.debts()]).toEqual([[]]);
    replicas.tell(replicas.at(0));
    expect([...replicas.at(0).gossip.debts()].map(({ length }) => length)).toEqual([SUBJECTS_PER_MESSAGE, 10]);
    replicas.clock.advance(60_000);
    expect([...replicas.at(0).gossip.debts()]).toEqual([[]]);
  });

  it('holds per replica while no message arrives', () => {
    const replicas = new Replicas(2, { requestsPerMinute: 10 });
    replicas.lost = true;
    for (let sent = 0; sent < 20; sent += 1) expect(replicas.at(sent).admit()).not.toBeNull();
    expect([replicas.at(0).admit(), replicas.at(1).admit()]).toEqual([null, null]);
  });
});

describe('concurrency over three replicas', () => {
  it('concurrency over three replicas is at most the limit once the others were told, and free again when a request ends', () => {
    const replicas = new Replicas(3, { concurrency: 2 });
    const first = replicas.at(0).admit();
    expect(replicas.at(0).urgent).toBe(true);
    replicas.tellUrgent();
    expect(replicas.at(1).admit()).not.toBeNull();
    replicas.tellUrgent();
    expect(replicas.all.map((replica) => replica.admit())).toEqual([null, null, null]);
    first?.end();
    replicas.tellUrgent();
    expect(replicas.at(2).admit()).not.toBeNull();
  });

  it('counts long requests for as long as their replica repeats them', () => {
    const replicas = new Replicas(2, { concurrency: 1 });
    replicas.at(0).admit();
    for (let second = 0; second < 10; second += 1) {
      replicas.second();
      expect(replicas.at(1).admit()).toBeNull();
    }
    replicas.lost = true;
    for (let second = 0; second < 3; second += 1) replicas.second();
    expect(replicas.at(1).admit()).not.toBeNull();
  });

  it('concurrency over three replicas is never exceeded when each request arrives after the message about the one before', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ at: fc.nat(2), ends: fc.boolean() }), { maxLength: 200 }), (steps) => {
        const replicas = new Replicas(3, { concurrency: 4 });
        const running: Permit[] = [];
        for (const { at, ends } of steps) {
          if (ends) running.shift()?.end();
          else running.push(...[replicas.at(at).admit()].filter((permit) => permit !== null));
          replicas.tellUrgent();
          expect(running.length).toBeLessThanOrEqual(4);
        }
      }),
    );
  });
});

describe('messages', () => {
  it('messages are bounded, and say nothing when nothing was used', () => {
    const replicas = new Replicas(2, { requestsPerMinute: 60_000 });
    for (let key = 0; key < 1_200; key += 1) replicas.at(0).admit(0, `key_${key}`);
    const messages = [...replicas.at(0).gossip.collect()];
    expect(messages.map(({ length }) => length)).toEqual([SUBJECTS_PER_MESSAGE, SUBJECTS_PER_MESSAGE, 200]);
    expect([...replicas.at(0).gossip.collect()]).toEqual([]);
  });

  it('messages are not repeated by those who receive them', () => {
    const replicas = new Replicas(2, { requestsPerMinute: 60 });
    replicas.at(0).admit();
    replicas.second();
    expect([...replicas.at(1).gossip.collect()]).toEqual([]);
  });
});
