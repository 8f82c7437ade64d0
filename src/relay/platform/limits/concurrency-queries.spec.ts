/** Replicas that share a limit of running requests, and messages that take any time. */
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { ManualClock } from '../../../../test/support/clock/manual-clock.js';
import { createReplicaId, type AccountId, type ApiKeyId, type ReplicaId } from '../../../kernel/ids.js';
import { noKeyLimits, type KeyLimits } from '../access/caller.js';
import { ConcurrencyQueries } from './concurrency-queries.js';
import { LimitGossip, type SubjectUse } from './limit-gossip.js';
import type { Permit } from './permit.js';
import { RateLimits } from './rate-limits.js';

const TIMEOUT_MS = 500;

interface Message {
  readonly uses: readonly SubjectUse[];
  readonly question?: number;
  readonly answer?: number;
}

class Replica {
  readonly id: ReplicaId = createReplicaId();
  readonly limits: RateLimits;
  readonly running: Permit[] = [];
  refused = 0;
  waiting = 0;
  questions = 0;
  private readonly gossip: LimitGossip;
  private readonly exchange: ConcurrencyQueries;

  constructor(
    private readonly network: Network,
    private readonly key: KeyLimits,
  ) {
    this.exchange = new ConcurrencyQueries({
      others: () => network.othersOf(this),
      send: (subject, query) => {
        this.questions += 1;
        network.send(this, { uses: [{ name: subject.name, ...subject.shareRunning('question') }], question: query });
        return true;
      },
      timeoutMs: TIMEOUT_MS,
    });
    this.limits = new RateLimits(network.clock, noKeyLimits, this.exchange);
    this.gossip = new LimitGossip({
      rates: this.limits,
      clock: network.clock,
      intervalMs: 1_000,
      onUrgent: () => undefined,
    });
  }

  /** As a request does it. */
  start(asked = false): void {
    const request = { accountId: 'acc_1' as AccountId, keyPublicId: 'key_1' as ApiKeyId, limits: this.key };
    const responses = this.limits.queryFirst(request, asked);
    if (responses !== null) {
      this.waiting += 1;
      void responses.then(() => {
        this.waiting -= 1;
        this.start(true);
      });
      return;
    }
    try {
      const permit = this.limits.admit({ ...request, estimatedTokens: 0 });
      if (permit !== null) this.running.push(permit);
    } catch {
      this.refused += 1;
    }
  }

  endOne(): void {
    this.running.shift()?.end();
  }

  tell(): void {
    for (const uses of this.gossip.collect()) this.network.send(this, { uses });
  }

  receive(from: Replica, { uses, question: query, answer }: Message): void {
    this.gossip.apply(from.id, uses);
    this.exchange.onMessage(from.id);
    if (answer !== undefined) this.exchange.answered(from.id, answer);
    if (query === undefined) return;
    const running = this.gossip.runningOf(uses.map(({ name }) => name));
    this.network.send(this, { uses: running, answer: query }, from);
  }
}

/** Messages of each replica to each other one arrive in order, when the test says so. */
class Network {
  readonly clock = new ManualClock();
  readonly replicas: readonly Replica[];
  cut = false;
  private readonly ways = new Map<string, { readonly to: Replica; readonly deliver: () => void }[]>();

  constructor(count: number, concurrency: number) {
    this.replicas = Array.from({ length: count }, () => new Replica(this, { ...noKeyLimits, concurrency }));
  }

  at(index: number): Replica {
    return this.replicas[index % this.replicas.length]!;
  }

  get running(): number {
    return this.replicas.reduce((sum, { running }) => sum + running.length, 0);
  }

  othersOf(replica: Replica): ReplicaId[] {
    return this.replicas.filter((other) => other !== replica).map(({ id }) => id);
  }

  send(from: Replica, message: Message, to?: Replica): void {
    if (this.cut) return;
    for (const other of to === undefined ? this.replicas.filter((replica) => replica !== from) : [to]) {
      const name = `${from.id} ${other.id}`;
      const way = this.ways.get(name) ?? [];
      this.ways.set(name, way);
      way.push({
        to: other,
        deliver: () => {
          other.receive(from, message);
        },
      });
    }
  }

