import { describe, expect, it } from '@jest/globals';
import { createServer } from 'node:http';
import { addressOf, listen } from '../../relay-application.js';

describe('listening', () => {
  it("on port 0 returns the assigned port; a port in use is the system's error", async () => {
    const first = createServer();
    const second = createServer();
    const port = await listen(first, 0, '127.0.0.1');
    expect(port).toBeGreaterThan(0);
    await expect(listen(second, port, '127.0.0.1')).rejects.toMatchObject({
      code: 'EADDRINUSE',
      syscall: 'listen',
      port,
    });
    first.close();
  });

  it.each([
    ['127.0.0.1', 'http://127.0.0.1:80'],
    ['0.0.0.0', 'http://127.0.0.1:80'],
    ['::', 'http://127.0.0.1:80'],
    ['::1', 'http://[::1]:80'],
    ['relay.local', 'http://relay.local:80'],
  ])('on %s is reached at %s', (host, address) => {
    expect(addressOf(host, 80)).toBe(address);
  });
});
