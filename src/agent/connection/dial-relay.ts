/** Opens the WebSocket of a link: a challenge, a signature, the upgrade (docs/reference/security.md#nodes). */
import type { IncomingMessage } from 'node:http';
import { request } from 'undici';
import WebSocket from 'ws';
import { isJsonObject, parseJson } from '../../kernel/json-object.js';
import { LINK_SUBPROTOCOL, MAX_LINK_MESSAGE_BYTES } from '../../link/codec/frame-types.js';
import { beginningOf } from './beginning-of.js';
import type { DialTarget } from './link-set.js';
import { addressText, relayPath } from './relay-address.js';
import { problemText } from './problem-text.js';
import { networkFailure } from './network-failure.js';
import type { RelayNetwork } from './relay-network.js';

const RESPONSE_LIMIT_BYTES = 4_096;
/** Characters that are safe in a header. */
const NONCE = /^[\w.~+/=-]{1,1000}$/;
/** A relay sends whole messages; many tiny fragments are an attack on memory. */
const MAX_FRAGMENTS = 64;
const TCP_KEEP_ALIVE_MS = 15_000;
const RETRY_AFTER = /^\d{1,6}$/;

/** The link could not be opened. The message is for the node's log. */
export class DialError extends Error {
  override readonly name = 'DialError';
  constructor(
    message: string,
    /** The relay's response, if there was one. */
    readonly status: number | null,
    readonly retryAfterMs: number | undefined,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

export interface DialOptions {
  readonly relay: URL;
  /** Proxy and certificates. Absent: a direct connection with the certificates that Node trusts. */
  readonly network?: RelayNetwork | undefined;
  /** The `Authorization` header for this nonce. */
  readonly authorize: (nonce: string) => string;
  /** The process's other links, as the relay must know them. Absent: there are none. */
  readonly links?: Pick<DialTarget, 'linkedReplicas' | 'epoch'>;
  readonly timeoutMs: number;
  readonly userAgent: string;
  readonly signal: AbortSignal;
}

/**
 * @returns the open socket, paused so that no message is lost before listeners are attached; call `resume` then
 * @throws DialError
 */
export async function dialRelay(options: DialOptions): Promise<WebSocket> {
  const nonce = await requestChallenge(options);
  return openSocket(options, options.authorize(nonce));
}

async function requestChallenge({ relay, network, timeoutMs, userAgent, signal }: DialOptions): Promise<string> {
  let status: number;
  let retryAfter: string | string[] | undefined;
  let text: string;
  try {
    const response = await request(relayPath(relay, '/link/challenge'), {
      headers: { accept: 'application/json', 'user-agent': userAgent },
      // Not over a pooled connection: after a suspend it may be dead.
      reset: true,
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      ...(network !== undefined && { dispatcher: network.dispatcher }),
    });
    status = response.statusCode;
    retryAfter = response.headers['retry-after'];
    text = await beginningOf(response.body, RESPONSE_LIMIT_BYTES);
  } catch (error) {
    throw unreachable(relay, error);
  }
  if (status !== 200) throw refused(relay, status, retryAfter, text);
  const nonce = nonceOf(text);
  if (nonce === undefined)
    throw new DialError(`${addressText(relay)} does not answer like a Ferry relay`, status, undefined);
  return nonce;
}

function nonceOf(text: string): string | undefined {
  const value = parseJson(text);
  const nonce = isJsonObject(value) ? value['nonce'] : undefined;
  return typeof nonce === 'string' && NONCE.test(nonce) ? nonce : undefined;
}

function openSocket(
  { relay, network, links, timeoutMs, userAgent, signal }: DialOptions,
  authorization: string,
): Promise<WebSocket> {
  const address = relayPath(relay, '/link');
  address.protocol = address.protocol.replace('http', 'ws');
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(address, LINK_SUBPROTOCOL, {
      ...network?.socket,
      perMessageDeflate: false,
      maxPayload: MAX_LINK_MESSAGE_BYTES,
      maxFragments: MAX_FRAGMENTS,
      skipUTF8Validation: true,
      handshakeTimeout: timeoutMs,
      followRedirects: false,
      headers: {
        authorization,
        'user-agent': userAgent,
        ...(links?.epoch === undefined ? {} : { 'ferry-epoch': String(links.epoch) }),
        ...(links === undefined || links.linkedReplicas.length === 0
          ? {}
          : { 'ferry-linked-replicas': links.linkedReplicas.join(', ') }),
      },
    });
    const fail = (error: unknown): void => {
      signal.removeEventListener('abort', onAbort);
      reject(error instanceof DialError ? error : unreachable(relay, error));
      socket.terminate();
    };
    const onAbort = (): void => {
      fail(signal.reason);
    };
    signal.addEventListener('abort', onAbort);
    socket.on('error', fail);
    socket.on('unexpected-response', (_request, response: IncomingMessage) => {
      const { statusCode: status = 0, headers } = response;
      // The relay asks for an upgrade only when it got no `Upgrade` header, and every dial sends one.
      const lostUpgrade = status === 426 && headers.upgrade !== undefined;
      if (lostUpgrade) fail(upgradeRemoved(relay));
      else
        // The handshake timeout of the socket ends a response that is silent.
        void beginningOf(response, RESPONSE_LIMIT_BYTES, true).then((text) => {
          fail(refused(relay, status, headers['retry-after'], text));
        });
    });
    socket.on('upgrade', (response: IncomingMessage) => {
      response.socket.setKeepAlive(true, TCP_KEEP_ALIVE_MS);
    });
    socket.on('open', () => {
      signal.removeEventListener('abort', onAbort);
      // They refer to the signature, the address and more that only dialling needs, and the link may last for weeks.
      socket.removeAllListeners();
      // An error without a listener would end the process; `close` tells the owner.
      socket.on('error', ignore);
      socket.pause();
      resolve(socket);
    });
    if (signal.aborted) onAbort();
  });
}

const ignore = (): void => undefined;

const unreachable = (relay: URL, error: unknown): DialError =>
  new DialError(`cannot reach the relay at ${addressText(relay)} (${networkFailure(error)})`, null, undefined, {
    cause: error,
  });

const upgradeRemoved = (relay: URL): DialError =>
  new DialError(`a proxy in front of the relay at ${addressText(relay)} removes the header Upgrade`, null, undefined);

function refused(relay: URL, status: number, retryAfter: string | string[] | undefined, text: string): DialError {
  const reported = problemText(text);
  const seconds = typeof retryAfter === 'string' && RETRY_AFTER.test(retryAfter) ? Number(retryAfter) : undefined;
  return new DialError(
    `the relay at ${addressText(relay)} refused the link (${status})${reported === undefined ? '' : `: ${reported}`}`,
    status,
    seconds === undefined ? undefined : seconds * 1_000,
  );
}
