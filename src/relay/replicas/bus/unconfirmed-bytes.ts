import type { NatsConnection } from '@nats-io/transport-node';

/** Confirmations are asked for at this share of the limit, so that a steady publisher never reaches it. */
const CONFIRM_AT_SHARE = 1 / 8;

/**
 * Bounds what the client keeps for a server that does not read. The client has no such limit; but the server answers a flush after it has read
 * everything before.
 */
export class UnconfirmedBytes {
  private bytes = 0;
  private confirming = false;
  /** Distinguishes connections: a response from an earlier one says nothing. */
  private generation = 0;

  constructor(private readonly limitBytes: number) {}

  reset(): void {
    this.bytes = 0;
    this.confirming = false;
    this.generation += 1;
  }

  /** @returns false when the limit would be exceeded */
  add(bytes: number, connection: Pick<NatsConnection, 'flush'>): boolean {
    if (this.bytes + bytes > this.limitBytes) return false;
    this.bytes += bytes;
    if (!this.confirming && this.bytes >= this.limitBytes * CONFIRM_AT_SHARE) this.confirm(connection);
    return true;
  }

  private confirm(connection: Pick<NatsConnection, 'flush'>): void {
    const { generation } = this;
    // This message is not published yet, so the flush is asked for after it.
    this.confirming = true;
    queueMicrotask(() => {
      const { bytes } = this;
      connection.flush().then(
        () => {
          if (generation !== this.generation) return;
          this.bytes -= bytes;
          this.confirming = false;
        },
        // The connection is lost: the next one begins with `reset`.
        () => undefined,
      );
    });
  }
}
