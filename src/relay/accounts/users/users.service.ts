import { Inject, Injectable } from '@nestjs/common';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import type { AccountId, UserId } from '../../../kernel/ids.js';
import { AuditTrail } from '../audit/audit-trail.store.js';
import { RELAY_CONFIG, type RelayConfig } from '../../platform/config/relay-config.js';
import type { Transaction } from '../accounts.store.js';
import { CredentialsService } from '../credentials.service.js';
import { ErasureStore, type Erasure } from './erasure.store.js';
import { RemovedPeopleStore } from './removed-people.store.js';
import { hasRole, type Principal, type Role } from '../../platform/access/principal.js';
import type { User } from './user.js';
import { UsersStore } from './users.store.js';

export interface UserChanges {
  readonly role?: Role | undefined;
  readonly disabled?: boolean | undefined;
  readonly name?: string | undefined;
}

/** User management for admins and owners. Each change reads the caller's role again under the lock: the caller may have just lost it. */
@Injectable()
export class UsersService {
  constructor(
    private readonly store: UsersStore,
    private readonly credentials: CredentialsService,
    private readonly removed: RemovedPeopleStore,
    private readonly erasure: ErasureStore,
    private readonly audit: AuditTrail,
    @Inject(RELAY_CONFIG) private readonly config: RelayConfig,
  ) {}

  list(accountId: AccountId): Promise<readonly User[]> {
    return this.store.list(accountId, this.config.settings.usersPerAccount);
  }

  /** Undefined for a credential without a user. */
  async self({ accountId, userId }: Principal): Promise<User | undefined> {
    return userId === null ? undefined : this.store.find(accountId, userId);
  }

  /**
   * A new role ends the user's sessions, and invites and join tokens that it may not give; disabling ends everything.
   * @throws FerryError `not_found`, `insufficient_role`, `invalid_credential`, `conflict` (the last owner)
   */
  async change(actor: Principal, id: UserId, changes: UserChanges): Promise<User> {
    const { accountId } = actor;
    return this.store.transaction(async (manager) => {
      const actorRole = await this.credentials.requireStill(manager, actor, 'admin');
      const user = await this.managed(manager, accountId, actorRole, id);
      const role = changes.role ?? user.role;
      if (!hasRole(actorRole, role))
        throw new FerryError('insufficient_role', 'You cannot grant a role above your own.');
      const disabled = changes.disabled ?? user.disabledAt !== null;
      const roleChanges = role !== user.role;
      const stateChanges = disabled !== (user.disabledAt !== null);
      const name = changes.name ?? user.name;
      if ((roleChanges || stateChanges) && (role !== 'owner' || disabled)) await this.keepAnOwner(manager, user);

      await this.store.update(manager, accountId, id, { role, name });
      await this.store.setDisabled(manager, accountId, id, disabled);
      if (disabled && stateChanges) await this.credentials.endAllOf(manager, accountId, id);
      else if (roleChanges) await this.credentials.endAbove(manager, accountId, id, role);

      const event = { accountId, actor, object: { kind: 'user', id } };
      if (roleChanges) {
        await this.audit.record(manager, { ...event, action: 'user.role', detail: { from: user.role, to: role } });
      }
      if (stateChanges) {
        await this.audit.record(manager, { ...event, action: disabled ? 'user.disable' : 'user.enable' });
      }
      if (name !== user.name) {
        await this.audit.record(manager, { ...event, action: 'user.rename', detail: { from: user.name, to: name } });
      }
      return (await this.store.find(accountId, id, manager)) ?? user;
    });
  }

  /** @throws FerryError as `change` */
  async remove(actor: Principal, id: UserId): Promise<User> {
    const { accountId } = actor;
    return this.store.transaction(async (manager) => {
      const actorRole = await this.credentials.requireStill(manager, actor, 'admin');
      const user = await this.managed(manager, accountId, actorRole, id);
      await this.keepAnOwner(manager, user);
      await this.removed.add(manager, accountId, user);
      // Foreign keys would delete the user's sessions and tokens, but not what the user has handed out.
      await this.credentials.endAllOf(manager, accountId, id);
      await this.store.delete(manager, accountId, id);
      await this.audit.record(manager, {
        accountId,
        actor,
        action: 'user.delete',
        object: { kind: 'user', id },
        detail: { email: user.email, role: user.role },
      });
      return user;
    });
  }

  /** Erases the name and address of a removed person. @throws FerryError `not_found`, `conflict` (the person is still in the account) */
  async erase(actor: Principal, id: UserId): Promise<Erasure> {
    const { accountId } = actor;
    return this.store.transaction(async (manager) => {
      await this.credentials.requireStill(manager, actor, 'owner');
      if ((await this.store.find(accountId, id, manager)) !== undefined)
        throw new FerryError('conflict', 'This user is still in the account. Remove the user first.');
      const erased = await this.erasure.erase(manager, accountId, id);
      if (erased === undefined) throw new FerryError('not_found', 'The account never had a user with this id.');
      const object = { kind: 'user', id };
      await this.audit.record(manager, {
        accountId,
        actor,
        action: 'user.erase',
        object,
        detail: { events: erased.events },
      });
      return erased;
    });
  }

  /** A user of the account whose role is not above the actor's. */
  private async managed(manager: Transaction, accountId: AccountId, actorRole: Role, id: UserId): Promise<User> {
    const user = await this.store.find(accountId, id, manager);
    if (user === undefined) throw new FerryError('not_found', 'There is no user with this id.');
    if (!hasRole(actorRole, user.role)) throw new FerryError('insufficient_role');
    return user;
  }

  /** An account without an owner could only be recovered on the server. */
  private async keepAnOwner(manager: Transaction, { accountId, id, role, disabledAt }: User): Promise<void> {
    if (role !== 'owner' || disabledAt !== null) return;
    if ((await this.store.countOtherOwners(manager, accountId, id)) > 0) return;
    throw new FerryError('conflict', 'This is the last owner of the account. Make another user an owner first.');
  }
}
