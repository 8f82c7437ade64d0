/**
 * The host that a node's signature must cover: that of `FERRY_BASE_URL` (docs/reference/security.md#nodes), so that another relay cannot
 * use a signature that it obtained. A relay without a public address is reached at loopback or at an address of its own interface, and
 * accepts exactly the address that was used.
 */
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

export interface DialledAddress {
  /** The `Host` header. */
  readonly host: string | undefined;
  /** The address at which this socket was accepted. */
  readonly localAddress: string | undefined;
}

/** `host[:port]` as in WHATWG URLs, or undefined when no signature can be valid for this connection. */
export function signedHost(baseUrl: string | undefined, dialled: DialledAddress): string | undefined {
  const configured = baseUrl === undefined ? undefined : new URL(baseUrl);
  if (configured !== undefined && !LOOPBACK.test(configured.hostname)) return configured.host;
  const url = URL.canParse(`http://${dialled.host ?? ''}`) ? new URL(`http://${dialled.host ?? ''}`) : undefined;
  if (url === undefined) return undefined;
  return LOOPBACK.test(url.hostname) || isLocalAddress(url.hostname, dialled.localAddress) ? url.host : undefined;
}

const isLocalAddress = (hostname: string, localAddress: string | undefined): boolean =>
  localAddress !== undefined &&
  [localAddress, localAddress.replace('::ffff:', ''), `[${localAddress}]`].includes(hostname);
