import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '../../../test/support/clock/manual-clock.js';
import { createAccountId } from '../../kernel/ids.js';
import { AccountChanges } from '../platform/api/account-changes.js';
import { PendingChanges } from './pending-changes.js';

const VALID_MS = 1_000;
const account = createAccountId();
const other = createAccountId();

function started(sent = true) {
  const clock = new ManualClock();
  const changes = new AccountChanges();
  return { clock, changes, toTell: new PendingChanges(changes, clock, () => sent) };
}

describe('changes for other replicas', () => {
  it('changes for other replicas are those of watched accounts, each topic once', () => {
    const { changes, toTell } = started();
    toTell.watch(account, VALID_MS);
    for (let times = 0; times < 3; times += 1) changes.publish(account, 'usage');
    changes.publish(account, 'nodes');
    changes.publish(other, 'nodes');
    expect(toTell.take()).toEqual([[account, ['usage', 'nodes']]]);
    expect(toTell.take()).toEqual([]);
  });

  it('changes for other replicas end when no replica repeats that it watches', () => {
    const { clock, changes, toTell } = started();
    toTell.watch(account, VALID_MS);
    clock.advance(VALID_MS - 1);
    toTell.watch(account, VALID_MS);
    clock.advance(VALID_MS - 1);
    toTell.expire();
    expect(changes.watched(account)).toBe(true);
    clock.advance(1);
    toTell.expire();
    expect(changes.watched(account)).toBe(false);
  });

  it('changes for other replicas do not include what another replica has told', () => {
    const { changes, toTell } = started(false);
    toTell.watch(account, VALID_MS);
    changes.publish(account, 'usage');
    expect(toTell.take()).toEqual([]);
  });
});
