import { ManualClock } from '../clock/manual-clock.js';
import { encodeFrame } from '../../../src/link/codec/frame-codec.js';
import type { FrameType } from '../../../src/link/codec/frame-types.js';
import { FakeTransport, FlushQueue } from './link-pair.js';

interface Session {
  receive(data: Buffer, isBinary: boolean): void;
  ponged(): void;
  tick(): void;
}

/** One end of a link; the test plays the other end and may send anything. */
export abstract class SessionHarness {
  readonly clock = new ManualClock();
  readonly flushes = new FlushQueue();
  readonly socket = new FakeTransport();
  readonly log: string[] = [];
  readonly errors: unknown[] = [];
  abstract readonly session: Session;

  /** A frame from the other end. */
  say(stream: number, type: FrameType, payload: object | string | Buffer = ''): void {
    const text = typeof payload === 'string' || Buffer.isBuffer(payload) ? payload : JSON.stringify(payload);
    this.session.receive(encodeFrame(stream, type, Buffer.from(text)), true);
  }

  /** @param alive whether the other end answers pings */
  tick(seconds: number, alive = true): void {
    for (let second = 0; second < seconds; second += 1) {
      this.clock.advance(1_000);
      if (alive) this.session.ponged();
      this.session.tick();
    }
  }
}
