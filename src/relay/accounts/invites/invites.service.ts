import { timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { createCredential, credentialDigest, parseCredential } from '../../../kernel/credential.js';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import { inviteIdOf, type AccountId, type InviteId } from '../../../kernel/ids.js';
import { AuditTrail } from '../audit/audit-trail.store.js';
import { RELAY_CONFIG, type RelayConfig } from '../../platform/config/relay-config.js';
import type { ClientOrigin } from '../../platform/http/client-origin.js';
import { lockAccount } from '../accounts.store.js';
import { RemovedPeopleStore } from '../users/removed-people.store.js';
import { CredentialsService } from '../credentials.service.js';
import { hasRole, higherRole, type Principal, type Role } from '../../platform/access/principal.js';
import { requireAcceptablePassword } from '../passwords/password.js';
import { PasswordHasher } from '../passwords/password-hasher.js';
import { AddressLimits } from '../../platform/limits/address-limits.js';
import { SignInService, type SignedIn } from '../sign-in/sign-in.service.js';
import type { NewUser } from '../sign-in/sign-up.service.js';
import { normalEmail } from '../users/email.js';
import { UsersStore } from '../users/users.store.js';
import { InvitesStore, type Invite, type InvitePreview, type OpenInvite } from './invites.store.js';

export interface IssuedInvite {
  readonly invite: Invite;
  /** Shown once, never stored. */
  readonly text: string;
}

@Injectable()
export class InvitesService {
  constructor(
    private readonly store: InvitesStore,
    private readonly users: UsersStore,
    private readonly hasher: PasswordHasher,
    private readonly limits: AddressLimits,
    private readonly signIns: SignInService,
    private readonly credentials: CredentialsService,
    private readonly removed: RemovedPeopleStore,
    private readonly audit: AuditTrail,
    @Inject(RELAY_CONFIG) private readonly config: RelayConfig,
  ) {}

  list(accountId: AccountId): Promise<readonly Invite[]> {
    return this.store.list(accountId);
  }

  /** @throws FerryError `sign_up_closed`, `insufficient_role` (a role above one's own), `recent_sign_in_needed`, `rate_limit_exceeded` */
  async create(actor: Principal, role: Role): Promise<IssuedInvite> {
    if (this.config.settings.signUp === 'closed') throw new FerryError('sign_up_closed');
    if (!hasRole(actor.role, role))
      throw new FerryError('insufficient_role', 'You cannot grant a role above your own.');
    await this.credentials.requireRecentSignIn(actor);
    const { accountId, userId } = actor;
    const credential = createCredential('invite');
    const id = inviteIdOf(credential.publicId);
    const invite = await this.users.transaction(async (manager) => {
      await this.credentials.requireStill(manager, actor, higherRole(role, 'admin'));
      const made = await this.store.insert(manager, accountId, {
        id,
        digest: credentialDigest(credential),
        role,
        createdBy: userId,
        lifetimeMs: this.config.settings.inviteLifetimeMs,
      });
      const object = { kind: 'invite', id };
      await this.audit.record(manager, { accountId, actor, action: 'invite.create', object, detail: { role } });
      return made;
    });
    return { invite, text: credential.text };
  }

  /** @throws FerryError `not_found`, `insufficient_role` */
  async revoke(actor: Principal, id: InviteId): Promise<Invite> {
    const { accountId } = actor;
    return this.users.transaction(async (manager) => {
      const invite = await this.store.delete(manager, accountId, id);
      if (invite === undefined) throw new FerryError('not_found', 'There is no open invite with this id.');
      // Rolls back, so the invite stays.
      if (!hasRole(actor.role, invite.role)) throw new FerryError('insufficient_role');
      await this.audit.record(manager, { accountId, actor, action: 'invite.revoke', object: { kind: 'invite', id } });
      return invite;
    });
  }

  /** Changes nothing. @throws FerryError `sign_up_closed`, `not_found`, `rate_limit_exceeded` */
  async preview(token: string, origin: ClientOrigin): Promise<InvitePreview> {
    if (this.config.settings.signUp === 'closed') throw new FerryError('sign_up_closed');
    this.limits.count('invite-preview', origin.ip);
    const { accountId, id } = await this.find(token);
    const preview = await this.store.preview(accountId, id);
    if (preview === undefined) throw noSuchInvite();
    return preview;
  }

  /** Creates the user. @throws FerryError `sign_up_closed`, `not_found`, `invalid_request`, `conflict`, `rate_limit_exceeded` */
  async accept(token: string, { email, password, name }: NewUser, origin: ClientOrigin): Promise<SignedIn> {
    if (this.config.settings.signUp === 'closed') throw new FerryError('sign_up_closed');
    this.limits.count('sign-up', origin.ip);
    requireAcceptablePassword(password, 'password');
    const { id, accountId, role } = await this.find(token);
    const address = normalEmail(email);
    const passwordHash = await this.hasher.hash(password);
    return this.users.transaction(async (manager) => {
      await lockAccount(manager, accountId);
      if (!(await this.store.use(manager, accountId, id))) throw noSuchInvite();
      if ((await this.users.count(manager, accountId)) >= this.config.settings.usersPerAccount) {
        throw new FerryError('conflict', 'The account has reached its limit of users.');
      }
      const newUser = { accountId, email: address, name: name ?? address, role, passwordHash };
      await this.removed.forget(manager, accountId, address);
      const user = await this.users.insert(manager, newUser);
      const entered = await this.signIns.enter(manager, user, origin);
      await this.audit.record(manager, {
        accountId,
        actor: entered.principal,
        action: 'invite.accept',
        object: { kind: 'invite', id },
        detail: { user_id: user.id, role },
        ...origin,
      });
      return entered;
    });
  }

  /** Checked before a password is hashed, which is costly. */
  private async find(token: string): Promise<OpenInvite & { readonly id: InviteId }> {
    const credential = parseCredential('invite', token);
    if (credential === undefined) throw noSuchInvite();
    const id = inviteIdOf(credential.publicId);
    const invite = await this.store.findOpen(id);
    if (invite === undefined || !timingSafeEqual(invite.digest, credentialDigest(credential))) throw noSuchInvite();
    return { ...invite, id };
  }
}

/** One message for unknown, used, expired and revoked invites. */
const noSuchInvite = (): FerryError =>
  new FerryError('not_found', 'This invite does not exist, has expired or was already used. Ask for a new one.');
