import { describe, expect, it } from '@jest/globals';
import { localNetworkAdvice } from './local-network-privacy.js';

const failed = (code: string, address?: string): Error => Object.assign(new Error(code), { code, address });

describe('a connection that macOS may have refused for the privacy of the local network', () => {
  it.each(['192.168.1.20', '10.0.0.5', '172.20.1.1', '169.254.3.4', 'fe80::1', 'fd12::7'])(
    'is one to %s that has no route, with the way out',
    (address) => {
      expect(localNetworkAdvice(failed('EHOSTUNREACH', address), 'darwin')).toContain('Local Network');
    },
  );

  it.each<[string, Error, NodeJS.Platform]>([
    ['of another system', failed('EHOSTUNREACH', '192.168.1.20'), 'linux'],
    ['with another failure', failed('ECONNREFUSED', '192.168.1.20'), 'darwin'],
    ['to a public address', failed('EHOSTUNREACH', '203.0.113.9'), 'darwin'],
    ['to its own computer', failed('EHOSTUNREACH', '127.0.0.1'), 'darwin'],
    ['of unknown address', failed('EHOSTUNREACH'), 'darwin'],
  ])('is none %s', (_what, error, platform) => {
    expect(localNetworkAdvice(error, platform)).toBeUndefined();
  });
});
