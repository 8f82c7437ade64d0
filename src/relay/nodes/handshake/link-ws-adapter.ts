import type { IncomingMessage } from 'node:http';
import type { INestApplicationContext } from '@nestjs/common';
import { WsAdapter } from '@nestjs/platform-ws';
import type { MessageMappingProperties } from '@nestjs/websockets';
import type { Observable } from 'rxjs';
import type { ServerOptions, VerifyClientCallbackAsync, WebSocket, WebSocketServer } from 'ws';
import { MAX_LINK_MESSAGE_BYTES } from '../../../link/codec/frame-types.js';
import type { PrimaryLink } from '../../platform/workers/primary-link.js';
import { handOverLink } from './handed-links.js';
import type { HandshakeRefusal, LinkIdentity } from './link-identity.js';
import { NodeAuthenticator } from './node-authenticator.js';

/** Path of the WebSocket; no other path of the relay can be upgraded. */
export const LINK_PATH = '/link';

/** Concurrent handshakes. Further nodes are refused with `Retry-After` instead of queueing for the database. */
const CONCURRENT_HANDSHAKES = 256;
const BUSY: HandshakeRefusal = { status: 503, message: 'Too many nodes are connecting.', retryAfterSeconds: 2 };
/** The node has a link to this replica. */
const DUPLICATE = 421;
/** Agents send unfragmented messages; many fragments only cost memory (docs/reference/link.md#flow-control). */
const MAX_FRAGMENTS = 16;

const ignore = (): void => undefined;

const identities = new WeakMap<IncomingMessage, LinkIdentity>();

/** Identity of the node of an accepted upgrade request; undefined: it was a check. */
export const identityOf = (request: IncomingMessage): LinkIdentity | undefined => identities.get(request);

/** Authenticates the node before the HTTP upgrade, and passes binary messages on unparsed. */
export class LinkWsAdapter extends WsAdapter {
  private deciding = 0;

  constructor(
    private readonly app: INestApplicationContext,
    private readonly handshakeTimeoutMs: number,
    private readonly primary: PrimaryLink | null = null,
  ) {
    super(app);
  }

  override create(port: number, options: ServerOptions & { path?: string }): WebSocketServer {
    return super.create(port, {
      ...options,
      // Compressing 64 KiB frames of tokens costs more than it saves, and memory per node.
      perMessageDeflate: false,
      maxPayload: MAX_LINK_MESSAGE_BYTES,
      maxFragments: MAX_FRAGMENTS,
      skipUTF8Validation: true,
      // The gateway answers pings itself, so that a flood of them is bounded.
      autoPong: false,
      verifyClient: this.verify,
    } satisfies ServerOptions) as WebSocketServer;
  }

  /** No gateway here has JSON events; without this Nest would parse every frame. */
  override bindMessageHandlers(
    socket: WebSocket,
    handlers: MessageMappingProperties[],
    transform: (data: unknown) => Observable<unknown>,
  ): void {
    if (handlers.length > 0) super.bindMessageHandlers(socket, handlers, transform);
  }

  /** The gateway listens to `close` itself; a listener that nobody hears would take 400 bytes of each link. */
  override bindClientDisconnect(): void {
    return;
  }

  /** The gateway owns socket errors; the base class would log one line per broken peer. */
  override bindErrorHandler(server: WebSocketServer): WebSocketServer {
    return server
      .on('connection', (socket: WebSocket) => socket.on('error', ignore))
      .on('error', (error) => {
        this.logger.error(error);
      });
  }

  private readonly verify: VerifyClientCallbackAsync = ({ req }, response) => {
    const refuse = ({ status, message, retryAfterSeconds }: HandshakeRefusal): void => {
      response(false, status, message, {
        'Content-Type': 'text/plain; charset=utf-8',
        ...(retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) }),
      });
    };
    if (this.deciding >= CONCURRENT_HANDSHAKES) {
      refuse(BUSY);
      return;
    }
    this.deciding += 1;
    const late = setTimeout(() => {
      req.socket.destroy();
    }, this.handshakeTimeoutMs);
    void this.app
      .get(NodeAuthenticator, { strict: false })
      .authenticate(req)
      .then((result) => {
        clearTimeout(late);
        this.deciding -= 1;
        if (result.kind === 'refused' && result.refusal.status === DUPLICATE && this.primary !== null) {
          handOverLink(this.primary, req, result.refusal);
          return;
        }
        if (result.kind === 'refused') {
          refuse(result.refusal);
          return;
        }
        if (result.kind === 'admitted') identities.set(req, result.identity);
        response(true);
      });
  };
}
