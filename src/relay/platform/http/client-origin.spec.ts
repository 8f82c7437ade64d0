import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { addressRanges, parseAddressRanges } from '../config/settings/setting.js';
import type { RelayConfig } from '../config/relay-config.js';
import { addressBlock, clientOrigin, ClientOrigins } from './client-origin.js';

const from = (remoteAddress: string, forwarded?: string): IncomingMessage =>
  ({
    socket: { remoteAddress },
    headers: { 'user-agent': 'test' },
    rawHeaders: forwarded === undefined ? [] : ['X-Forwarded-For', forwarded],
  }) as unknown as IncomingMessage;

const ipOf = (request: IncomingMessage, trusted = ''): string => clientOrigin(request, parseAddressRanges(trusted)).ip;

describe('the address of a client', () => {
  it("the address of a client is the socket's, whatever an untrusted peer claims", () => {
    expect(ipOf(from('203.0.113.7', '1.2.3.4'))).toBe('203.0.113.7');
    expect(ipOf(from('203.0.113.7', '1.2.3.4'), '10.0.0.0/8')).toBe('203.0.113.7');
  });

  it('the address of a client is taken from a trusted proxy, up to the first untrusted hop', () => {
    expect(ipOf(from('10.0.0.1', '198.51.100.1'), '10.0.0.0/8')).toBe('198.51.100.1');
    expect(ipOf(from('10.0.0.1', '6.6.6.6, 198.51.100.1, 10.0.0.2'), '10.0.0.0/8')).toBe('198.51.100.1');
    expect(ipOf(from('::ffff:10.0.0.1', '198.51.100.1'), '10.0.0.1')).toBe('198.51.100.1');
  });

  it("the address of a client is the proxy's when the header is malformed", () => {
    expect(ipOf(from('10.0.0.1', 'unknown'), '10.0.0.0/8')).toBe('10.0.0.1');
  });

  it('rejects an invalid range at start', () => {
    expect(addressRanges.safeParse('10.0.0.0/8, nonsense').success).toBe(false);
  });

  it('groups IPv6 addresses by prefix', () => {
    expect(addressBlock('2001:db8:1:2:3::4')).toBe('2001:db8:1:2::/64');
    expect(addressBlock('2001:db8::6')).toBe('2001:db8:0:0::/64');
    expect(addressBlock('::1')).toBe('0:0:0:0::/64');
    expect(addressBlock('192.0.2.1')).toBe('192.0.2.1');
  });
});

describe('TLS in front of the relay', () => {
  const overTls = (remoteAddress: string, ...schemes: readonly string[]): boolean =>
    new ClientOrigins({ settings: { trustedProxies: '10.0.0.0/8' } } as RelayConfig).cameOverTls({
      socket: { remoteAddress },
      rawHeaders: schemes.flatMap((scheme) => ['X-Forwarded-Proto', scheme]),
    } as unknown as IncomingMessage);

  it('TLS in front of the relay is believed of a trusted proxy, which has the last word', () => {
    expect(overTls('10.0.0.1', 'https')).toBe(true);
    expect(overTls('::ffff:10.0.0.1', 'http, HTTPS')).toBe(true);
    expect(overTls('10.0.0.1', 'http')).toBe(false);
    expect(overTls('10.0.0.1', 'https', 'http')).toBe(false);
    expect(overTls('10.0.0.1')).toBe(false);
  });

  it('TLS in front of the relay is not believed of anybody else', () => {
    expect(overTls('203.0.113.7', 'https')).toBe(false);
  });
});
