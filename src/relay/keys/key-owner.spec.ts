import { describe, expect, it } from '@jest/globals';
import type { UserId } from '../../kernel/ids.js';
import { reachableOwner } from './key-owner.js';

const ann = 'usr_ann' as UserId;

describe('the keys that a credential reaches', () => {
  it('the keys that a credential reaches are all of the account for admins and owners, and for the relay itself', () => {
    expect(reachableOwner({ role: 'admin', userId: ann })).toBeNull();
    expect(reachableOwner({ role: 'owner', userId: null })).toBeNull();
  });

  it('the keys that a credential reaches are their own for a member', () => {
    expect(reachableOwner({ role: 'member', userId: ann })).toBe(ann);
  });

  it('the keys that a credential reaches are never all of them for a member who is nobody', () => {
    expect(() => reachableOwner({ role: 'member', userId: null })).toThrow(
      expect.objectContaining({ code: 'insufficient_role' }),
    );
  });
});
