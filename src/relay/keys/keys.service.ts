import { Inject, Injectable } from '@nestjs/common';
import { createCredential, credentialDigest } from '../../kernel/credential.js';
import { apiKeyIdOf, type AccountId, type ClusterId } from '../../kernel/ids.js';
import { RELAY_CONFIG, type RelayConfig } from '../platform/config/relay-config.js';
import { ApiKeysStore, type ApiKey } from './api-keys.store.js';
import type { ApiKeyScope } from './caller.js';
import { KeyRevocations } from './key-revocations.js';

export interface KeyRequest {
  readonly name: string;
  readonly scopes: readonly ApiKeyScope[];
  /** null: every cluster of the account. */
  readonly clusterIds: readonly ClusterId[] | null;
  /** null: the key does not expire. */
  readonly lifetimeMs: number | null;
}

export interface CreatedKey {
  readonly key: ApiKey;
  /** The key itself: shown to its creator this once. */
  readonly text: string;
}

const SHOWN_CHARACTERS = 4;

@Injectable()
export class KeysService {
  constructor(
    private readonly store: ApiKeysStore,
    private readonly revocations: KeyRevocations,
    @Inject(RELAY_CONFIG) private readonly config: RelayConfig,
  ) {}

  /** Keys that are not revoked, oldest first. */
  list(accountId: AccountId): Promise<readonly ApiKey[]> {
    return this.store.list(accountId);
  }

  /** @throws FerryError `cluster_not_found`, or `invalid_request` when the name is taken or the account is full. */
  async create(accountId: AccountId, request: KeyRequest): Promise<CreatedKey> {
    const credential = createCredential('api-key');
    const key = await this.store.insert(
      accountId,
      {
        ...request,
        id: apiKeyIdOf(credential.publicId),
        digest: credentialDigest(credential),
        last4: credential.text.slice(-SHOWN_CHARACTERS),
      },
      this.config.settings.apiKeysPerAccount,
    );
    return { key, text: credential.text };
  }

  /** Takes the id or the name of a key that is not revoked yet; undefined when the account has none such. */
  async revoke(accountId: AccountId, idOrName: string): Promise<ApiKey | undefined> {
    const key = await this.store.revoke(accountId, idOrName);
    if (key !== undefined) this.revocations.announce({ accountId, keyPublicId: key.id });
    return key;
  }
}
