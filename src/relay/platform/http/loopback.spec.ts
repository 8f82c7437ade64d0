import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { cameOverLoopback, isLoopbackHost } from './loopback.js';

const request = (remoteAddress: string, host: string | undefined): IncomingMessage =>
  ({ socket: { remoteAddress }, headers: { host } }) as unknown as IncomingMessage;

describe('loopback', () => {
  it.each(['localhost', '127.0.0.1', '127.9.9.9', '::1', '[::1]', '::ffff:127.0.0.1'])('loopback is %s', (host) => {
    expect(isLoopbackHost(host)).toBe(true);
  });

  it.each(['', '0.0.0.0', '192.168.1.5', '127.0.0.1.example.com', 'localhost.example.com', '127.x'])(
    'loopback is not %s',
    (host) => {
      expect(isLoopbackHost(host)).toBe(false);
    },
  );

  it('loopback is the origin of a request only if its Host is loopback, too', () => {
    expect(cameOverLoopback(request('127.0.0.1', 'localhost:8787'))).toBe(true);
    expect(cameOverLoopback(request('::1', '[::1]:8787'))).toBe(true);
    expect(cameOverLoopback(request('127.0.0.1', 'rebound.example:8787'))).toBe(false);
    expect(cameOverLoopback(request('127.0.0.1', undefined))).toBe(false);
    expect(cameOverLoopback(request('192.168.1.5', 'localhost:8787'))).toBe(false);
  });
});
