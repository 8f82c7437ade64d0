import type { JsonObject } from '../../kernel/json-object.js';
import { keepAliveComment } from '../openai-frames.js';
import type { StreamFormat } from '../stream-format.js';
import type { ResponsesEnvelope } from './envelope.js';
import { responsesTerminalFrames } from './frames.js';
import { requestEcho } from './resource.js';
import type { Clock } from '../../kernel/clock.js';
import type { FerryError } from '../../kernel/errors/ferry-error.js';
import { StreamMemory } from './stream-memory.js';

const MS_PER_SECOND = 1_000;

/**
 * The format of one responses stream. The terminal events of a failed stream need the data of its first event
 * (docs/reference/link.md#failed-responses-streams).
 */
export class ResponsesFormat implements StreamFormat {
  readonly keepAlive = keepAliveComment;
  /** null until a node is asked. */
  private responseId: string | null = null;
  private readonly memory = new StreamMemory();
  /** Without the input, and only used until the node has sent its own snapshot. */
  private request: JsonObject | null;
  private readonly model: string;

  constructor(
    { model, body }: Pick<ResponsesEnvelope, 'model' | 'body'>,
    private readonly clock: Clock,
  ) {
    // Nothing else of the envelope, which may be 16 MiB, is kept for the duration of a stream.
    this.model = model;
    this.request = { ...requestEcho(body) };
  }

  named(responseId: string): void {
    this.responseId = responseId;
  }

  watch(bytes: Uint8Array): void {
    this.request = null;
    this.memory.watch(bytes);
  }

  terminal(error: FerryError, requestId: string): Uint8Array {
    const { first, last } = this.memory;
    return responsesTerminalFrames({
      error,
      model: this.model,
      request: this.request,
      firstBytes: first,
      lastBytes: last,
      // No node was asked: an id that can be found in the log.
      responseId: this.responseId ?? `resp_${requestId}`,
      nowUnixSeconds: Math.floor(this.clock.wallMs() / MS_PER_SECOND),
    });
  }
}
