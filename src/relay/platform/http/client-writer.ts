import type { ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';
import { processTimerWheel, type TimerHandle, type TimerWheel } from '../timing/timer-wheel.js';

export interface ClientWriterOptions {
  readonly slowClientTimeoutMs: number;
  /** Bytes of the response that the client's socket has accepted since the last call. */
  readonly onConsumed: (bytes: number) => void;
  /** The response is over, finished or not; called once. */
  readonly onClose: () => void;
  readonly wheel?: TimerWheel;
}

export type CreateClientWriter = (res: ServerResponse, options: ClientWriterOptions) => ClientWriter;

/** A client that takes this long for a few events keeps the error event, too; it costs nothing but an open connection. */
const CUT_AFTER_MS = 1_000;

/** Writes with back-pressure, reports the bytes that the socket accepted, and disconnects a client that reads nothing. */
export class ClientWriter {
  protected blocked = false;
  /** Written bytes that the socket has not accepted yet. */
  private unsentBytes = 0;
  private ending = false;
  private slow: TimerHandle | undefined;
  private cutting: TimerHandle | undefined;

  /** @param drains emits `drain` when the socket has accepted everything */
  constructor(
    protected readonly res: ServerResponse,
    private readonly options: ClientWriterOptions,
    private readonly drains: Pick<Writable, 'on' | 'off'> = res,
  ) {
    res.on('close', this.closed);
    // A socket that breaks during a write also closes; without a listener its error would end the process. It stays for late errors.
    if (res.listenerCount('error') === 0) res.on('error', ignore);
  }

  /** True when the socket has accepted everything written so far. */
  get idle(): boolean {
    return !this.blocked;
  }

  /** Reads what a write will read. */
  readAhead(): number {
    return this.unsentBytes;
  }

  write(bytes: Uint8Array): void {
    if (this.send(bytes)) {
      this.options.onConsumed(bytes.byteLength);
      return;
    }
    this.unsentBytes += bytes.byteLength;
    this.block();
  }

  /** Writes bytes that did not come from the node, such as keep-alives: they are not reported as taken. */
  writeOwn(bytes: Uint8Array): void {
    if (!this.send(bytes)) this.block();
  }

  /** The client has to read the rest within the same timeout. */
  end(bytes?: Uint8Array): void {
    this.ending = true;
    // Nearly always the system accepts all of it at once, and no timer is needed.
    if (this.sendEnd(bytes) > 0) this.block();
  }

  /**
   * Writes the last bytes and closes the connection without the end of the body, so that no client takes what it has for a complete response.
   * Later than the bytes: many clients discard what they have not read when a connection breaks.
   */
  cut(bytes: Uint8Array): void {
    this.ending = true;
    this.writeOwn(bytes);
    const { wheel = processTimerWheel } = this.options;
    this.cutting = wheel.schedule(CUT_AFTER_MS, () => {
      // Unread bytes still leave, within the timeout for slow clients.
      if (this.res.socket === null) this.res.destroy();
      else this.res.socket.destroySoon();
    });
  }

  /** Breaks the connection, so that the client does not take a part for a complete response (docs/reference/stream-transport.md#events-and-bytes). */
  destroy(): void {
    this.res.destroy();
  }

  /** Detaches from the untouched response, so that an exception filter can answer. */
  detach(): void {
    this.slow?.cancel();
    this.cutting?.cancel();
    if (this.blocked) this.drains.off('drain', this.drained);
    this.res.off('close', this.closed);
  }

  /** @returns false when the client has to read before more is written */
  protected send(bytes: Uint8Array): boolean {
    // A view would keep the whole link message in memory while the client does not read.
    return this.res.write(this.blocked ? Buffer.from(bytes) : bytes);
  }

  /** @returns the bytes that the system has not accepted yet */
  protected sendEnd(bytes: Uint8Array | undefined): number {
    this.res.end(bytes);
    return this.res.writableLength;
  }

  private block(): void {
    if (this.blocked) return;
    this.blocked = true;
    this.drains.on('drain', this.drained);
    const { slowClientTimeoutMs, wheel = processTimerWheel } = this.options;
    if (this.slow === undefined) this.slow = wheel.schedule(slowClientTimeoutMs, () => this.res.destroy());
    else this.slow.restart();
  }

  private readonly drained = (): void => {
    if (!this.ending) {
      this.blocked = false;
      this.drains.off('drain', this.drained);
      this.slow?.cancel();
    }
    const bytes = this.unsentBytes;
    this.unsentBytes = 0;
    if (bytes > 0) this.options.onConsumed(bytes);
  };

  private readonly closed = (): void => {
    this.detach();
    this.options.onClose();
  };
}

export const createClientWriter: CreateClientWriter = (res, options) => new ClientWriter(res, options);

const ignore = (): void => undefined;
