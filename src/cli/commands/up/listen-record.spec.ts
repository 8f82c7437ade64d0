import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { keepListenRecord, lostAddress, readListenRecord } from './listen-record.js';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'ferry-listen-'));
});
afterEach(() => rm(directory, { recursive: true }));

/** A start on that address, after those before it. */
async function started(host: string, port: number, requestedFor = port): Promise<void> {
  await keepListenRecord(directory, { host, port }, requestedFor, await readListenRecord(directory));
}

describe('where ferry up listened the last time', () => {
  it('is kept in a file of its owner only', async () => {
    expect(await readListenRecord(directory)).toBeUndefined();
    await started('0.0.0.0', 9_000);
    expect(await readListenRecord(directory)).toMatchObject({ host: '0.0.0.0', port: 9_000 });
    expect((await stat(path.join(directory, 'listen.json'))).mode & 0o777).toBe(0o600);
  });

  it('is no port that was chosen because it was free', async () => {
    await started('0.0.0.0', 40_001, 0);
    expect(await readListenRecord(directory)).toEqual({ host: '0.0.0.0', network: { host: '0.0.0.0', port: 40_001 } });
    await started('127.0.0.1', 9_000);
    await started('127.0.0.1', 40_002, 0);
    expect(await readListenRecord(directory)).toMatchObject({ port: 9_000 });
  });

  it.each(['', '{', '{"host":1}', '{"host":"0.0.0.0","port":70000}'])(
    'is unknown where the file says %p',
    async (text) => {
      await writeFile(path.join(directory, 'listen.json'), text);
      expect(await readListenRecord(directory)).toBeUndefined();
    },
  );

  it.each([
    ['a start for this computer only', '127.0.0.1', 8_787, true],
    ['another port', '0.0.0.0', 9_000, true],
    ['the same address', '0.0.0.0', 8_787, false],
    ['one of its addresses', '192.168.1.5', 8_787, false],
  ])('strands computers that joined there: %s', async (_name, host, port, strands) => {
    await started('0.0.0.0', 8_787);
    const earlier = await readListenRecord(directory);
    expect(lostAddress(earlier, { host, port })).toEqual(strands ? { host: '0.0.0.0', port: 8_787 } : undefined);
    // It stays so until they have been told another one.
    await started(host, port);
    expect(lostAddress(await readListenRecord(directory), { host: '::1', port })).toBeDefined();
  });

  it('strands nobody where no other computer could ever reach it', async () => {
    await started('127.0.0.1', 8_787);
    expect(lostAddress(await readListenRecord(directory), { host: '127.0.0.1', port: 9_000 })).toBeUndefined();
  });
});
