import { timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import type { AccountId } from '../../../kernel/ids.js';
import { FixedWindow } from '../../platform/limits/fixed-window.js';
import { AuditTrail } from '../audit/audit-trail.store.js';
import { RELAY_CONFIG, type RelayConfig } from '../../platform/config/relay-config.js';
import type { ClientOrigin } from '../../platform/http/client-origin.js';
import { CliTokensService } from '../cli-tokens.service.js';
import { hasRole, type Principal, type Role } from '../../platform/access/principal.js';
import { CredentialsService } from '../credentials.service.js';
import { lockAccount } from '../accounts.store.js';
import { AddressLimits, tooManyTries } from '../../platform/limits/address-limits.js';
import type { User } from '../users/user.js';
import { AccountOwner } from '../users/account-owner.js';
import { UsersStore } from '../users/users.store.js';
import {
  createDeviceAuthorization,
  parseDeviceCode,
  parseUserCode,
  POLL_INTERVAL_SECONDS,
  type DeviceAuthorization,
} from './device-authorization.js';
import { DeviceLoginsStore, type PendingDeviceLogin } from './device-logins.store.js';

/** A second less than announced, for slow networks. */
const MIN_INTERVAL_MS = POLL_INTERVAL_SECONDS * 1_000 - 1_000;
/** Wrong codes of a person, over all their sessions and tokens, within the lifetime of a code: prevents guessing. */
const WRONG_CODES = { limit: 5, windowSeconds: 600 };

export type LoginDecision =
  | { readonly approve: false }
  | { readonly approve: true; /** Null: the approver's own. */ readonly role: Role | null };

export interface DeviceLoginResult {
  readonly accountId: AccountId;
  /** The new CLI token, which is not stored. */
  readonly text: string;
  readonly user: User;
}

/** `ferry login` on a machine without a browser (RFC 8628): a signed-in user approves a short code elsewhere. */
@Injectable()
export class DeviceLoginsService {
  private readonly wrongCodes = new FixedWindow(WRONG_CODES);

  constructor(
    private readonly store: DeviceLoginsStore,
    private readonly users: UsersStore,
    private readonly owner: AccountOwner,
    private readonly credentials: CredentialsService,
    private readonly cliTokens: CliTokensService,
    private readonly limits: AddressLimits,
    private readonly audit: AuditTrail,
    @Inject(RELAY_CONFIG) private readonly config: RelayConfig,
  ) {}

  /** @throws FerryError `rate_limit_exceeded`, `overloaded` */
  async start(clientName: string, origin: ClientOrigin): Promise<DeviceAuthorization> {
    this.limits.count('device-login', origin.ip);
    const started = createDeviceAuthorization('device-login');
    const stored = await this.store.insert({
      id: started.id,
      digest: started.digest,
      userCode: started.userCode,
      clientName,
      clientAddress: origin.ip,
      lifetimeMs: this.config.settings.deviceLoginLifetimeMs,
    });
    if (!stored) throw new FerryError('overloaded');
    return started;
  }

  /** The command line that waits with this code; undefined when none does. @throws FerryError `rate_limit_exceeded` */
  async find(actor: Principal, typed: string, origin: ClientOrigin): Promise<PendingDeviceLogin | undefined> {
    this.limits.count('device-approval', origin.ip);
    this.refuseGuessing(actor);
    const userCode = parseUserCode(typed);
    return userCode === undefined ? undefined : this.store.findPending(userCode);
  }

  /** After a code that nothing waits with: bounds how many a person can try. */
  countWrongCode(actor: Principal): void {
    this.wrongCodes.take(personOf(actor));
  }

  /** As `find`. @throws FerryError `not_found`, `rate_limit_exceeded` */
  async show(actor: Principal, typed: string, origin: ClientOrigin): Promise<PendingDeviceLogin> {
    const pending = await this.find(actor, typed, origin);
    if (pending === undefined) {
      this.countWrongCode(actor);
      throw noSuchCode();
    }
    return pending;
  }

  /**
   * @param role of the token; null: the approver's role
   * @throws FerryError `not_found`, `insufficient_role`, `recent_sign_in_needed`, `rate_limit_exceeded`
   */
  async decide(
    actor: Principal,
    typed: string,
    decision: LoginDecision,
    origin: ClientOrigin,
  ): Promise<PendingDeviceLogin> {
    return this.decidePending(actor, await this.show(actor, typed, origin), decision);
  }

  /** As `decide`, of a login that was found already. */
  async decidePending(
    actor: Principal,
    pending: PendingDeviceLogin,
    decision: LoginDecision,
  ): Promise<PendingDeviceLogin> {
    const { accountId } = actor;
    const role = (decision.approve ? decision.role : null) ?? actor.role;
    if (decision.approve) await this.mayApprove(actor, role, pending);
    await this.users.transaction(async (manager) => {
      const state = decision.approve ? 'approved' : 'denied';
      await this.credentials.requireStill(manager, actor, decision.approve ? role : 'member');
      // A command line is always somebody's: what the relay's token approves is the owner's.
      const userId = actor.userId ?? (decision.approve ? (await this.owner.ensure(manager, accountId)).id : null);
      if (!(await this.store.decide(manager, pending.userCode, state, { accountId, userId, role }))) throw noSuchCode();
      await this.audit.record(manager, {
        accountId,
        actor,
        action: decision.approve ? 'device-login.approve' : 'device-login.deny',
        object: { kind: 'device-login', id: pending.id },
        detail: { client: pending.clientName, client_address: pending.clientAddress, role },
      });
    });
    return pending;
  }

  /** Polled by the command line. @throws FerryError `authorization_pending`, `slow_down`, `expired_token`, `access_denied` */
  async token(deviceCode: string, origin: ClientOrigin): Promise<DeviceLoginResult> {
    const code = parseDeviceCode('device-login', deviceCode);
    if (code === undefined) throw new FerryError('expired_token');
    const login = await this.store.poll(code.id, MIN_INTERVAL_MS);
    if (login === undefined || !timingSafeEqual(login.digest, code.digest) || login.expired) {
      throw new FerryError('expired_token');
    }
    switch (login.state) {
      case 'denied':
        throw new FerryError('access_denied');
      case 'pending':
        throw new FerryError(login.tooSoon ? 'slow_down' : 'authorization_pending');
      case 'approved':
        return this.issue(code.id, login.accountId, origin);
      default:
        return login.state satisfies never;
    }
  }

  private async issue(id: string, accountId: AccountId | null, origin: ClientOrigin): Promise<DeviceLoginResult> {
    return this.users.transaction(async (manager) => {
      if (accountId !== null) await lockAccount(manager, accountId);
      const approval = await this.store.take(manager, id);
      // The credentials of the approver may have ended just now; then it is denied.
      if (approval === undefined || approval.accountId !== accountId) throw new FerryError('expired_token');
      const { userId, role, clientName } = approval;
      const user = await this.users.find(accountId, userId, manager);
      if (user === undefined || user.disabledAt !== null) throw new FerryError('access_denied');
      const lifetimeMs = this.config.settings.cliTokenLifetimeMs;
      const token = await this.cliTokens.issue(manager, accountId, { userId, role, name: clientName, lifetimeMs });
      await this.audit.record(manager, {
        accountId,
        actor: { userId, credential: { kind: 'cli-token', id: token.id, name: clientName } },
        action: 'cli-token.create',
        object: { kind: 'cli-token', id: token.id },
        detail: { role },
        ...origin,
      });
      return { accountId, text: token.text, user };
    });
  }

  /** Against phishing of codes: requires a recent sign-in, and grants at most the approver's role. */
  private async mayApprove(actor: Principal, role: Role, { userCode }: PendingDeviceLogin): Promise<void> {
    try {
      if (!hasRole(actor.role, role))
        throw new FerryError('insufficient_role', 'You cannot grant a role above your own.');
      await this.credentials.requireRecentSignIn(actor);
    } catch (error) {
      await this.store.countFailedTry(userCode);
      throw error;
    }
  }

  private refuseGuessing(actor: Principal): void {
    const waitSeconds = this.wrongCodes.peek(personOf(actor));
    if (waitSeconds !== undefined) throw tooManyTries(waitSeconds);
  }
}

const personOf = ({ userId, credential }: Principal): string => userId ?? credential.id;

const noSuchCode = (): FerryError =>
  new FerryError('not_found', 'There is no pending sign-in with this code: it is mistyped, expired or already used.');
