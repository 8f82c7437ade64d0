import os from 'node:os';
import { describe, expect, it } from '@jest/globals';
import { loopbackTargets, sameEndpoint } from './search-targets.js';

const url = (text: string): URL => new URL(text);

describe('addresses of one engine', () => {
  const own = Object.values(os.networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;

  it.each([
    ['http://localhost:8080/v1', 'http://127.0.0.1:8080'],
    ['http://[::1]:8080', 'http://127.0.0.1:8080'],
    ['http://0.0.0.0:8080', 'http://localhost:8080'],
    ['http://GPU.lan:8080', 'http://gpu.lan:8080/v1'],
    ['http://localhost', 'http://127.0.0.1:80'],
    [`http://${own ?? '127.0.0.1'}:8080`, 'http://127.0.0.1:8080'],
  ])('%s is %s', (one, other) => {
    expect(sameEndpoint(url(one), url(other))).toBe(true);
  });

  it.each([
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8081'],
    ['http://gpu.lan:8080', 'http://127.0.0.1:8080'],
    ['http://192.0.2.1:8080', 'http://127.0.0.1:8080'],
    ['https://localhost', 'http://localhost'],
  ])('%s is not %s', (one, other) => {
    expect(sameEndpoint(url(one), url(other))).toBe(false);
  });
});

it('both loopback addresses are probed, except where an engine is already known', () => {
  const targets = loopbackTargets([11_434, 8_080, 8_080], [url('http://localhost:8080/v1')]);
  expect(targets.map(({ urls, pinned }) => [urls.map(({ href }) => href), pinned])).toEqual([
    [['http://127.0.0.1:11434/', 'http://[::1]:11434/'], false],
  ]);
});
