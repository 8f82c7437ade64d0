import type { FerryError } from '../../../kernel/errors/ferry-error.js';
import { noKeyLimits } from '../../platform/access/caller.js';
import type { Permit } from '../../platform/limits/permit.js';
import type { RateLimits } from '../../platform/limits/rate-limits.js';
import { toFerryError } from '../../platform/http/errors/to-ferry-error.js';
import type { RoutedRequest } from './routed-request.js';
import type { RequestEnd } from './outcome.js';
import { noHeaders } from './response-headers.js';

/** Bytes of JSON per token of the prompt, roughly, in any language. */
const BYTES_PER_TOKEN = 4;
/** Media in the body make it large, and few tokens. */
const MAX_RESERVED_TOKENS = 32_768;

/** Tokens that a request holds back from its limits until the real number is known. */
const estimateTokens = (bodyBytes: number): number =>
  Math.min(MAX_RESERVED_TOKENS, Math.ceil(bodyBytes / BYTES_PER_TOKEN));

const NOTHING_USED = { input_tokens: 0, output_tokens: 0 } as const;

/** The reservation of a request under the rate limits: taken before it queues, settled at its end. */
export class RequestAllowance {
  private taken: Permit | null = null;

  constructor(private readonly rateLimits: Pick<RateLimits, 'admit'>) {}

  /** null where nothing is limited. */
  get permit(): Permit | null {
    return this.taken;
  }

  /** Returns the remainder of the limits for the response. */
  get headers(): Readonly<Record<string, string>> {
    return this.taken?.headers ?? noHeaders;
  }

  /** @returns why not, when the limits do not allow it */
  take({ accountId, keyPublicId, limits = noKeyLimits }: RoutedRequest, bodyBytes: number): FerryError | null {
    try {
      const estimatedTokens = estimateTokens(bodyBytes);
      this.taken = this.rateLimits.admit({ accountId, keyPublicId, limits, estimatedTokens });
      return null;
    } catch (error) {
      return toFerryError(error);
    }
  }

  /** When a dispatched request has no reported usage, the reservation is charged. */
  settle({ usage }: RequestEnd, reachedNode: boolean): void {
    if (this.taken === null) return;
    this.taken.end();
    if (usage !== null) this.taken.charge(usage);
    else if (!reachedNode) this.taken.charge(NOTHING_USED);
  }
}
