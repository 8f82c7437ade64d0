import { randomBytes } from 'node:crypto';
import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { FerryError } from '../../../../kernel/errors/ferry-error.js';
import type { AccountId } from '../../../../kernel/ids.js';
import type { Principal } from '../../access/principal.js';
import { RELAY_CONFIG, type RelayConfig } from '../../config/relay-config.js';
import { isDatabaseUnavailable } from '../../http/errors/database-unavailable.js';
import type { BegunRequest } from './begun-requests.js';
import { InterruptedRequests } from './interrupted-requests.js';
import { ResponseEncryption } from './response-encryption.js';
import { IdempotentRequestsStore, type Beginning } from './idempotent-requests.store.js';
import { RequestDigester, type IdempotentParameters, type RequestDigests } from './request-digests.js';

/** Longer than any management request may take: one that has not ended by then was interrupted by a crash or by its database. */
const LONGEST_REQUEST_MS = 60_000;
/** A longer answer is not stored for replay. Management answers have a few kilobytes. */
const LONGEST_RESPONSE_BYTES = 262_144;
const ATTEMPT_BYTES = 16;
/** Status of a request whose change is committed, and that has not ended. */
const CHANGED = 0;
const UNKNOWN_OUTCOME =
  'The outcome of an earlier request with this Idempotency-Key is unknown. Check the current state before you repeat the request with a new key.';

/** The JSON of a response; undefined for an empty one. */
export type ResponseText = string | undefined;

/** A stored response to replay, or permission to carry the request out. */
export type Decision =
  | { readonly kind: 'go'; readonly request: BegunRequest }
  | { readonly kind: 'replay'; readonly status: number; readonly response: ResponseText };

/**
 * At most once per key (docs/reference/request-lifecycle.md#at-most-once): a request is repeated only when it is known to have changed
 * nothing. What has changed something is known even when the database was away as it ended: the transaction of the change marks it.
 */
@Injectable()
export class IdempotentRequests implements OnApplicationShutdown {
  private readonly logger = new Logger('Idempotency');
  private readonly seal: ResponseEncryption;
  private readonly digester: RequestDigester;
  private readonly interruptions: InterruptedRequests;

  constructor(
    private readonly store: IdempotentRequestsStore,
    @Inject(RELAY_CONFIG) private readonly config: RelayConfig,
  ) {
    this.seal = new ResponseEncryption(config.secret);
    this.digester = new RequestDigester(config.secret);
    this.interruptions = new InterruptedRequests((requests) => store.interrupted(requests));
  }

  digests(principal: Principal, key: string, parameters: IdempotentParameters): RequestDigests {
    return this.digester.digests(principal, key, parameters);
  }

  /** @throws FerryError `idempotency_key_reused`, `idempotency_conflict`, `rate_limit_exceeded` */
  async begin(accountId: AccountId, digests: RequestDigests): Promise<Decision> {
    const request = { accountId, digests, attempt: randomBytes(ATTEMPT_BYTES) };
    const beginning = await this.started(request);
    switch (beginning.kind) {
      case 'begun':
        return { kind: 'go', request };
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

  /** Never rejects: the change is committed, so its response must reach the client. @param answer null: not to be replayed */
  async succeeded(
    accountId: AccountId,
    digests: RequestDigests,
    status: number,
    response: ResponseText | null,
  ): Promise<void> {
    const kept =
      response === null || (response?.length ?? 0) > LONGEST_RESPONSE_BYTES ? null : this.sealed(response, digests);
    await this.tolerant(() => this.store.finish(accountId, digests, status, kept));
  }

  /** Never rejects, so that the client gets the error of the request, which changed nothing. */
  async refused(request: BegunRequest): Promise<void> {
    try {
      await this.store.forget(request.accountId, request.digests);
    } catch {
      this.interruptions.add(request);
    }
  }

  /** The database was away before the request ended: its key may be used again as soon as it is back, if nothing was changed. */
  interrupted(request: BegunRequest): void {
    this.interruptions.add(request);
    // The client does not wait for it.
    void this.interruptions.settle();
  }

  onApplicationShutdown(): void {
    this.interruptions.stop();
  }

  private async started(request: BegunRequest): Promise<Beginning> {
    const { idempotencyRetentionHours, idempotencyKeysPerAccount } = this.config.settings;
    if (this.interruptions.size > 0 && this.interruptions.has(request)) await this.interruptions.settle();
    try {
      return await this.store.begin(request, {
        retentionHours: idempotencyRetentionHours,
        keysPerAccount: idempotencyKeysPerAccount,
      });
    } catch (error) {
      // It may have begun without that anyone knows.
      if (isDatabaseUnavailable(error)) this.interruptions.add(request);
      throw error;
    }
  }

  private repeated(known: Extract<Beginning, { kind: 'known' }>, digests: RequestDigests): Decision {
    if (!known.sameParameters) throw new FerryError('idempotency_key_reused');
    if ((known.status === null || known.status === CHANGED) && known.ageMs < LONGEST_REQUEST_MS) {
      throw new FerryError('idempotency_conflict', undefined, { retryAfterSeconds: 1 });
    }
    const opened = known.response === null ? undefined : this.seal.open(known.response, digests.key);
    if (known.status === null) throw new FerryError('idempotency_conflict', UNKNOWN_OUTCOME);
    if (opened === undefined) {
      throw new FerryError(
        'idempotency_conflict',
        'The request with this Idempotency-Key has completed; its response cannot be returned again.',
      );
    }
    return { kind: 'replay', status: known.status, response: opened === '' ? undefined : opened };
  }

  private sealed(response: ResponseText, digests: RequestDigests): Buffer {
    return this.seal.seal(response ?? '', digests.key);
  }

  private async tolerant(write: () => Promise<void>): Promise<void> {
    try {
      await write();
    } catch (error) {
      this.logger.warn('outcome of an idempotent request not stored', { error: String(error) });
    }
  }
}
