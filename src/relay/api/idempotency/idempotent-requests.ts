import { Inject, Injectable, Logger } from '@nestjs/common';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import type { AccountId } from '../../../kernel/ids.js';
import type { Principal } from '../../platform/access/principal.js';
import { RELAY_CONFIG, type RelayConfig } from '../../platform/config/relay-config.js';
import { ResponseEncryption } from './response-encryption.js';
import { IdempotentRequestsStore, type Beginning } from './idempotent-requests.store.js';
import { RequestDigester, type IdempotentParameters, type RequestDigests } from './request-digests.js';

/** Longer than any management request may take: one that has not ended by then was interrupted by a crash or by its database. */
const LONGEST_REQUEST_MS = 60_000;
/** A longer answer is not stored for replay. Management answers have a few kilobytes. */
const LONGEST_ANSWER_BYTES = 262_144;
const UNKNOWN_OUTCOME =
  'The outcome of an earlier request with this Idempotency-Key is unknown. Check the current state before you repeat the request with a new key.';

/** The JSON of an answer; undefined for an empty one. */
export type AnswerText = string | undefined;

/** A stored answer to replay, or permission to carry the request out. */
export type Decision =
  { readonly kind: 'go' } | { readonly kind: 'replay'; readonly status: number; readonly answer: AnswerText };

/**
 * At most once per key (docs/reference/request-lifecycle.md#at-most-once): a request is repeated only when it is known to have changed
 * nothing.
 */
@Injectable()
export class IdempotentRequests {
  private readonly logger = new Logger('Idempotency');
  private readonly seal: ResponseEncryption;
  private readonly digester: RequestDigester;

  constructor(
    private readonly store: IdempotentRequestsStore,
    @Inject(RELAY_CONFIG) private readonly config: RelayConfig,
  ) {
    this.seal = new ResponseEncryption(config.secret);
    this.digester = new RequestDigester(config.secret);
  }

  digests(principal: Principal, key: string, parameters: IdempotentParameters): RequestDigests {
    return this.digester.digests(principal, key, parameters);
  }

  /** @throws FerryError `idempotency_key_reused`, `idempotency_conflict`, `rate_limit_exceeded` */
  async begin(accountId: AccountId, digests: RequestDigests): Promise<Decision> {
    const { idempotencyRetentionHours, idempotencyKeysPerAccount } = this.config.settings;
    const beginning = await this.store.begin(accountId, digests, {
      retentionHours: idempotencyRetentionHours,
      keysPerAccount: idempotencyKeysPerAccount,
    });
    switch (beginning.kind) {
      case 'begun':
        return { kind: 'go' };
      case 'full':
        throw new FerryError('rate_limit_exceeded', 'This account has used too many different Idempotency-Keys.', {
          retryAfterSeconds: LONGEST_REQUEST_MS / 1_000,
        });
      case 'known':
        return this.repeated(beginning, digests);
      default:
        return beginning satisfies never;
    }
  }

  /** Never rejects: the change is committed, so its answer must reach the client. @param answer null: not to be replayed */
  async succeeded(
    accountId: AccountId,
    digests: RequestDigests,
    status: number,
    answer: AnswerText | null,
  ): Promise<void> {
    const kept = answer === null || (answer?.length ?? 0) > LONGEST_ANSWER_BYTES ? null : this.sealed(answer, digests);
    await this.tolerant(() => this.store.finish(accountId, digests, status, kept));
  }

  /** Never rejects, so that the client gets the error of the request, which changed nothing. */
  async refused(accountId: AccountId, digests: RequestDigests): Promise<void> {
    await this.tolerant(() => this.store.forget(accountId, digests));
  }

  private repeated(known: Extract<Beginning, { kind: 'known' }>, digests: RequestDigests): Decision {
    if (!known.sameParameters) throw new FerryError('idempotency_key_reused');
    if (known.status === null && known.ageMs < LONGEST_REQUEST_MS) {
      throw new FerryError('idempotency_conflict', undefined, { retryAfterSeconds: 1 });
    }
    const opened = known.answer === null ? undefined : this.seal.open(known.answer, digests.key);
    if (known.status === null) throw new FerryError('idempotency_conflict', UNKNOWN_OUTCOME);
    if (opened === undefined) {
      throw new FerryError(
        'idempotency_conflict',
        'The request with this Idempotency-Key has completed; its response cannot be returned again.',
      );
    }
    return { kind: 'replay', status: known.status, answer: opened === '' ? undefined : opened };
  }

  private sealed(answer: AnswerText, digests: RequestDigests): Buffer {
    return this.seal.seal(answer ?? '', digests.key);
  }

  private async tolerant(write: () => Promise<void>): Promise<void> {
    try {
      await write();
    } catch (error) {
      this.logger.warn('outcome of an idempotent request not stored', { error: String(error) });
    }
  }
}
