/** The folder of the built-in engine, watched. */
import { copyFile, mkdtemp, rm, unlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { filter, firstValueFrom } from 'rxjs';
import { enginePackageDirectory, tinyFile } from '../../../../test/support/engine/tiny-engine.js';
import { systemClock } from '../../../kernel/clock.js';
import type { EngineModel } from '../engine.js';
import { createLlamacppEngine } from './llamacpp-engine.js';

jest.setTimeout(60_000);

describe('the models folder of the built-in engine', () => {
  it('the models folder of the built-in engine is watched: files appear, load when configured, and vanish', async () => {
    const modelsDirectory = await mkdtemp(path.join(os.tmpdir(), 'ferry-models-'));
    const engine = createLlamacppEngine({
      enginePackageDirectory,
      modelsDirectory,
      load: ['wanted'],
      slots: 1,
      contextTokens: 512,
      rescanMs: 20,
      clock: systemClock,
    });
    const statesOf = (list: readonly EngineModel[]) =>
      list.map((model) => `${model.engine_model} ${model.state}`).join(', ');
    const listed = (expected: string) =>
      firstValueFrom(engine.models$.pipe(filter((list) => statesOf(list) === expected)));
    try {
      await engine.start();
      await listed('');
      await copyFile(tinyFile, path.join(modelsDirectory, 'wanted.gguf'));
      await listed('wanted loaded');
      await copyFile(tinyFile, path.join(modelsDirectory, 'Other-Q8_0.gguf'));
      const [, other] = await listed('wanted loaded, Other-Q8_0 installed');
      expect(other).toMatchObject({ display_name: 'Other-Q8_0', canonical_name: 'other', quantization: 'Q8_0' });
      await unlink(path.join(modelsDirectory, 'wanted.gguf'));
      await listed('Other-Q8_0 installed');
    } finally {
      await engine.stop();
      await rm(modelsDirectory, { recursive: true });
    }
  });

  it('the models folder of the built-in engine without its packages the engine has no models and says how to install them', async () => {
    const messages: string[] = [];
    const engine = createLlamacppEngine({
      enginePackageDirectory: os.tmpdir(),
      modelsDirectory: path.dirname(tinyFile),
      load: 'all',
      clock: systemClock,
      log: (_level, message) => messages.push(message),
    });
    await engine.start();
    expect(await firstValueFrom(engine.models$)).toEqual([]);
    expect(engine.facts()).toEqual({ name: 'llamacpp', kind: 'llamacpp', version: null });
    expect(messages).toEqual([expect.stringContaining('npm ci --ignore-scripts')]);
    await engine.stop();
  });
});
