import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import type { BusChannel, BusMessage, FromWorker, HandedLink, ToWorker } from './worker-messages.js';

/** The part of `process` of a child with a channel that is used here. */
export interface ChannelToPrimary {
  send?(message: FromWorker, handle: Socket | undefined, options: undefined, sent: () => void): boolean;
  on(event: 'message', listener: (message: unknown, handle: unknown) => void): unknown;
}

type Of<Kind extends ToWorker['kind']> = Extract<ToWorker, { readonly kind: Kind }>;

/** The end of a worker of the channel to the primary process. */
export class PrimaryLink {
  /** Renders the metrics of this process; set by the feature that has them. */
  metrics: (() => Promise<string>) | undefined;
  private readonly events = new EventEmitter();
  private readonly unsentBytes: Record<BusChannel, number> = { control: 0, hop: 0 };

  /** Its number, from 1. */
  readonly worker: number;
  readonly workers: number;
  /** Of the workers that listen already; undefined for the first. */
  readonly port: number | undefined;

  constructor(
    private readonly channel: ChannelToPrimary,
    { worker, workers, port }: Omit<Of<'start'>, 'kind'>,
  ) {
    this.worker = worker;
    this.workers = workers;
    this.port = port;
    // One listener for each topic, and there are more than ten.
    this.events.setMaxListeners(0);
    channel.on('message', (message, handle) => {
      const { kind } = message as ToWorker;
      this.events.emit(kind, message, handle);
    });
  }

  /** @param listener with the connection that came with the message, if one did */
  on<Kind extends ToWorker['kind']>(
    kind: Kind,
    listener: (message: Of<Kind>, connection: Socket | undefined) => void,
  ): () => void {
    this.events.on(kind, listener);
    return () => {
      this.events.off(kind, listener);
    };
  }

  /** Resolves when the message is handed over. */
  send(message: Exclude<FromWorker, BusMessage | HandedLink>): Promise<void> {
    return new Promise((resolve) => {
      if (this.channel.send === undefined) resolve();
      else
        this.channel.send(message, undefined, undefined, () => {
          resolve();
        });
    });
  }

  /** The connection is no longer this process's: another worker takes the link. */
  handOver(link: HandedLink, connection: Socket): void {
    this.channel.send?.(link, connection, undefined, () => undefined);
  }

  /** @returns false when so much waits already for the primary process that this is refused; it is never sent then */
  sendToBus(message: BusMessage, limitBytes: number): boolean {
    const bytes = 'bytes' in message ? message.bytes.length : 0;
    if (this.channel.send === undefined || this.unsentBytes[message.channel] + bytes > limitBytes) return false;
    this.unsentBytes[message.channel] += bytes;
    this.channel.send(message, undefined, undefined, () => (this.unsentBytes[message.channel] -= bytes));
    return true;
  }
}
