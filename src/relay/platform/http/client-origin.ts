import type { IncomingMessage } from 'node:http';
import { isIP, type BlockList } from 'node:net';
import { Inject, Injectable } from '@nestjs/common';
import ipaddr from 'ipaddr.js';
import { RELAY_CONFIG, type RelayConfig } from '../config/relay-config.js';
import { parseAddressRanges } from '../config/settings/setting.js';
import { headerValues } from './header-values.js';

/** The origin of a request, for limits and for the audit trail. */
export interface ClientOrigin {
  readonly ip: string;
  readonly userAgent: string | null;
}

const USER_AGENT_CHARACTERS = 256;
const UNKNOWN_ADDRESS = 'unknown';

/** `clientOrigin` with the proxies that this relay trusts. */
@Injectable()
export class ClientOrigins {
  private readonly trusted: BlockList;

  constructor(@Inject(RELAY_CONFIG) { settings }: RelayConfig) {
    this.trusted = parseAddressRanges(settings.trustedProxies);
  }

  of(request: IncomingMessage): ClientOrigin {
    return clientOrigin(request, this.trusted);
  }

  /** Whether TLS ended at a proxy in front. What the client wrote into `X-Forwarded-Proto` stands before what the proxy appends. */
  cameOverTls(request: IncomingMessage): boolean {
    const peer = plainAddress(request.socket.remoteAddress ?? '');
    if (peer === undefined || !isTrusted(peer, this.trusted)) return false;
    const schemes = headerValues(request, 'x-forwarded-proto').join(',').split(',');
    return schemes.at(-1)?.trim().toLowerCase() === 'https';
  }
}

/**
 * `X-Forwarded-For` counts only as far as trusted proxies wrote it: entries left of the first untrusted hop are ignored
 * (docs/reference/security.md#headers).
 */
export function clientOrigin(request: IncomingMessage, trusted: BlockList): ClientOrigin {
  return {
    ip: clientAddress(request, trusted),
    userAgent: request.headers['user-agent']?.slice(0, USER_AGENT_CHARACTERS) ?? null,
  };
}

function clientAddress(request: IncomingMessage, trusted: BlockList): string {
  let address = plainAddress(request.socket.remoteAddress ?? '');
  if (address === undefined) return UNKNOWN_ADDRESS;
  const hops = headerValues(request, 'x-forwarded-for').join(',').split(',');
  for (let hop = hops.pop(); hop !== undefined && isTrusted(address, trusted); hop = hops.pop()) {
    const before = plainAddress(hop.trim());
    if (before === undefined) break;
    address = before;
  }
  return address;
}

const isTrusted = (address: string, trusted: BlockList): boolean =>
  trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** Normalises IPv4-mapped IPv6 addresses. */
const plainAddress = (text: string): string | undefined =>
  ipaddr.isValid(text) ? ipaddr.process(text).toString() : undefined;

/** A customer of an IPv6 provider has a whole /64, so that counts as one address. */
export function addressBlock(address: string): string {
  if (!ipaddr.IPv6.isValid(address)) return address;
  const { parts } = ipaddr.IPv6.parse(address);
  return `${parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}
