import type { JsonObject } from '../../../kernel/json-object.js';

/** Where items tell what happens to them. */
export interface EventSink {
  emit(type: string, fields: JsonObject): void;
}

/** For an answer that is sent as a whole. */
export const silentSink: EventSink = { emit: () => undefined };

/**
 * Events of one stream, numbered without a gap (docs/reference/client-protocols.md#responses). Each is whole: name, one line of data,
 * blank line.
 */
export class EventLog implements EventSink {
  private sequence = 0;
  private pending = '';

  emit(type: string, fields: JsonObject): void {
    this.pending += formatEvent(type, fields, this.sequence);
    this.sequence += 1;
  }

  /** What was emitted since the last call. */
  take(): string {
    const events = this.pending;
    this.pending = '';
    return events;
  }
}

/** The number comes last, so that it can be read from the end of an event that is too long to be kept (see `frames.ts`). */
export const formatEvent = (type: string, fields: JsonObject, sequence: number): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...fields, sequence_number: sequence })}\n\n`;

export const DONE = 'data: [DONE]\n\n';
