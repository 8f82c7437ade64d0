import { Inject, Injectable } from '@nestjs/common';
import { createCredential, credentialDigest } from '../../kernel/credential.js';
import { FerryError } from '../../kernel/errors/ferry-error.js';
import {
  createJoinTokenId,
  isJoinTokenId,
  type AccountId,
  type ClusterId,
  type JoinTokenId,
} from '../../kernel/ids.js';
import { CredentialsService } from '../accounts/credentials.service.js';
import type { Principal } from '../platform/access/principal.js';
import { RELAY_CONFIG, type RelayConfig } from '../platform/config/relay-config.js';
import { ClusterDirectory } from './cluster-directory.js';
import { ClustersService } from './clusters.service.js';
import { JoinTokensStore, type OpenJoinToken } from './join-tokens.store.js';

export interface IssuedJoinToken {
  readonly id: JoinTokenId;
  /** The text is shown once and never stored. */
  readonly text: string;
  readonly clusterId: ClusterId;
  readonly expiresAt: Date;
}

const OPEN_TOKENS_PER_ACCOUNT = 100;

@Injectable()
export class JoinTokensService {
  constructor(
    private readonly store: JoinTokensStore,
    private readonly clusters: ClustersService,
    private readonly directory: ClusterDirectory,
    private readonly credentials: CredentialsService,
    @Inject(RELAY_CONFIG) private readonly config: RelayConfig,
  ) {}

  /** Oldest first. */
  list(accountId: AccountId): Promise<readonly OpenJoinToken[]> {
    return this.store.list(accountId);
  }

  /** @throws FerryError `not_found` */
  async revoke(actor: Principal, id: string): Promise<OpenJoinToken> {
    const revoked = isJoinTokenId(id) ? await this.store.delete(actor.accountId, id, actor) : undefined;
    if (revoked === undefined) throw new FerryError('not_found', 'There is no unused join token with this id.');
    return revoked;
  }

  /**
   * @param requested null for the default cluster
   * @throws FerryError `cluster_not_found`, `rate_limit_exceeded`, `recent_sign_in_needed`
   */
  async issue(
    accountId: AccountId,
    requested: ClusterId | null,
    actor: Principal | 'system',
  ): Promise<IssuedJoinToken> {
    if (actor !== 'system') await this.credentials.requireRecentSignIn(actor);
    if (requested !== null && !(await this.directory.owns(accountId, requested))) {
      throw new FerryError('cluster_not_found', undefined, { param: 'cluster_id' });
    }
    const clusterId = requested ?? (await this.clusters.home(accountId)).id;
    const credential = createCredential('join-token');
    const id = createJoinTokenId();
    const expiresAt = await this.store.insert(
      accountId,
      {
        id,
        clusterId,
        hash: credentialDigest(credential),
        lifetimeMs: this.config.settings.joinTokenLifetimeMs,
      },
      {
        openLimit: OPEN_TOKENS_PER_ACCOUNT,
        ...(actor !== 'system' && { permit: (manager) => this.credentials.requireStill(manager, actor, 'admin') }),
      },
      actor,
    );
    return { id, text: credential.text, clusterId, expiresAt };
  }
}
