import { once } from 'node:events';
import { createServer, ServerResponse, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, expect, it } from '@jest/globals';
import { Agent } from 'undici';
import { WebSocketServer } from 'ws';
import { createNodeId } from '../../kernel/ids.js';
import { createNodeKey } from '../enrolment/node-key.js';
import { checkLink } from './check-link.js';
import type { Finding } from './finding.js';

let server: Server | undefined;
const dispatcher = new Agent();
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** @param upgrade 101: as a relay that admits; another status: as one that refuses; undefined: as behind a proxy that drops `Upgrade` */
async function check(upgrade: number | undefined): Promise<Finding> {
  server = createServer((request, response) => {
    if (request.url === '/link/challenge') response.end('{"nonce":"abc"}');
    else response.writeHead(426, { upgrade: 'websocket', connection: 'upgrade' }).end();
  });
  const sockets = new WebSocketServer({ noServer: true });
  if (upgrade === undefined) {
    server.on('upgrade', (request, socket) => {
      // What a proxy makes of the request that drops the header: an ordinary one.
      const response = new ServerResponse(request);
      response.assignSocket(socket as Socket);
      server?.emit('request', request, response);
    });
  } else if (upgrade === 101) {
    server.on('upgrade', (request, socket, head) => {
      sockets.handleUpgrade(request, socket, head, () => undefined);
    });
  } else {
    server.on('upgrade', (_request, socket) => {
      socket.end(`HTTP/1.1 ${upgrade} No\r\nContent-Length: 0\r\n\r\n`);
    });
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const relay = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return checkLink({
    relay,
    relayHost: relay.host,
    identity: {
      version: 1,
      node_id: createNodeId(),
      node_name: 'desk',
      account_id: 'acc_1',
      cluster_id: 'cl_1',
      relay_url: relay.origin,
      relay_host: relay.host,
      private_key: createNodeKey().exportPrivateKey(),
    },
    network: { dispatcher, socket: {}, proxyHost: undefined },
    userAgent: 'test',
  });
}

it.each([
  [101, 'ok', 'accepts this node'],
  [401, 'fail', 'revoked'],
  [403, 'fail', 'revoked'],
  [503, 'warn', 'refused the link (503)'],
  [426, 'fail', 'refused the link (426)'],
  [undefined, 'fail', 'removes the header Upgrade'],
])('a relay that answers the upgrade with %s is %s: %s', async (status, verdict, summary) => {
  expect(await check(status)).toMatchObject({
    check: 'relay_link',
    verdict,
    summary: expect.stringContaining(summary),
  });
});
