import type { Attempt } from './attempt.js';
import type { RequestDeadlines } from './request-deadlines.js';
import { openHead, type RoutedRequest, type RoutedRequestBody } from './routed-request.js';

const NOTHING = Buffer.alloc(0);

/** The body of a request until its answer begins. Nothing is dispatched after that, so the memory is given back. */
export class RequestPrompt {
  constructor(
    private readonly routed: RoutedRequest,
    private body: RoutedRequestBody | null,
  ) {}

  get bytes(): number {
    return this.body?.raw.length ?? 0;
  }

  /** @throws LinkUnavailableError when the node's link takes nothing now */
  open(attempt: Attempt, { leftMs, firstEventLeftMs }: RequestDeadlines): void {
    const raw = this.body?.raw ?? NOTHING;
    const head = openHead(this.routed, attempt.placement, raw.length, Math.ceil(leftMs), Math.ceil(firstEventLeftMs));
    attempt.open(head, raw);
  }

  /** Idempotent. */
  release(): void {
    this.body?.release();
    this.body = null;
  }
}
