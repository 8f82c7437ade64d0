/** What `ferry up` asks of the node before it starts it, and what that costs the process that asks. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { bundledModels } from './preparation.js';

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(path.join(os.tmpdir(), 'ferry-preparation-'));
});
afterEach(() => {
  rmSync(directory, { recursive: true });
});

const asked = (engines?: object) => {
  if (engines !== undefined) {
    mkdirSync(path.join(directory, 'node'));
    writeFileSync(path.join(directory, 'node', 'engines.json'), JSON.stringify(engines));
  }
  return bundledModels({ FERRY_DATA_DIR: directory });
};

describe('the bundled models', () => {
  it('the bundled models are served without a file, and by a built-in engine with the default folders', async () => {
    expect(await asked()).toBe('served');
    expect(await asked({ engines: [{ kind: 'llamacpp' }] })).toBe('served');
  });

  it('the bundled models are not served by other engines, nor by a built-in engine with a folder of its own', async () => {
    const engines = [
      { kind: 'ollama', base_url: 'http://127.0.0.1:11434' },
      { kind: 'llamacpp', models_directory: '/models' },
    ];
    expect(await asked({ engines })).toBe('none');
  });

  it('the bundled models are not guessed where the file cannot be used', async () => {
    await expect(asked({ engines: [{ kind: 'unknown' }] })).rejects.toThrow('"llamacpp", "ollama"');
  });
});

it('loads no HTTP client and no engine into the process that asks', () => {
  const seen = new Set<string>();
  const packages = new Set<string>();
  const follow = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(
      /^(?:import|export)(?! type)[^;]*? from '([^']+)'/gm,
    )) {
      if (name.startsWith('.')) follow(path.resolve(path.dirname(file), name.replace(/\.js$/, '.ts')));
      else packages.add(name);
    }
  };
  follow(fileURLToPath(new URL('preparation.ts', import.meta.url)));
  expect([...packages]).toContain('zod');
  expect([...packages].filter((name) => /^(?:undici|ws|rxjs|pino)$/.test(name))).toEqual([]);
});
