/** Opens a WebSocket to `/link` without credentials, which the relay closes at once: shows whether proxies let the upgrade pass. */
import type { IncomingMessage } from 'node:http';
import { request } from 'undici';
import WebSocket from 'ws';
import { LINK_CHECK_SUBPROTOCOL } from '../../link/codec/frame-types.js';
import { networkFailure } from '../connection/network-failure.js';
import { relayPath } from '../connection/relay-address.js';
import type { RelayNetwork } from '../connection/relay-network.js';
import { ok, problem, type Finding } from './finding.js';
import { STEP_TIMEOUT_MS } from './opened-socket.js';

const CHECK = 'relay_websocket';
const NORMAL_CLOSURE = 1000;
const LET_THROUGH =
  'configure the proxy in front of the relay to forward the headers Upgrade and Connection for /link, over HTTP/1.1';

interface CheckWebSocketOptions {
  readonly relay: URL;
  readonly network: Pick<RelayNetwork, 'dispatcher' | 'socket'>;
  readonly userAgent: string;
}

type Outcome =
  /** Opened, and then closed with this code. */
  | { readonly kind: 'closed'; readonly code: number }
  /** Answered like a request without `Upgrade`. */
  | { readonly kind: 'answered'; readonly status: number; readonly namesUpgrade: boolean }
  | { readonly kind: 'failed'; readonly reason: string };

export async function checkWebSocket(options: CheckWebSocketOptions): Promise<Finding> {
  const outcome = await open(options);
  switch (outcome.kind) {
    case 'closed': {
      if (outcome.code === NORMAL_CLOSURE)
        return ok(CHECK, 'a WebSocket to /link opens, as nodes need it', { status: 101 });
      const summary = `the WebSocket opens, but is cut off before the relay closes it (${outcome.code})`;
      return problem(
        'fail',
        CHECK,
        summary,
        'check the proxy in front of the relay: it must forward WebSocket frames',
        {
          status: 101,
          close_code: outcome.code,
        },
      );
    }
    case 'answered':
      return responded(outcome, options);
    case 'failed':
      return problem('fail', CHECK, `no WebSocket to /link (${outcome.reason})`, LET_THROUGH, { status: null });
    default:
      return outcome satisfies never;
  }
}

async function responded(
  { status, namesUpgrade }: Extract<Outcome, { kind: 'answered' }>,
  options: CheckWebSocketOptions,
): Promise<Finding> {
  const facts = { status };
  if (status === 426 && namesUpgrade) {
    return problem(
      'fail',
      CHECK,
      'a proxy in front of the relay removes the header Upgrade: nodes cannot connect',
      LET_THROUGH,
      facts,
    );
  }
  // The relay itself refused the subprotocol of the check: the upgrade has reached it.
  if (status === 426)
    return ok(CHECK, 'an upgrade of /link reaches the relay, which is too old to open it for a check', facts);
  if (status === 429 || status === 503) {
    return problem(
      'warn',
      CHECK,
      `the relay does not open a WebSocket now (${status})`,
      'wait a minute, then run this again',
      facts,
    );
  }
  const plain = await statusOf(options);
  return plain === 426
    ? problem(
        'fail',
        CHECK,
        `a proxy in front of the relay answers the upgrade of /link with ${status}`,
        LET_THROUGH,
        facts,
      )
    : problem(
        'fail',
        CHECK,
        `/link does not reach the relay: it is answered with ${status}`,
        'configure the proxy to forward /link to the relay',
        facts,
      );
}

/** Requests `/link` without an upgrade: the status is 426 when the request reaches a relay. */
async function statusOf({ relay, network, userAgent }: CheckWebSocketOptions): Promise<number | undefined> {
  try {
    const { statusCode, body } = await request(relayPath(relay, '/link'), {
      dispatcher: network.dispatcher,
      headers: { 'user-agent': userAgent },
      signal: AbortSignal.timeout(STEP_TIMEOUT_MS),
    });
    await body.dump();
    return statusCode;
  } catch {
    return undefined;
  }
}

function open({ relay, network, userAgent }: CheckWebSocketOptions): Promise<Outcome> {
  const address = relayPath(relay, '/link');
  address.protocol = address.protocol.replace('http', 'ws');
  const socket = new WebSocket(address, LINK_CHECK_SUBPROTOCOL, {
    ...network.socket,
    perMessageDeflate: false,
    maxPayload: 1_024,
    handshakeTimeout: STEP_TIMEOUT_MS,
    followRedirects: false,
    headers: { 'user-agent': userAgent },
  });
  let late: NodeJS.Timeout | undefined;
  return new Promise<Outcome>((resolve) => {
    socket.on('error', (error) => {
      resolve({ kind: 'failed', reason: networkFailure(error) });
    });
    socket.on('unexpected-response', (_request, { statusCode = 0, headers }: IncomingMessage) => {
      resolve({ kind: 'answered', status: statusCode, namesUpgrade: headers.upgrade !== undefined });
    });
    socket.on('open', () => {
      late = setTimeout(() => {
        resolve({ kind: 'failed', reason: 'the relay’s frames do not arrive' });
      }, STEP_TIMEOUT_MS);
      socket.on('close', (code) => {
        resolve({ kind: 'closed', code });
      });
    });
  }).finally(() => {
    clearTimeout(late);
    socket.terminate();
  });
}
