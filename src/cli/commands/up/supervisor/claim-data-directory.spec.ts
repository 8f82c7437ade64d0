import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { acquireInstanceLock, InstanceLockedError } from '../../../../kernel/instance-lock.js';
import { checkPort } from '../../../core/args/listen-address.js';
import { claimDataDirectory } from './claim-data-directory.js';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'ferry-claim-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const me = (): object => ({ pid: process.pid });

describe('the data directory of ferry up', () => {
  it('the data directory of ferry up has one owner at a time', async () => {
    const lock = await claimDataDirectory(directory, me);
    await expect(claimDataDirectory(directory, me)).rejects.toBeInstanceOf(InstanceLockedError);
    await lock.release();
    await (await claimDataDirectory(directory, me)).release();
  });

  it('waits for the relay of a killed supervisor to exit', async () => {
    const relay = await acquireInstanceLock(path.join(directory, 'relay'), 'relay', me);
    const claimed = claimDataDirectory(directory, me, 10_000);
    await relay.release();
    await (await claimed).release();
  });

  it.each(['relay', 'node'])(
    'the data directory of ferry up is refused while another %s runs there, and is released',
    async (name) => {
      const other = await acquireInstanceLock(path.join(directory, name), name, me);
      await expect(claimDataDirectory(directory, me, 0)).rejects.toBeInstanceOf(InstanceLockedError);
      await other.release();
      await (await claimDataDirectory(directory, me)).release();
    },
  );
});

describe('the port of ferry up', () => {
  it('the port of ferry up is refused with its number when it is in use', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await expect(checkPort('127.0.0.1', port)).rejects.toMatchObject({ code: 'EADDRINUSE', port });
    server.close();
    await once(server, 'close');
    await expect(checkPort('127.0.0.1', port)).resolves.toBeUndefined();
  });

  it('the port of ferry up may be 0, but the address has to be one of this computer', async () => {
    await expect(checkPort('127.0.0.1', 0)).resolves.toBeUndefined();
    await expect(checkPort('192.0.2.1', 0)).rejects.toMatchObject({ code: 'EADDRNOTAVAIL' });
    await expect(checkPort('nohost.invalid', 0)).rejects.toMatchObject({ syscall: 'getaddrinfo' });
  });
});
