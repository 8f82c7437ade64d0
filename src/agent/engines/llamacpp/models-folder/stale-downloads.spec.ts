import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { systemClock } from '../../../../kernel/clock.js';
import { deleteStaleDownloads } from './stale-downloads.js';

it('removes only downloads abandoned long ago', async () => {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'ferry-parts-'));
  const longAgo = new Date('2020-01-01');
  const write = async (name: string, at?: Date): Promise<void> => {
    await writeFile(path.join(directory, name), 'GGUF');
    if (at !== undefined) await utimes(path.join(directory, name), at, at);
  };
  try {
    await write('old.gguf.part', longAgo);
    await write('old.gguf.part.json', longAgo);
    await write('young.gguf.part');
    await write('young.gguf.part.json', longAgo);
    // Of another program: it has no description of ours.
    await write('foreign.gguf.part', longAgo);
    await write('model.gguf', longAgo);
    await deleteStaleDownloads(directory, systemClock, () => undefined);
    expect((await readdir(directory)).sort()).toEqual([
      'foreign.gguf.part',
      'model.gguf',
      'young.gguf.part',
      'young.gguf.part.json',
    ]);
    await deleteStaleDownloads(path.join(directory, 'missing'), systemClock, () => undefined);
  } finally {
    await rm(directory, { recursive: true });
  }
});