  deliver(choice: number): void {
    const waiting = [...this.ways.values()].filter(({ length }) => length > 0);
    waiting[choice % waiting.length]?.shift()?.deliver();
  }

  async settle(): Promise<void> {
    do {
      for (let message = 0; message < 100; message += 1) this.deliver(0);
      await turn();
    } while ([...this.ways.values()].some(({ length }) => length > 0));
  }
}

type Step = readonly [what: 'start' | 'end' | 'tell' | 'deliver', choice: number];

describe('a limit of running requests over several replicas', () => {
  it('is exceeded by at most one for each other replica, however late messages arrive', async () => {
    const step = fc.tuple(
      fc.constantFrom<Step[0]>('start', 'start', 'start', 'end', 'tell', 'deliver', 'deliver', 'deliver'),
      fc.nat(100),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 2, max: 5 }),
        fc.constantFrom(1, 2, 4, 20, 100),
        fc.array(step, { minLength: 20, maxLength: 250, size: 'max' }),
        async (count, limit, steps) => {
          const network = new Network(count, limit);
          for (const [what, choice] of steps) {
            if (what === 'start') network.at(choice).start();
            else if (what === 'end') network.at(choice).endOne();
            else if (what === 'tell') network.at(choice).tell();
            else {
              network.deliver(choice);
              await turn();
            }
            expect(network.running).toBeLessThanOrEqual(limit + count - 1);
          }
          await network.settle();
          expect(network.replicas.map(({ waiting }) => waiting)).toEqual(network.replicas.map(() => 0));
        },
      ),
      { numRuns: 40, endOnFailure: true },
    );
  });

  it.each([1, 4, 20, 200])('gives the whole limit of %i to a burst at one of them', async (limit) => {
    const network = new Network(3, limit);
    for (let request = 0; request < limit + 5; request += 1) network.at(0).start();
    await network.settle();
    expect([network.running, network.at(0).refused]).toEqual([limit, 5]);
  });

  it('asks nobody for one request after the other, nor far from the limit', () => {
    const network = new Network(3, 100);
    for (let request = 0; request < 10; request += 1) {
      network.at(0).start();
      network.at(0).endOne();
    }
    for (let request = 0; request < 4; request += 1) network.at(1).start();
    expect([network.running, network.at(0).questions, network.at(1).questions]).toEqual([4, 0, 0]);
  });

  it('a limit of running requests over several replicas does not refuse because of a request that has just ended elsewhere', async () => {
    const network = new Network(2, 1);
    network.at(0).start();
    network.at(0).tell();
    await network.settle();
    network.at(0).endOne();
    network.at(1).start();
    await network.settle();
    expect([network.at(1).running.length, network.at(1).refused]).toEqual([1, 0]);
  });

  it('a limit of running requests over several replicas is asked for once for all requests that wait', () => {
    const network = new Network(2, 4);
    for (let request = 0; request < 50; request += 1) network.at(0).start();
    expect([network.at(0).waiting, network.at(0).questions]).toEqual([49, 1]);
  });

  it('waits for nobody at the only replica', () => {
    const network = new Network(1, 4);
    for (let request = 0; request < 6; request += 1) network.at(0).start();
    expect([network.running, network.at(0).refused, network.at(0).questions]).toEqual([4, 2, 0]);
  });
});

describe('a replica that does not answer', () => {
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('a replica that does not answer is waited for once, until it is heard again', async () => {
    const network = new Network(2, 4);
    network.cut = true;
    for (let request = 0; request < 3; request += 1) network.at(0).start();
    expect(network.running).toBe(1);
    jest.advanceTimersByTime(TIMEOUT_MS);
    await turn();
    expect(network.running).toBe(3);
    network.at(0).start();
    expect([network.running, network.at(0).questions]).toEqual([4, 1]);

    network.cut = false;
    network.at(0).endOne();
    network.at(1).start();
    network.at(1).tell();
    await network.settle();
    network.at(0).start();
    expect(network.at(0).waiting).toBe(1);
  });
});
