import { Observable, type Subscriber } from 'rxjs';
import type { ResponseReader, ResponseSource } from '../../../src/relay/platform/http/response-source.js';

/** A response that arrives as scripted by the test. */
export class ScriptedResponse implements ResponseSource {
  started = 0;
  cancelled = 0;
  consumedBytes = 0;
  boundary = true;
  waiting = false;
  length: number | null = null;
  onConsumed: () => void = () => undefined;
  extraHeaders: Readonly<Record<string, string>> = {};
  private subscriber: Subscriber<Uint8Array> | undefined;
  private over = false;
  readBy: ResponseReader | undefined;

  readonly bytes$ = new Observable<Uint8Array>((subscriber) => {
    this.started += 1;
    this.subscriber = subscriber;
    return () => {
      if (!this.over) this.cancelled += 1;
    };
  });

  atBoundary(): boolean {
    return this.boundary;
  }

  waits(): boolean {
    return this.waiting;
  }

  contentLength(): number | null {
    return this.length;
  }

  headers(): Readonly<Record<string, string>> {
    return this.extraHeaders;
  }

  consumed(bytes: number): void {
    this.consumedBytes += bytes;
    this.onConsumed();
  }

  reader(reader: ResponseReader): void {
    this.readBy = reader;
  }

  get active(): boolean {
    return this.started > 0 && !this.over && this.cancelled === 0;
  }

  say(text: string | Uint8Array): void {
    this.subscriber?.next(typeof text === 'string' ? Buffer.from(text) : text);
  }

  finish(): void {
    this.over = true;
    this.subscriber?.complete();
  }

  fail(error: unknown): void {
    this.over = true;
    this.subscriber?.error(error);
  }
}
