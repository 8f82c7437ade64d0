import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ensureRelaySecret } from './relay-secret.js';

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'ferry-secret-'));
});

afterEach(async () => {
  await rm(directory, { recursive: true, force: true });
});

describe('the secret beside the embedded database', () => {
  it('the secret beside the embedded database is created once with mode 0600, and stable from then on', async () => {
    const folder = path.join(directory, 'relay');
    const secret = await ensureRelaySecret(folder);
    expect(secret.length).toBeGreaterThanOrEqual(64);
    expect(await ensureRelaySecret(folder)).toBe(secret);
    expect((await stat(path.join(folder, 'secret'))).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['secret']);
  });

  it('the secret beside the embedded database is the same for concurrent starts', async () => {
    const secrets = await Promise.all(Array.from({ length: 10 }, () => ensureRelaySecret(directory)));
    expect(new Set(secrets).size).toBe(1);
    expect((await readFile(path.join(directory, 'secret'), 'utf8')).trim()).toBe(secrets[0]);
  });

  it.each(['', 'short\n'])(
    'the secret beside the embedded database is not replaced when the file holds %j, which would invalidate signatures',
    async (content) => {
      await writeFile(path.join(directory, 'secret'), content);
      await expect(ensureRelaySecret(directory)).rejects.toThrow('does not hold a secret');
    },
  );
});
