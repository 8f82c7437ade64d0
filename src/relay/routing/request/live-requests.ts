import { GenerationalMap } from '../../../kernel/generational-map.js';

/** Requests that have begun and not ended: who drains or revokes finds them here. */
export class LiveRequests<Request extends { readonly token: object }> implements Iterable<Request> {
  private readonly requests = new GenerationalMap<object, Request>();
  private readonly onEmpty = new Set<() => void>();

  get size(): number {
    return this.requests.size;
  }

  add(request: Request): void {
    this.requests.set(request.token, request);
  }

  /** Idempotent. */
  delete(request: Request): void {
    if (this.requests.take(request.token) === undefined || this.requests.size > 0) return;
    for (const resolve of this.onEmpty) resolve();
    this.onEmpty.clear();
  }

  /** A copy: ending one while iterating must not skip another. */
  [Symbol.iterator](): Iterator<Request> {
    return [...this.requests.values()][Symbol.iterator]();
  }

  /** Resolves in the moment when none is left. */
  async empty(): Promise<void> {
    if (this.requests.size === 0) return;
    await new Promise<void>((resolve) => this.onEmpty.add(resolve));
  }
}
