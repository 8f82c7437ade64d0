/** The built-in engine as the node makes it of its entry in `engines.json`. */
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { firstValueFrom } from 'rxjs';
import { tinyFile, untilLoaded } from '../../../../test/support/engine/tiny-engine.js';
import { systemClock } from '../../../kernel/clock.js';
import type { Engine } from '../engine.js';
import { llamacppKind } from './llamacpp-kind.js';

jest.setTimeout(60_000);

let directory: string;
let engine: Engine | undefined;

const create = async (entry: object): Promise<Engine> => {
  engine = await llamacppKind.create(
    llamacppKind.schema.parse({ kind: 'llamacpp', slots: 1, context_tokens: 256, ...entry }),
    {
      env: { FERRY_DATA_DIR: directory },
      directory: path.join(directory, 'node'),
      userAgent: 'ferry-node/test',
      clock: systemClock,
      log: () => undefined,
    },
  );
  await engine.start();
  return engine;
};

beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'ferry-kind-'));
});

afterEach(async () => {
  await engine?.stop();
  await rm(directory, { recursive: true });
});

const namesOf = async ({ models$ }: Engine): Promise<string[]> =>
  (await firstValueFrom(models$)).map(({ engine_model }) => engine_model);

describe('the built-in engine of a node', () => {
  it('the built-in engine of a node has the bundled model loaded, and the models of the data directory', async () => {
    await mkdir(path.join(directory, 'models'));
    await copyFile(tinyFile, path.join(directory, 'models', 'mine.gguf'));
    const node = await create({ load: ['tiny'] });
    const models = await untilLoaded(node);
    expect(models.map(({ engine_model, state }) => [engine_model, state])).toEqual([
      ['tiny', 'loaded'],
      ['mine', 'installed'],
    ]);
  });

  it('the built-in engine of a node has only the models of the configured folder', async () => {
    await mkdir(path.join(directory, 'node', 'gguf'), { recursive: true });
    await copyFile(tinyFile, path.join(directory, 'node', 'gguf', 'mine.gguf'));
    expect(await namesOf(await create({ models_directory: 'gguf', load: [] }))).toEqual(['mine']);
  });
});
