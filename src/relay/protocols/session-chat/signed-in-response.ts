import { Observable, type Subscriber } from 'rxjs';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import type { ResponseSource } from '../../platform/http/response-source.js';

export interface SessionWatch {
  /** Whether the credential is still valid: the response outlives the request's own check. */
  readonly isActive: () => Promise<boolean>;
  /** Calls back when the sessions or people of the account have changed. @returns ends the subscription */
  readonly onChange: (listener: () => void) => () => void;
  /** For a credential that was ended on another replica. */
  readonly checkEveryMs: number;
}

/** A response that fails with `invalid_credential`, and is cancelled at the node, when its reader's session ends. */
export class SignedInResponse implements ResponseSource {
  readonly bytes$ = new Observable<Uint8Array>((client) => this.run(client));

  constructor(
    private readonly response: ResponseSource,
    private readonly session: SessionWatch,
  ) {}

  atBoundary(): boolean {
    return this.response.atBoundary();
  }

  contentLength(): number | null {
    return this.response.contentLength();
  }

  headers(): Readonly<Record<string, string>> {
    return this.response.headers();
  }

  waits(): boolean {
    return this.response.waits?.() === true;
  }

  consumed(bytes: number): void {
    this.response.consumed(bytes);
  }

  private run(client: Subscriber<Uint8Array>): () => void {
    const { isActive, onChange, checkEveryMs } = this.session;
    const check = async (): Promise<void> => {
      // A database that does not answer refuses nobody.
      if (!(await isActive().catch(() => true))) client.error(new FerryError('invalid_credential'));
    };
    const unsubscribe = onChange(() => void check());
    const checks = setInterval(() => void check(), checkEveryMs).unref();
    const result = this.response.bytes$.subscribe({
      next: (bytes) => client.next(bytes),
      error: (error: unknown) => client.error(error),
      complete: () => client.complete(),
    });
    return () => {
      clearInterval(checks);
      unsubscribe();
      result.unsubscribe();
    };
  }
}
