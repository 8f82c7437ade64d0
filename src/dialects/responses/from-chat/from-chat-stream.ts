/** Converts a chat stream to a responses stream (docs/reference/translation.md#chat-stream-to-a-responses-stream). */
import type { JsonObject } from '../../../kernel/json-object.js';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import { readEngineChunk, readEngineUsage, type EngineUsage } from '../../chat/engine-chunk.js';
import { errorEventFields, responseError } from '../failure.js';
import type { OutputItem } from '../items.js';
import {
  requestEcho,
  responseResource,
  type RequestEcho,
  type ResponseResource,
  type ResponseState,
} from '../resource.js';
import type { ResponseContext } from '../translation.js';
import { outcomeOf, responseUsage, unixSeconds } from './outcome.js';
import { DONE, EventLog } from './event-log.js';
import { ResponseOutput } from './response-output.js';

/**
 * One stream. Every method returns the new events as text, possibly empty. `finish` and `fail` end it. There are no events before the
 * engine's first output: until then a failure keeps its status (docs/reference/request-lifecycle.md#phases).
 */
export class ResponseStream {
  private readonly log = new EventLog();
  private readonly output: ResponseOutput;
  private readonly echo: RequestEcho;
  private readonly createdAt: number;
  private begun = false;
  private finishReason: string | null = null;
  private engineUsage: EngineUsage | null = null;

  constructor(private readonly context: ResponseContext) {
    this.output = new ResponseOutput(this.log, context);
    this.echo = requestEcho(context.request);
    this.createdAt = unixSeconds(context.clock);
  }

  /** The last reported usage; null before. */
  get usage(): EngineUsage | null {
    return this.engineUsage;
  }

  /** The items of the response so far, to be stored after those of the input. */
  get items(): readonly OutputItem[] {
    return this.output.items();
  }

  /**
   * Keep-alive before the first output: `response.created` and `response.in_progress`, then `response.in_progress` each time. Clients of
   * this dialect accept no other event for it (docs/reference/translation.md#chat-answer-to-a-response).
   */
  keepAlive(): string {
    if (this.begun) this.log.emit('response.in_progress', { response: this.snapshot({ status: 'in_progress' }) });
    else this.emitBeginning();
    return this.log.take();
  }

  /** @throws FerryError `engine_error` when too much must be queued */
  push(chunk: JsonObject): string {
    this.engineUsage = readEngineUsage(chunk) ?? this.engineUsage;
    const delta = readEngineChunk(chunk);
    if (delta === null) return '';
    if (delta.reasoning !== '' || delta.text !== '' || delta.refusal !== '' || delta.toolCalls.length > 0) {
      this.emitBeginning();
      this.output.add(delta);
    }
    this.finishReason = delta.finishReason ?? this.finishReason;
    return this.log.take();
  }

  /**
   * The last events, with the one `[DONE]`.
   * @throws FerryError `engine_error` when the stream ended without a finish reason
   * (docs/reference/stream-transport.md#events-and-bytes)
   */
  finish(): string {
    if (this.finishReason === null) throw new FerryError('engine_error', 'The answer of the engine ended early.');
    const { status, incomplete_details } = outcomeOf(this.finishReason);
    this.emitBeginning();
    this.output.close(status);
    const usage = this.engineUsage === null ? null : responseUsage(this.engineUsage);
    const response = this.snapshot({
      status,
      incomplete_details,
      usage,
      completed_at: unixSeconds(this.context.clock),
    });
    this.log.emit(`response.${status}`, { response });
    return this.log.take() + DONE;
  }

  /** Events of a failed stream: open items stay open, and the output so far is in the snapshot. */
  fail(error: FerryError): string {
    this.emitBeginning();
    this.log.emit('error', errorEventFields(error));
    const usage = this.engineUsage === null ? null : responseUsage(this.engineUsage);
    const response = this.snapshot({ status: 'failed', usage, error: responseError(error) });
    this.log.emit('response.failed', { response });
    return this.log.take() + DONE;
  }

  private emitBeginning(): void {
    if (this.begun) return;
    this.begun = true;
    const response = this.snapshot({ status: 'in_progress' });
    this.log.emit('response.created', { response });
    this.log.emit('response.in_progress', { response });
  }

  private snapshot(state: Pick<ResponseState, 'status'> & Partial<ResponseState>): ResponseResource {
    return responseResource(this.echo, {
      id: this.context.responseId,
      model: this.context.model,
      created_at: this.createdAt,
      completed_at: null,
      incomplete_details: null,
      error: null,
      usage: null,
      output: state.status === 'in_progress' ? [] : this.output.items(),
      ...state,
    });
  }
}
