import { Inject, Injectable } from '@nestjs/common';
import { createCredential, credentialDigest } from '../../kernel/credential.js';
import { FerryError } from '../../kernel/errors/ferry-error.js';
import { apiKeyIdOf, type AccountId, type ClusterId } from '../../kernel/ids.js';
import { CredentialsService } from '../accounts/credentials.service.js';
import type { Principal } from '../platform/access/principal.js';
import { RELAY_CONFIG, type RelayConfig } from '../platform/config/relay-config.js';
import type { ApiKey } from './api-key.js';
import { ApiKeysStore, type KeyChange, type KeyPermit, type RolledKey, type SuccessorKey } from './api-keys.store.js';
import { noKeyLimits, type ApiKeyScope, type KeyLimits } from '../platform/access/caller.js';
import { roleNeeded, type Permission } from '../platform/access/permissions.js';
import { mayGrant, reachableOwner, type KeyOwner } from './key-owner.js';
import { KeyRevocations } from './key-revocations.js';

export interface KeyRequest {
  readonly name: string;
  /** Default: none. */
  readonly description?: string | null;
  readonly scopes: readonly ApiKeyScope[];
  /** null: every cluster of the account. */
  readonly clusterIds: readonly ClusterId[] | null;
  /** null: the key does not expire. */
  readonly lifetimeMs: number | null;
  /** Default: none. */
  readonly limits?: KeyLimits;
}

export interface CreatedKey {
  readonly key: ApiKey;
  /** The key itself, which is not stored. */
  readonly text: string;
}

/** A principal, or the relay itself. */
type KeyPrincipal = Principal | 'system';

const SHOWN_CHARACTERS = 4;

@Injectable()
export class KeysService {
  constructor(
    private readonly store: ApiKeysStore,
    private readonly revocations: KeyRevocations,
    private readonly credentials: CredentialsService,
    @Inject(RELAY_CONFIG) private readonly config: RelayConfig,
  ) {}

  /** Keys that are not revoked and that the manager may see, oldest first. */
  list(accountId: AccountId, principal: KeyPrincipal): Promise<readonly ApiKey[]> {
    return this.store.list(accountId, ownerFor(principal));
  }

  /**
   * @throws FerryError `cluster_not_found`, `insufficient_scope` (more than the manager may give), `invalid_credential`, or `invalid_request`
   * when the name is taken or the account is full.
   */
  async create(accountId: AccountId, request: KeyRequest, principal: KeyPrincipal): Promise<CreatedKey> {
    if (principal !== 'system' && !mayGrant(principal, request.scopes)) throw new FerryError('insufficient_scope');
    const { successor, text } = newCredential();
    const key = await this.store.insert(
      accountId,
      {
        ...request,
        ...successor,
        limits: request.limits ?? noKeyLimits,
        createdBy: principal === 'system' ? null : principal.userId,
      },
      // The relay itself needs a key to start, so its own are outside the limit.
      principal === 'system' ? Infinity : this.config.settings.apiKeysPerAccount,
      principal,
      this.permitOf(principal, 'keys:write'),
    );
    return { key, text };
  }

  /** Undefined when the manager has no such active key. @throws FerryError `invalid_request` when the name is taken. */
  async change(
    accountId: AccountId,
    idOrName: string,
    change: KeyChange,
    principal: KeyPrincipal,
  ): Promise<ApiKey | undefined> {
    const key = await this.store.change(accountId, ownerFor(principal), idOrName, change, principal);
    if (key !== undefined) this.revocations.announceChange({ accountId, keyPublicId: key.id });
    return key;
  }

  /**
   * A new key in place of an old one, which works on for the overlap; requests that run under it then still end by themselves
   * (docs/reference/security.md#api-keys). Undefined when the manager has no such active key. @throws FerryError `invalid_request`
   * (account is full), `invalid_credential`, `insufficient_role`
   */
  async roll(
    accountId: AccountId,
    idOrName: string,
    overlapMs: number,
    principal: KeyPrincipal,
  ): Promise<(RolledKey & { readonly text: string }) | undefined> {
    const { successor, text } = newCredential();
    const owner = ownerFor(principal);
    const permit = this.permitOf(principal, owner === null ? 'keys:manage' : 'keys:write');
    const rolled = await this.store.roll(
      accountId,
      owner,
      idOrName,
      { successor, overlapMs, permit },
      this.config.settings.apiKeysPerAccount,
      principal,
    );
    if (rolled === undefined) return undefined;
    this.revocations.announceChange({ accountId, keyPublicId: rolled.previous.id });
    return { ...rolled, text };
  }

  /** Takes the id or the name of a key that is not revoked yet; undefined when the manager has none such. */
  async revoke(accountId: AccountId, idOrName: string, principal: KeyPrincipal): Promise<ApiKey | undefined> {
    const key = await this.store.revoke(accountId, ownerFor(principal), idOrName, principal);
    if (key !== undefined) this.revocations.announce({ accountId, keyPublicId: key.id });
    return key;
  }

  /** A key outlives the request that makes it, so it is not made with a credential that has just ended. */
  private permitOf(principal: KeyPrincipal, permission: Permission): KeyPermit | undefined {
    return principal === 'system'
      ? undefined
      : (manager) => this.credentials.requireStill(manager, principal, roleNeeded(permission));
  }
}

const ownerFor = (principal: KeyPrincipal): KeyOwner => (principal === 'system' ? null : reachableOwner(principal));

function newCredential(): { readonly successor: SuccessorKey; readonly text: string } {
  const credential = createCredential('api-key');
  return {
    successor: {
      id: apiKeyIdOf(credential.publicId),
      digest: credentialDigest(credential),
      last4: credential.text.slice(-SHOWN_CHARACTERS),
    },
    text: credential.text,
  };
}
