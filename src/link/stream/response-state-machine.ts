import type { EndMessage } from '../messages.js';

/**
 * The order of the frames that answer one request: ACK (or REJECT), HEAD, DATA…, END. Both ends enforce it: on the node a violation is
 * the agent's bug, at the relay a truncated response must never look complete.
 */
export class ResponseStateMachine {
  private phase: 'opened' | 'acknowledged' | 'answering' = 'opened';
  private contentLength: number | null = null;
  private answeredBytes = 0;
  private insideEvent = false;

  /** @param violation makes the error of this end: the peer's fault at the relay, the caller's on the node */
  constructor(private readonly violation: (message: string) => Error) {}

  /** Whether `bytes` more make the JSON body complete; always for a stream, which has no length. */
  completes(bytes: number): boolean {
    return this.contentLength === null || this.answeredBytes + bytes === this.contentLength;
  }

  acknowledge(): void {
    this.demand(this.phase === 'opened', 'ACK out of order');
    this.phase = 'acknowledged';
  }

  reject(): void {
    this.demand(this.phase === 'opened', 'REJECT after ACK');
  }

  head(contentLength: number | null): void {
    this.demand(this.phase === 'acknowledged', 'HEAD out of order');
    this.phase = 'answering';
    this.contentLength = contentLength;
  }

  data(bytes: number, atBoundary: boolean): void {
    this.demand(this.phase === 'answering', 'DATA before HEAD');
    this.answeredBytes += bytes;
    const within = this.contentLength === null || this.answeredBytes <= this.contentLength;
    this.demand(within, 'DATA beyond the content length');
    this.insideEvent = !atBoundary;
  }

  end(outcome: EndMessage['outcome']): void {
    this.demand(this.phase !== 'opened', 'END before ACK');
    if (outcome !== 'completed') return;
    this.demand(this.phase === 'answering', 'completed without HEAD');
    this.demand(!this.insideEvent, 'completed inside an event');
    this.demand(this.completes(0), 'completed short of the content length');
  }

  private demand(holds: boolean, message: string): void {
    if (!holds) throw this.violation(message);
  }
}
