import { Inject, Injectable } from '@nestjs/common';
import { createCredential, credentialDigest } from '../../kernel/credential.js';
import { FerryError } from '../../kernel/errors/ferry-error.js';
import { createJoinTokenId, type AccountId, type ClusterId } from '../../kernel/ids.js';
import type { AuditActor } from '../audit/audit-event.js';
import { RELAY_CONFIG, type RelayConfig } from '../platform/config/relay-config.js';
import { ClusterDirectory } from './cluster-directory.js';
import { ClustersService } from './clusters.service.js';
import { JoinTokensStore } from './join-tokens.store.js';

export interface IssuedJoinToken {
  /** Not stored. */
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
    @Inject(RELAY_CONFIG) private readonly config: RelayConfig,
  ) {}

  /** @param requested null for the default cluster @throws FerryError `cluster_not_found`, `rate_limit_exceeded` */
  async issue(accountId: AccountId, requested: ClusterId | null, actor: AuditActor): Promise<IssuedJoinToken> {
    if (requested !== null && !(await this.directory.owns(accountId, requested))) {
      throw new FerryError('cluster_not_found', undefined, { param: 'cluster_id' });
    }
    const clusterId = requested ?? (await this.clusters.home(accountId)).id;
    const credential = createCredential('join-token');
    const expiresAt = await this.store.insert(
      accountId,
      {
        id: createJoinTokenId(),
        clusterId,
        hash: credentialDigest(credential),
        lifetimeMs: this.config.settings.joinTokenLifetimeMs,
      },
      OPEN_TOKENS_PER_ACCOUNT,
      actor,
    );
    return { text: credential.text, clusterId, expiresAt };
  }
}
