/** Server-sent events of the management API: a response that outlives the check of the request's credential. */
import { Observable, type Subscriber } from 'rxjs';
import type { StreamFormat } from '../../../dialects/stream-format.js';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import { serializeManagementError } from '../http/errors/management-error.js';
import type { ResponseSource } from '../http/response-source.js';

export interface ManagementFeedOptions {
  /** Whether the credential is still valid. */
  readonly stillAllowed: () => Promise<boolean>;
  readonly checkEveryMs: number;
  /** Silence after which a keep-alive is written. */
  readonly keepAliveMs: number;
}

export const encodeEvent = (event: string, data: string): Buffer => Buffer.from(`event: ${event}\ndata: ${data}\n\n`);

export const managementFeedFormat: StreamFormat = {
  keepAlive: Buffer.from(': keep-alive\n\n'),
  terminal: (error, requestId) => encodeEvent('error', serializeManagementError(error, requestId).body),
};

/** Ends with `invalid_credential` when its reader may not read any more. */
export abstract class ManagementFeed implements ResponseSource {
  readonly bytes$ = new Observable<Uint8Array>((client) => this.run(client));
  /** Undefined before it is read, and after its end. */
  protected client: Subscriber<Uint8Array> | undefined;
  protected unreadBytes = 0;

  constructor(private readonly feed: ManagementFeedOptions) {}

  /** Begins to send. @returns what ends it */
  protected abstract open(): () => void;

  atBoundary(): boolean {
    return true;
  }

  contentLength(): null {
    return null;
  }

  headers(): Readonly<Record<string, string>> {
    return { 'x-ferry-keep-alive-ms': String(this.feed.keepAliveMs) };
  }

  consumed(bytes: number): void {
    this.unreadBytes -= bytes;
  }

  /** Nothing comes after it. */
  end(error: FerryError): void {
    this.client?.error(error);
  }

  protected send(bytes: Uint8Array): void {
    this.unreadBytes += bytes.byteLength;
    this.client?.next(bytes);
  }

  protected async check(): Promise<void> {
    // A database that does not answer refuses nobody.
    const allowed = await this.feed.stillAllowed().catch(() => true);
    if (!allowed) this.end(new FerryError('invalid_credential'));
  }

  private run(client: Subscriber<Uint8Array>): () => void {
    this.client = client;
    let close = (): void => undefined;
    try {
      close = this.open();
    } catch (error) {
      client.error(error);
    }
    const checks = setInterval(() => void this.check(), this.feed.checkEveryMs).unref();
    return () => {
      clearInterval(checks);
      this.client = undefined;
      close();
    };
  }
}
