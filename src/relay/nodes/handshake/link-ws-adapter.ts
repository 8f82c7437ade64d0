import type { IncomingMessage } from 'node:http';
import type { INestApplicationContext } from '@nestjs/common';
import { WsAdapter } from '@nestjs/platform-ws';
import type { MessageMappingProperties } from '@nestjs/websockets';
import type { Observable } from 'rxjs';
import type { ServerOptions, VerifyClientCallbackAsync, WebSocket, WebSocketServer } from 'ws';
import { MAX_LINK_MESSAGE_BYTES } from '../../../link/codec/frame-types.js';
import type { HandshakeRefusal, LinkIdentity } from './link-identity.js';
import { NodeAuthenticator } from './node-authenticator.js';

/** Where nodes connect; no other path of the relay leaves HTTP. */
export const LINK_PATH = '/link';

/** Handshakes being decided at once. Beyond, a node is told to come back rather than to queue up in front of the database. */
const CONCURRENT_HANDSHAKES = 256;
const BUSY: HandshakeRefusal = { status: 503, message: 'Too many nodes are connecting.', retryAfterSeconds: 2 };
/** Agents send whole messages; a message in many pieces only costs memory (docs/reference/link.md#flow-control). */
const MAX_FRAGMENTS = 16;

const identities = new WeakMap<IncomingMessage, LinkIdentity>();

/** Who is behind an accepted upgrade request. */
export const identityOf = (request: IncomingMessage): LinkIdentity | undefined => identities.get(request);

/** Answers the HTTP upgrade only after the node is known, and leaves binary messages alone. */
export class LinkWsAdapter extends WsAdapter {
  private deciding = 0;

  constructor(
    private readonly app: INestApplicationContext,
    private readonly handshakeTimeoutMs: number,
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

  /** No gateway here speaks JSON events; without this, Nest would JSON.parse every frame. */
  override bindMessageHandlers(
    socket: WebSocket,
    handlers: MessageMappingProperties[],
    transform: (data: unknown) => Observable<unknown>,
  ): void {
    if (handlers.length > 0) super.bindMessageHandlers(socket, handlers, transform);
  }

  /** The gateway owns socket errors; the base class would log one line per broken peer. */
  override bindErrorHandler(server: WebSocketServer): WebSocketServer {
    return server
      .on('connection', (socket: WebSocket) => socket.on('error', () => undefined))
      .on('error', (error) => {
        this.logger.error(error);
      });
  }

  private readonly verify: VerifyClientCallbackAsync = ({ req }, answer) => {
    const refuse = ({ status, message, retryAfterSeconds }: HandshakeRefusal): void => {
      answer(false, status, message, {
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
        if (result.kind === 'refused') {
          refuse(result.refusal);
          return;
        }
        identities.set(req, result.identity);
        answer(true);
      });
  };
}
