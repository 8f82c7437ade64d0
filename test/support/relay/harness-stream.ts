import type { EndMessage, HeadMessage, NodeFailure, OpenMessage, RejectReason } from '../../../src/link/messages.js';
import type { ResetAck } from '../../../src/link/stream/reset-acks.js';
import type { RelayStreamHandler, RelayStreamLoss } from '../../../src/link/stream/relay-stream.js';

/** One OPEN on one node, and the node's side of it. */
export class HarnessStream {
  readonly resets: string[] = [];
  credited = 0;
  refused = false;
  /** Waits for the confirmation that the engine has stopped. */
  onStopped: ((stopped: ResetAck) => void) | undefined;
  /** The guarantee of the link: nothing arrives out of order, and nothing after the end or a reset. */
  phase: 'opened' | 'acknowledged' | 'answering' | 'closed' = 'opened';
  private insideEvent = false;

  constructor(
    readonly node: string,
    readonly head: OpenMessage,
    readonly body: Buffer,
    readonly handler: RelayStreamHandler,
  ) {}

  ack(): this {
    this.phase = 'acknowledged';
    this.handler.onAck();
    return this;
  }

  reject(reason: RejectReason = 'busy'): void {
    this.phase = 'closed';
    this.refused = true;
    this.handler.onReject({ reason, message: null });
  }

  begin(contentLength: number | null = null): this {
    this.phase = 'answering';
    const content_type: HeadMessage['content_type'] = contentLength === null ? 'text/event-stream' : 'application/json';
    this.handler.onHead({ status: 200, content_type, content_length: contentLength });
    return this;
  }

  /** The node's keep-alive events start before its engine's first event. */
  keepAlive(): this {
    this.phase = 'answering';
    this.handler.onHead({
      status: 200,
      content_type: 'text/event-stream',
      content_length: null,
      awaiting_output: true,
    });
    return this.data('created');
  }

  /** Part of a JSON response as it is; text that is not an event becomes the data of one. */
  data(text = 'x', atBoundary = true): this {
    this.handler.onData(Buffer.from(this.head.stream ? this.event(text, atBoundary) : text), atBoundary);
    return this;
  }

  private event(text: string, atBoundary: boolean): string {
    const begun = this.insideEvent || /^(data|event):/.test(text) ? text : `data: ${text}`;
    this.insideEvent = !atBoundary;
    return atBoundary && !begun.endsWith('\n\n') ? `${begun}\n\n` : begun;
  }

  end(
    outcome: EndMessage['outcome'] = 'completed',
    failure: Partial<NodeFailure> | null = null,
    firstEventMs: number | null = null,
  ): void {
    this.phase = 'closed';
    this.handler.onEnd({
      outcome,
      failure:
        failure === null
          ? null
          : { code: 'engine_error', status: null, message: '', param: null, retry_after_seconds: null, ...failure },
      usage: null,
      timings: { first_event_ms: firstEventMs, total_ms: 1 },
      dropped: [],
    });
  }

  /** The engine has stopped after this much output, or the node does not confirm it. */
  stopped(how: number | 'missing' | 'none'): void {
    const usage = { input_tokens: 1, cached_tokens: null, reasoning_tokens: null, source: 'engine' as const };
    this.onStopped?.(
      typeof how === 'string'
        ? how
        : {
            outcome: 'cancelled',
            failure: null,
            usage: { ...usage, output_tokens: how },
            timings: { first_event_ms: null, total_ms: 1 },
            dropped: [],
          },
    );
    this.onStopped = undefined;
  }

  /** Completed by an engine that has counted so many tokens of input, and generates none. */
  ended(inputTokens: number): void {
    this.phase = 'closed';
    this.handler.onEnd({
      outcome: 'completed',
      failure: null,
      usage: {
        input_tokens: inputTokens,
        output_tokens: 0,
        cached_tokens: null,
        reasoning_tokens: null,
        source: 'engine',
      },
      timings: { first_event_ms: 1, total_ms: 1 },
      dropped: [],
    });
  }

  lose(reason: RelayStreamLoss = 'node_disconnected'): void {
    this.phase = 'closed';
    this.handler.onLost(reason);
  }
}
