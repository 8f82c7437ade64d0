import { createParser, type EventSourceMessage } from 'eventsource-parser';

interface EventReading {
  /** Each of them ends the reading with its reason. */
  readonly signals: readonly AbortSignal[];
  /** Called for each received chunk, including comments. */
  readonly onBytes?: () => void;
}

/**
 * The events of a `text/event-stream`, without comments. The signals that `fetch` was given do not suffice: it refers to its own controller
 * weakly once the response is there, and after a garbage collection an abort no longer ends the body.
 */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  { signals, onBytes }: EventReading,
): AsyncGenerator<EventSourceMessage> {
  const decoder = new TextDecoder();
  const events: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => void events.push(event) });
  const reader = body.getReader();
  const cancel = (): void => void reader.cancel().catch(() => undefined);
  for (const signal of signals) signal.addEventListener('abort', cancel);
  try {
    for (;;) {
      for (const signal of signals) signal.throwIfAborted();
      const { done, value } = await reader.read();
      for (const signal of signals) signal.throwIfAborted();
      if (done) return;
      onBytes?.();
      parser.feed(decoder.decode(value, { stream: true }));
      yield* events.splice(0);
    }
  } finally {
    for (const signal of signals) signal.removeEventListener('abort', cancel);
    cancel();
  }
}

/** Aborts its signal when it is not restarted in time. */
export class SilenceTimer {
  readonly #controller = new AbortController();
  #timer: NodeJS.Timeout;

  constructor(private silenceMs: number) {
    this.#timer = this.#start();
  }

  /** Another time from here on. */
  limit(silenceMs: number): void {
    this.silenceMs = silenceMs;
    this.restart();
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
