import { beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock } from '../../../../test/support/clock/manual-clock.js';
import type { BusStatus } from '../bus/bus-transport.js';
import { KnownReplicas } from './known-replicas.js';

const OWN = 'https://relay-1/link';
const OTHER = 'https://relay-2/link';
const SETTLE_MS = 15_000;

describe('the replicas that nodes are told of', () => {
  let clock: ManualClock;
  let bus: { status: BusStatus };
  let table: { servingReplicas: number; linkAddresses: string[]; joins: number };
  let known: KnownReplicas;
  beforeEach(() => {
    clock = new ManualClock();
    bus = { status: 'connected' };
    table = { servingReplicas: 1, linkAddresses: [OTHER], joins: 1 };
    known = new KnownReplicas({ table, bus, clock, linkAddress: OWN, settleMs: SETTLE_MS });
  });
  const sent = (): [number, readonly string[]] => [known.count(), known.linkAddresses()];

  it('the replicas that nodes are told of are this one and those that serve requests', () => {
    expect(sent()).toEqual([2, [OWN, OTHER]]);
    Object.assign(table, { servingReplicas: 0, linkAddresses: [] });
    expect(sent()).toEqual([1, [OWN]]);
  });

  it('the replicas that nodes are told of repeat the address of workers, after all addresses have been named', () => {
    Object.assign(table, { servingReplicas: 3, linkAddresses: [OTHER, OWN, OTHER] });
    expect(sent()).toEqual([4, [OWN, OTHER, OWN, OTHER]]);
  });

  it('the replicas that nodes are told of are this one alone before the bus is connected', () => {
    bus.status = 'disconnected';
    Object.assign(table, { servingReplicas: 0, linkAddresses: [] });
    expect(sent()).toEqual([1, [OWN]]);
  });

  it('the replicas that nodes are told of stay the last known ones while the bus is down, and until the others are heard again', () => {
    expect(sent()).toEqual([2, [OWN, OTHER]]);
    bus.status = 'disconnected';
    Object.assign(table, { servingReplicas: 0, linkAddresses: [] });
    clock.advance(10 * SETTLE_MS);
    expect(sent()).toEqual([2, [OWN, OTHER]]);
    bus.status = 'connected';
    clock.advance(SETTLE_MS - 1);
    expect(sent()).toEqual([2, [OWN, OTHER]]);
    clock.advance(1);
    expect(sent()).toEqual([1, [OWN]]);
  });

  it('the replicas that nodes are told of are more at once after the bus was down', () => {
    bus.status = 'disconnected';
    known.count();
    bus.status = 'connected';
    table.servingReplicas = 2;
    expect(known.count()).toBe(3);
  });
});
