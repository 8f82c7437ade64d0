import { createParser, type EventSourceMessage } from 'eventsource-parser';

/** The events of a `text/event-stream`, without comments. @param onBytes called for each received chunk, including comments */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  onBytes: () => void,
): AsyncGenerator<EventSourceMessage> {
  const decoder = new TextDecoder();
  const events: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => void events.push(event) });
  for await (const bytes of body as unknown as AsyncIterable<Uint8Array>) {
    onBytes();
    parser.feed(decoder.decode(bytes, { stream: true }));
    yield* events.splice(0);
  }
}

/** Aborts its signal when it is not restarted in time. */
export class SilenceTimer {
  readonly #controller = new AbortController();
  #timer: NodeJS.Timeout;

  constructor(private readonly silenceMs: number) {
    this.#timer = this.#start();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  restart(): void {
    clearTimeout(this.#timer);
    this.#timer = this.#start();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #start(): NodeJS.Timeout {
    return setTimeout(() => {
      this.#controller.abort(new DOMException('no data received for too long', 'TimeoutError'));
    }, this.silenceMs);
  }
}
