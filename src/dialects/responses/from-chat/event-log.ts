import { stringifyExact } from '../../../kernel/exact-json.js';
import type { JsonObject } from '../../../kernel/json-object.js';

/** Receives the events of items. */
export interface EventSink {
  emit(type: string, fields: JsonObject): void;
}

/** For a non-streaming answer. */
export const silentSink: EventSink = { emit: () => undefined };

/**
 * Events of one stream with consecutive sequence numbers (docs/reference/client-protocols.md#responses): name, one line of data, blank
 * line.
 */
export class EventLog implements EventSink {
  private sequence = 0;
  private pending = '';

  emit(type: string, fields: JsonObject): void {
    this.pending += formatEvent(type, fields, this.sequence);
    this.sequence += 1;
  }

  /** Events since the last call. */
  take(): string {
    const events = this.pending;
    this.pending = '';
    return events;
  }
}

/** The number comes last, so that the relay can read it from the end of a long event (see `frames.ts`). */
export const formatEvent = (type: string, fields: JsonObject, sequence: number): string =>
  `event: ${type}\ndata: ${stringifyExact({ type, ...fields, sequence_number: sequence })}\n\n`;

export const DONE = 'data: [DONE]\n\n';
