/** Parses the events of a complete stream, as clients do. */
import { createParser } from 'eventsource-parser';

export interface ParsedStream {
  readonly events: readonly unknown[];
  /** Whether the stream ended with the literal `[DONE]`. */
  readonly done: boolean;
}

export function eventsIn(text: string): ParsedStream {
  const data: string[] = [];
  const parser = createParser({
    onEvent: (event) => {
      data.push(event.data);
    },
  });
  parser.feed(text);
  const done = data.at(-1) === '[DONE]';
  return { events: data.slice(0, done ? -1 : undefined).map((json): unknown => JSON.parse(json)), done };
}
