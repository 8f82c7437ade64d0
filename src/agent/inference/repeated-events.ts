import type { NodeLinkStream } from '../../link/stream/node-stream.js';
import type { EngineObject, RepeatedEvents } from '../engines/engine.js';
import type { Repetition } from './exchange.js';

/**
 * Sends the events of repeated chunks straight to the link: the chunk before them had a text, too, so the response has begun. They are
 * counted at the end, so that an event does not touch the exchange.
 */
export class SentRepeats implements RepeatedEvents {
  private sent = 0;

  constructor(
    private readonly stream: Pick<NodeLinkStream, 'write'>,
    private readonly repetition: Repetition,
  ) {}

  around(like: EngineObject): readonly [string, string] {
    return this.repetition.around(like);
  }

  take(event: Buffer): Promise<void> | undefined {
    this.sent += 1;
    return this.stream.write(event);
  }

  /** Tells the exchange how many there were. */
  report(): void {
    this.repetition.count(this.sent);
  }
}
