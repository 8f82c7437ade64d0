import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { addressRanges, parseAddressRanges } from '../config/settings/setting.js';
import { addressBlock, clientOrigin } from './client-origin.js';

const from = (remoteAddress: string, forwarded?: string): IncomingMessage =>
  ({
    socket: { remoteAddress },
    headers: { 'user-agent': 'test' },
    rawHeaders: forwarded === undefined ? [] : ['X-Forwarded-For', forwarded],
  }) as unknown as IncomingMessage;

const ipOf = (request: IncomingMessage, trusted = ''): string => clientOrigin(request, parseAddressRanges(trusted)).ip;

describe('the address of a client', () => {
  it('is the one of the socket, whatever a stranger claims', () => {
    expect(ipOf(from('203.0.113.7', '1.2.3.4'))).toBe('203.0.113.7');
    expect(ipOf(from('203.0.113.7', '1.2.3.4'), '10.0.0.0/8')).toBe('203.0.113.7');
  });

  it('is what a trusted proxy says, and no hop further than trust goes', () => {
    expect(ipOf(from('10.0.0.1', '198.51.100.1'), '10.0.0.0/8')).toBe('198.51.100.1');
    expect(ipOf(from('10.0.0.1', '6.6.6.6, 198.51.100.1, 10.0.0.2'), '10.0.0.0/8')).toBe('198.51.100.1');
    expect(ipOf(from('::ffff:10.0.0.1', '198.51.100.1'), '10.0.0.1')).toBe('198.51.100.1');
  });

  it('is the proxy when what it says is no address', () => {
    expect(ipOf(from('10.0.0.1', 'unknown'), '10.0.0.0/8')).toBe('10.0.0.1');
  });

  it('refuses a range that is none at start', () => {
    expect(addressRanges.safeParse('10.0.0.0/8, nonsense').success).toBe(false);
  });

  it('counts an IPv6 customer as one', () => {
    expect(addressBlock('2001:db8:1:2:3::4')).toBe('2001:db8:1:2::/64');
    expect(addressBlock('2001:db8::6')).toBe('2001:db8:0:0::/64');
    expect(addressBlock('::1')).toBe('0:0:0:0::/64');
    expect(addressBlock('192.0.2.1')).toBe('192.0.2.1');
  });
});
