import { once } from 'node:events';
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { sendControlRequest, serveControl, type ControlHandler } from './control-socket.js';
import type { LineServer } from './local-socket.js';

let directory: string;
const servers: LineServer[] = [];

beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'ferry-control-'));
});

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
  await rm(directory, { recursive: true, force: true });
});

const serve = async (handle: ControlHandler, where = directory): Promise<LineServer> => {
  const server = await serveControl(where, 'relay-control', handle);
  servers.push(server);
  return server;
};

const ask = (request: object, where = directory, signal?: AbortSignal, timeoutMs = 5_000) =>
  sendControlRequest(where, 'relay-control', { ...request }, { timeoutMs, signal });

const echo: ControlHandler = (request) => Promise.resolve({ got: request });

describe('a control socket', () => {
  it('answers a request of the same user, and of nobody else', async () => {
    await serve(echo);
    expect(await ask({ do: 'this' })).toEqual({ got: { do: 'this' } });
    expect((await stat(path.join(directory, 'relay-control.sock'))).mode & 0o777).toBe(0o600);
  });

  it('a control socket is not there before and after its program', async () => {
    expect(await ask({})).toBeUndefined();
    const server = await serve(echo);
    await server.close();
    await server.close();
    expect(await ask({})).toBeUndefined();
  });

  it('a control socket is taken over from a program that was killed', async () => {
    await writeFile(path.join(directory, 'relay-control.sock'), 'left behind');
    await serve(echo);
    expect(await ask({ n: 1 })).toEqual({ got: { n: 1 } });
  });

  it('tells why a request failed', async () => {
    await serve(() => Promise.reject(new Error('not now')));
    await expect(ask({})).rejects.toThrow('not now');
  });

  it('works in a directory whose path is longer than an address', async () => {
    const deep = path.join(directory, 'd'.repeat(120));
    await mkdir(deep);
    await serve(echo, deep);
    expect(await ask({ n: 2 }, deep)).toEqual({ got: { n: 2 } });
  });

  it('closes a connection that sends no object, or too much', async () => {
    await serve(echo);
    for (const text of ['no json\n', '[]\n', `{"long":"${'x'.repeat(5_000)}"}\n`]) {
      const socket = createConnection(path.join(directory, 'relay-control.sock')).resume();
      socket.on('error', () => undefined);
      socket.write(text);
      await once(socket, 'close');
    }
    expect(await ask({ n: 3 })).toEqual({ got: { n: 3 } });
  });

  it('lets the one who asks stop waiting, and does not wait for ever', async () => {
    await serve(() => new Promise(() => undefined));
    const stop = new AbortController();
    const stopped = ask({}, directory, stop.signal);
    setTimeout(() => {
      stop.abort();
    }, 50);
    await expect(stopped).rejects.toThrow('aborted');
    await expect(ask({}, directory, undefined, 50)).rejects.toThrow('does not answer');
  });
});
