import type { EndMessage } from '../messages.js';

/**
 * Enforces the order of a response's frames at both ends: ACK (or REJECT), HEAD, DATA…, END; or WHOLE, which is all of them. On the node a violation is a bug in the
 * agent; at the relay the check keeps a truncated response from looking complete.
 */
export class ResponseStateMachine {
  private phase: 'opened' | 'acknowledged' | 'responding' = 'opened';
  private contentLength: number | null = null;
  private receivedBytes = 0;
  private insideEvent = false;

  /** @param violation creates the error to throw: a protocol error at the relay, a programming error on the node */
  constructor(private readonly violation: (message: string) => Error) {}

  /** Whether `bytes` more complete the JSON body. Always true for a stream, which has no length. */
  completes(bytes: number): boolean {
    return this.contentLength === null || this.receivedBytes + bytes === this.contentLength;
  }

  acknowledge(): void {
    this.require(this.phase === 'opened', 'ACK out of order');
    this.phase = 'acknowledged';
  }

  reject(): void {
    this.require(this.phase === 'opened', 'REJECT after ACK');
  }

  /** Whether the relay has been told that a slot is taken. */
  get acknowledged(): boolean {
    return this.phase !== 'opened';
  }

  whole(): void {
    this.require(this.phase !== 'responding', 'WHOLE after HEAD');
    this.phase = 'responding';
  }

  head(contentLength: number | null): void {
    this.require(this.phase === 'acknowledged', 'HEAD out of order');
    this.phase = 'responding';
    this.contentLength = contentLength;
  }

  data(bytes: number, atBoundary: boolean): void {
    this.require(this.phase === 'responding', 'DATA before HEAD');
    this.receivedBytes += bytes;
    const within = this.contentLength === null || this.receivedBytes <= this.contentLength;
    this.require(within, 'DATA beyond the content length');
    this.insideEvent = !atBoundary;
  }

  end(outcome: EndMessage['outcome']): void {
    this.require(this.phase !== 'opened', 'END before ACK');
    if (outcome !== 'completed') return;
    this.require(this.phase === 'responding', 'completed without HEAD');
    this.require(!this.insideEvent, 'completed inside an event');
    this.require(this.completes(0), 'completed short of the content length');
  }

  private require(condition: boolean, message: string): void {
    if (!condition) throw this.violation(message);
  }
}
