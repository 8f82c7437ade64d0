import { IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { PrimaryLink } from '../../platform/workers/primary-link.js';
import type { HandedLink } from '../../platform/workers/worker-messages.js';
import type { HandshakeRefusal } from './link-identity.js';
import { linkedReplicas } from './node-authenticator.js';

/**
 * Gives a handshake that this worker refuses, because it has a link of the node, to a worker that has none. Whoever gets it responds; this worker
 * does not.
 */
export function handOverLink(primary: PrimaryLink, request: IncomingMessage, refusal: HandshakeRefusal): void {
  const { url = '', rawHeaders, socket } = request;
  const { status, message } = refusal;
  primary.handOver(
    { kind: 'link', url, rawHeaders, linked: linkedReplicas(request), refusal: { status, message } },
    socket,
  );
}

/** Takes handshakes that other workers hand over as if their connections had come here. */
export function takeHandedLinks(primary: PrimaryLink, server: Server): void {
  primary.on('link', (link, connection) => {
    // It may have ended on the way.
    if (connection !== undefined) server.emit('upgrade', requestOf(link, connection), connection, Buffer.alloc(0));
  });
}

function requestOf({ url, rawHeaders }: HandedLink, connection: Socket): IncomingMessage {
  const request = new IncomingMessage(connection);
  Object.assign(request, { method: 'GET', url, httpVersion: '1.1', httpVersionMajor: 1, httpVersionMinor: 1 });
  request.rawHeaders = [...rawHeaders];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = [rawHeaders[at]?.toLowerCase(), rawHeaders[at + 1]];
    // As Node joins those that are repeated; the checks that want one value look into `rawHeaders`.
    const before = request.headers[name];
    request.headers[name] = before === undefined ? value : `${String(before)}, ${value}`;
  }
  return request;
}
