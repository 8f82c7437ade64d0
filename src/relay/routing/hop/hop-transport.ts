import type { ReplicaId } from '../../../kernel/ids.js';
import type { LinkTransport } from '../../../link/transport.js';
import type { BusTransport } from '../../replicas/bus/bus-transport.js';
import { encodeHopMessage, hopPayloads, type HopMessage, type HopMessageKind, type HopSide } from './hop-message.js';

export const HOP_TOPIC = 'link';

const EMPTY = new Uint8Array(0);
const CLOSE_CODE_BYTES = 2;

/** The connection calls these members of a session. */
export interface HopSession {
  receive(message: Buffer, isBinary: boolean): void;
  pinged(): void;
  ponged(): void;
  closed(): void;
}

export interface HopTransportOptions {
  readonly bus: Pick<BusTransport, 'publish'>;
  readonly peer: ReplicaId;
  /** The side of this end. */
  readonly side: HopSide;
  readonly link: number;
}

/**
 * One end of a link to another replica. NATS loses messages and tells nobody, but it keeps the order of one connection: a number that is
 * missing ends the link, so that a gap is never taken for the response of a model.
 */
export class HopTransport implements LinkTransport {
  private session: HopSession | null = null;
  private sent = 0;
  private received = 0;
  private over = false;

  constructor(private readonly options: HopTransportOptions) {}

  get link(): number {
    return this.options.link;
  }

  /** Call it before anything is received. */
  attach(session: HopSession): void {
    this.session = session;
  }

  /** The first message of the ingress. */
  connect(): void {
    this.publish('connect', EMPTY);
  }

  send(batch: Uint8Array, taken: () => void): void {
    for (const payload of hopPayloads(batch)) this.publish('frames', payload);
    // The message is a copy, because the header comes before it.
    taken();
  }

  ping(): void {
    this.publish('ping', EMPTY);
  }

  close(code: number, reason: string): void {
    const payload = Buffer.alloc(CLOSE_CODE_BYTES + Buffer.byteLength(reason));
    payload.writeUInt16BE(code);
    payload.write(reason, CLOSE_CODE_BYTES);
    this.publish('close', payload);
    this.over = true;
  }

  terminate(): void {
    this.publish('close', EMPTY);
    this.over = true;
  }

  /** Takes a message of this link from the other end. */
  receive({ kind, sequence, payload }: HopMessage): void {
    const { session } = this;
    if (this.over || session === null) return;
    // The end of a link needs no number, because the other replica may have forgotten the link.
    if (kind === 'close') {
      this.end();
      return;
    }
    if (sequence !== this.received) {
      this.publish('close', EMPTY);
      this.end();
      return;
    }
    this.received = (this.received + 1) >>> 0;
    switch (kind) {
      case 'connect':
        return;
      case 'frames':
        session.receive(Buffer.from(payload.buffer, payload.byteOffset, payload.length), true);
        return;
      case 'ping':
        session.pinged();
        this.publish('pong', EMPTY);
        return;
      case 'pong':
        session.ponged();
        return;
      default:
        kind satisfies never;
    }
  }

  /** The connection to NATS is lost: whatever was under way may be missing. Idempotent. */
  lost(): void {
    this.end();
  }

  private publish(kind: HopMessageKind, payload: Uint8Array): void {
    if (this.over) return;
    const { bus, peer, side, link } = this.options;
    const accepted = bus.publish(HOP_TOPIC, encodeHopMessage({ kind, side, link, sequence: this.sent, payload }), peer);
    this.sent = (this.sent + 1) >>> 0;
    // A refused message is a gap. It ends the session in a turn of its own, because the session is calling.
    if (!accepted)
      queueMicrotask(() => {
        this.end();
      });
  }

  private end(): void {
    if (this.over) return;
    this.over = true;
    this.session?.closed();
  }
}
