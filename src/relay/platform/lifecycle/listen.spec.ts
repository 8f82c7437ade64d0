import { describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { Worker } from 'node:worker_threads';
import { addressOf, canReusePort, listen, readArrived, stopListening } from './listen.js';

describe('listening', () => {
  it("listening on port 0 returns the assigned port; a port in use is the system's error", async () => {
    const first = createServer();
    const second = createServer();
    const port = await listen(first, { port: 0, host: '127.0.0.1' });
    expect(port).toBeGreaterThan(0);
    await expect(listen(second, { port, host: '127.0.0.1' })).rejects.toMatchObject({
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
  ])('listening on %s is reached at %s', (host, address) => {
    expect(addressOf(host, 80)).toBe(address);
  });

  it.each([
    ['20.20.2', 'linux', false],
    ['22.11.0', 'linux', false],
    ['22.12.0', 'linux', true],
    ['23.0.0', 'linux', false],
    ['23.1.0', 'linux', true],
    ['24.0.0', 'linux', true],
    ['24.0.0', 'darwin', false],
  ])('Node %s on %s shares a port between processes: %s', (version, platform, expected) => {
    expect(canReusePort(version, platform)).toBe(expected);
  });

  it('ends after all that had connected before is accepted', async () => {
    const server = createServer((_req, res) => res.end('hello'));
    const port = await listen(server, { port: 0, host: '127.0.0.1' });
    const sent = new Int32Array(new SharedArrayBuffer(4));
    const clients = new Worker(CLIENTS, { eval: true, workerData: { port, sent, count: CLIENT_COUNT } });
    const responses = once(clients, 'message');
    await once(clients, 'online');
    // This thread accepts nothing meanwhile, as in a process that waits for a core.
    while (Atomics.load(sent, 0) < CLIENT_COUNT) Atomics.wait(sent, 0, Atomics.load(sent, 0), 10_000);
    await stopListening(server);
    expect((await responses)[0]).toEqual(Array.from({ length: CLIENT_COUNT }, () => 'HTTP/1.1 200 OK'));
    await clients.terminate();
  });

  it('listening has begun what arrived while the process waited for a core, and says whether there was any', async () => {
    let begun = 0;
    const server = createServer((_req, res) => {
      begun += 1;
      res.end('hello');
    });
    const port = await listen(server, { port: 0, host: '127.0.0.1' });
    expect(await readArrived(server)).toBe(false);
    const sent = new Int32Array(new SharedArrayBuffer(4));
    const clients = new Worker(CLIENTS, { eval: true, workerData: { port, sent, count: CLIENT_COUNT } });
    const responses = once(clients, 'message');
    await once(clients, 'online');
    while (Atomics.load(sent, 0) < CLIENT_COUNT) Atomics.wait(sent, 0, Atomics.load(sent, 0), 10_000);
    expect(begun).toBe(0);
    expect(await readArrived(server)).toBe(true);
    expect(begun).toBe(CLIENT_COUNT);
    await responses;
    expect(await readArrived(server)).toBe(false);
    await clients.terminate();
    server.close();
  });
});

const CLIENT_COUNT = 30;

/** Connects and sends a request at once from each client, counts what is sent, and reports the first line of each response. */
const CLIENTS = `
  const { parentPort, workerData: { port, sent, count } } = require('node:worker_threads');
  const net = require('node:net');
  const ask = () => new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1', () => {
      socket.write('GET / HTTP/1.1\\r\\nHost: relay\\r\\nConnection: close\\r\\n\\r\\n', () => {
        Atomics.add(sent, 0, 1);
        Atomics.notify(sent, 0);
      });
    });
    let text = '';
    socket.on('data', (part) => (text += part));
    socket.on('error', (error) => resolve(error.code));
    socket.on('close', () => resolve(text.split('\\r\\n')[0]));
  });
  Promise.all(Array.from({ length: count }, ask)).then((lines) => parentPort.postMessage(lines));
`;
