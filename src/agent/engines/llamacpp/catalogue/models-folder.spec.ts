import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { listBundled, listModels, type ModelFolders } from './models-folder.js';

describe('the list of models of the built-in engine', () => {
  let root: string;
  let folders: ModelFolders & { readonly bundled: string };

  beforeEach(async () => {
    root = await mkdtemp(path.join(os.tmpdir(), 'ferry-folders-'));
    folders = { installed: path.join(root, 'installed'), bundled: path.join(root, 'bundled') };
    for (const folder of [folders.installed, folders.bundled]) await mkdir(folder);
    await writeFile(path.join(folders.bundled, 'tiny.gguf'), 'bundled');
  });

  afterEach(() => rm(root, { recursive: true }));

  it('has an installed file in place of a bundled one of the same name', async () => {
    expect([...(await listModels(folders)).values()]).toMatchObject([{ engineModel: 'tiny', removable: false }]);
    await writeFile(path.join(folders.installed, 'tiny.gguf'), 'installed');
    await writeFile(path.join(folders.installed, 'other.gguf'), 'installed');
    expect([...(await listModels(folders)).values()]).toMatchObject([
      { engineModel: 'tiny', removable: true, sizeBytes: 'installed'.length },
      { engineModel: 'other', removable: true },
    ]);
  });

  it('is made without reading the bundled folder where its files are known', async () => {
    const bundled = listBundled(folders);
    await bundled;
    await rm(folders.bundled, { recursive: true });
    expect([...(await listModels(folders, bundled)).keys()]).toEqual(['tiny']);
  });
});
