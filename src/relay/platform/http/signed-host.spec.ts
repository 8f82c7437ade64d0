import { describe, expect, it } from '@jest/globals';
import { signedHost } from './signed-host.js';

const PUBLIC = 'https://relay.example.com';

describe('signedHost', () => {
  it.each([
    ['the public address, whatever was dialled', PUBLIC, 'evil.example', '10.0.0.1', 'relay.example.com'],
    ['its port', 'https://relay.example.com:8443/ferry', undefined, undefined, 'relay.example.com:8443'],
    ['loopback by name', undefined, 'localhost:8787', '127.0.0.1', 'localhost:8787'],
    ['loopback by address', undefined, '127.0.0.1:8787', '127.0.0.1', '127.0.0.1:8787'],
    ['loopback in IPv6', undefined, '[::1]:8787', '::1', '[::1]:8787'],
    [
      'any loopback when the public address is one',
      'http://localhost:8787',
      '127.0.0.1:8787',
      '127.0.0.1',
      '127.0.0.1:8787',
    ],
    ['an address of its own', undefined, '192.168.1.5:8787', '192.168.1.5', '192.168.1.5:8787'],
    [
      'an address of its own on a dual-stack socket',
      undefined,
      '192.168.1.5:8787',
      '::ffff:192.168.1.5',
      '192.168.1.5:8787',
    ],
    ['an IPv6 address of its own', undefined, '[fd00::5]:8787', 'fd00::5', '[fd00::5]:8787'],
  ])('signedHost is %s', (_name, baseUrl, host, localAddress, expected) => {
    expect(signedHost(baseUrl, { host, localAddress })).toBe(expected);
  });

  it.each([
    ['a foreign name', 'evil.example', '127.0.0.1'],
    ['a name that starts like loopback', 'localhost.evil.example', '127.0.0.1'],
    ['an address that starts like loopback', '127.0.0.1.evil.example', '127.0.0.1'],
    ['another address', '203.0.113.9:8787', '192.168.1.5'],
    ['no Host at all', undefined, '127.0.0.1'],
    ['a Host that is none', 'a b', '127.0.0.1'],
    ['an empty Host', '', '127.0.0.1'],
  ])('signedHost is unknown, without a public address, for %s', (_name, host, localAddress) => {
    expect(signedHost(undefined, { host, localAddress })).toBeUndefined();
  });
});
