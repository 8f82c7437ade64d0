import type { JsonObject } from '../../../kernel/json-object.js';
import { keepAliveComment } from '../../../dialects/openai-frames.js';
import { responsesTerminalFrames } from '../../../dialects/responses/frames.js';
import { requestEcho } from '../../../dialects/responses/resource.js';
import type { ResponsesEnvelope } from '../../../dialects/responses/envelope.js';
import type { Clock } from '../../../kernel/clock.js';
import type { FerryError } from '../../../kernel/errors/ferry-error.js';
import type { StreamFormat } from '../../platform/http/event-stream.js';
import { StreamMemory } from './stream-memory.js';

const MS_PER_SECOND = 1_000;

/**
 * The format of one responses stream. The terminal events of a failed stream need the data of its first event
 * (docs/reference/link.md#failed-responses-streams).
 */
export class ResponsesFormat implements StreamFormat {
  readonly keepAlive = keepAliveComment;
  /** The id of the response; null until a node is asked. */
  responseId: string | null = null;
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
