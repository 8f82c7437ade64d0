import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import type { RelayConfig } from '../config/relay-config.js';
import { reachableAddress } from './reachable-address.js';

const config = (host: string, baseUrl?: string): RelayConfig =>
  ({ settings: { host, baseUrl }, baseUrl: baseUrl ?? 'http://127.0.0.1:8787' }) as RelayConfig;
const request = (host: string, localAddress: string): IncomingMessage =>
  ({ headers: { host }, socket: { localAddress } }) as IncomingMessage;
const here = request('127.0.0.1:8787', '127.0.0.1');
const network = (): string => '192.168.1.5';

describe('the address for other computers', () => {
  it('the address for other computers is the public address', () => {
    expect(reachableAddress(config('0.0.0.0', 'https://relay.example'), here, network)).toEqual({
      url: 'https://relay.example',
      insecure: false,
      reachable: 'network',
      warning: null,
    });
  });

  it('the address for other computers is the one that the browser used, when it is one of the relay', () => {
    const asked = request('192.168.1.7:8787', '192.168.1.7');
    expect(reachableAddress(config('0.0.0.0'), asked, network)).toMatchObject({
      url: 'http://192.168.1.7:8787',
      insecure: true,
      reachable: 'network',
      warning: expect.stringContaining('not encrypted'),
    });
  });

  it('the address for other computers is one of the network when a relay that listens everywhere is asked on its own computer', () => {
    expect(reachableAddress(config('0.0.0.0'), here, network)).toMatchObject({
      url: 'http://192.168.1.5:8787',
      reachable: 'network',
    });
  });

  it.each([
    ['listens on loopback only', config('127.0.0.1')],
    ['has a public address of loopback', config('0.0.0.0', 'http://localhost:8787')],
  ])('the address for other computers has a warning when no other computer can reach it: it %s', (_name, relay) => {
    expect(reachableAddress(relay, here, network)).toMatchObject({
      insecure: false,
      reachable: 'loopback',
      warning: expect.stringContaining('--host 0.0.0.0'),
    });
  });

  it('the address for other computers is loopback on a computer without a network', () => {
    expect(reachableAddress(config('0.0.0.0'), here, () => undefined)).toMatchObject({ reachable: 'loopback' });
  });

  it('ignores a forged Host header', () => {
    expect(reachableAddress(config('127.0.0.1'), request('evil.example', '127.0.0.1'), network).url).toBe(
      'http://127.0.0.1:8787',
    );
  });
});
