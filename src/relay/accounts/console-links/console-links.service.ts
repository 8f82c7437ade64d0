import { timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { createCredential, credentialDigest, parseCredential } from '../../../kernel/credential.js';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import { consoleLinkIdOf, type ConsoleLinkId } from '../../../kernel/ids.js';
import { AuditTrail } from '../audit/audit-trail.store.js';
import { AddressLimits } from '../../platform/limits/address-limits.js';
import type { Principal } from '../../platform/access/principal.js';
import type { ClientOrigin } from '../../platform/http/client-origin.js';
import { lockAccount } from '../accounts.store.js';
import { SignInService, type SignedIn } from '../sign-in/sign-in.service.js';
import { AccountOwner } from '../users/account-owner.js';
import { UsersStore } from '../users/users.store.js';
import { ConsoleLinksStore } from './console-links.store.js';

const LIFETIME_MS = 900_000;
/** Compared for an unknown id, so that it takes as long as a wrong secret. */
const NO_DIGEST = Buffer.alloc(32);

export interface IssuedConsoleLink {
  /** Shown once, never stored. */
  readonly text: string;
  readonly expiresAt: Date;
}

/** One-time links with which whoever started the relay signs in on the website without a password. */
@Injectable()
export class ConsoleLinksService {
  constructor(
    private readonly store: ConsoleLinksStore,
    private readonly users: UsersStore,
    private readonly owner: AccountOwner,
    private readonly signIns: SignInService,
    private readonly limits: AddressLimits,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Only for the relay's own token, which is on the relay's computer: the token of a person may have a lower role than they
   * have, and ends at a time, which a session from a link would evade.
   * @throws FerryError `insufficient_role`
   */
  async create(actor: Principal): Promise<IssuedConsoleLink> {
    const { accountId, userId, credential: caller } = actor;
    if (userId !== null || caller.kind !== 'cli-token') {
      throw new FerryError(
        'insufficient_role',
        'This requires the CLI token that `ferry up` stores on the computer of the relay.',
      );
    }
    const credential = createCredential('console-link');
    const id = consoleLinkIdOf(credential.publicId);
    return this.users.transaction(async (manager) => {
      const link = { id, tokenId: caller.id, digest: credentialDigest(credential), lifetimeMs: LIFETIME_MS };
      const expiresAt = await this.store.insert(manager, accountId, link);
      await this.audit.record(manager, { accountId, actor, action: 'console-link.create', object: objectOf(id) });
      return { text: credential.text, expiresAt };
    });
  }

  /** @throws FerryError `not_found` (unknown or expired), `link_used`, `rate_limit_exceeded` */
  async signIn(token: string, origin: ClientOrigin): Promise<SignedIn> {
    this.limits.count('sign-in', origin.ip);
    const credential = parseCredential('console-link', token);
    if (credential === undefined) throw noSuchLink();
    const id = consoleLinkIdOf(credential.publicId);
    const link = await this.store.find(id);
    const matches = timingSafeEqual(link?.digest ?? NO_DIGEST, credentialDigest(credential));
    if (link === undefined || !matches) throw noSuchLink();
    if (link.used) throw usedLink();
    const { accountId } = link;
    return this.users.transaction(async (manager) => {
      await lockAccount(manager, accountId);
      if (!(await this.store.use(manager, accountId, id))) throw usedLink();
      const entered = await this.signIns.enter(manager, await this.owner.ensure(manager, accountId), origin);
      const actor = entered.principal;
      const event = { accountId, actor, action: 'console-link.use', object: objectOf(id), ...origin };
      await this.audit.record(manager, event);
      return entered;
    });
  }
}

const objectOf = (id: ConsoleLinkId) => ({ kind: 'console-link', id });

/** One message for unknown, expired and malformed links. */
const noSuchLink = (): FerryError =>
  new FerryError('not_found', 'This link does not exist or has expired. Run `ferry up` again for a new one.');

const usedLink = (): FerryError => new FerryError('link_used', 'This link has already been used.');
