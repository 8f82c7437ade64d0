import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listGgufFiles } from './gguf-files.js';
import { identityDigest, parseGgufName, quantizationOfFileType } from './gguf-identity.js';

describe('a GGUF file name', () => {
  it.each([
    ['tiny.gguf', 'tiny', 'tiny', null],
    ['Qwen3-8B-Q4_K_M.gguf', 'Qwen3-8B-Q4_K_M', 'qwen3-8b', 'Q4_K_M'],
    ['mistral-7b-instruct-v0.2.Q5_K_S.gguf', 'mistral-7b-instruct-v0.2.Q5_K_S', 'mistral-7b-instruct-v0.2', 'Q5_K_S'],
    ['gemma-2-9b-it-IQ2_XS.GGUF', 'gemma-2-9b-it-IQ2_XS', 'gemma-2-9b-it', 'IQ2_XS'],
    ['Qwen3-8B-UD-Q4_K_XL.gguf', 'Qwen3-8B-UD-Q4_K_XL', 'qwen3-8b', 'Q4_K_XL'],
    ['model-bf16.gguf', 'model-bf16', 'model', 'BF16'],
    ['gpt-oss-20b-mxfp4.gguf', 'gpt-oss-20b-mxfp4', 'gpt-oss-20b', 'MXFP4'],
    ['-Q4_0.gguf', '-Q4_0', '-q4_0', 'Q4_0'],
    ['DeepSeek-V3-Q8_0-00001-of-00003.gguf', 'DeepSeek-V3-Q8_0', 'deepseek-v3', 'Q8_0'],
  ])('%s', (fileName, engineModel, canonicalName, quantization) => {
    expect(parseGgufName(fileName)).toEqual({ engineModel, canonicalName, quantization, part: 1 });
  });

  it('leaves the quantization to the metadata when it has none', () => {
    expect(quantizationOfFileType(7)).toBe('Q8_0');
    expect(quantizationOfFileType(undefined)).toBeNull();
    expect(quantizationOfFileType(4_711)).toBeNull();
  });
});

describe('GGUF files of a folder', () => {
  let directory: string;
  const file = (name: string) => path.join(directory, name);

  beforeAll(async () => {
    directory = await mkdtemp(path.join(os.tmpdir(), 'ferry-gguf-'));
  });
  afterAll(async () => {
    await rm(directory, { recursive: true });
  });

  it('GGUF files of a folder are one model per name, with the sizes of split parts added', async () => {
    const contents = {
      'b-00001-of-00002.gguf': 'aa',
      'b-00002-of-00002.gguf': 'bbb',
      'c-00002-of-00002.gguf': 'x',
      'a.gguf': 'a',
      'notes.txt': '',
    };
    await Promise.all(Object.entries(contents).map(([name, text]) => writeFile(file(name), text)));
    expect((await listGgufFiles(directory)).map(({ engineModel, sizeBytes }) => [engineModel, sizeBytes])).toEqual([
      ['a', 1],
      ['b', 5],
    ]);
  });

  it('GGUF files of a folder are none without a folder', async () => {
    expect(await listGgufFiles(file('missing'))).toEqual([]);
  });

  it('GGUF files of a folder keep their digest under any name, and lose it with any sampled change', async () => {
    const bytes = Buffer.alloc(6 * 1_024 * 1_024, 7);
    await writeFile(file('x.gguf'), bytes);
    await writeFile(file('y.gguf'), bytes);
    const digest = await identityDigest(file('x.gguf'));
    expect(digest).toMatch(/^[0-9a-f]{64}$/);
    expect(await identityDigest(file('y.gguf'))).toBe(digest);
    const changed = Buffer.from(bytes);
    // Fine-tuning moves every weight: beyond the head it is enough that the sampled pieces notice.
    changed.fill(8, 5 * 1_024 * 1_024);
    await writeFile(file('y.gguf'), changed);
    expect(await identityDigest(file('y.gguf'))).not.toBe(digest);
    await writeFile(file('y.gguf'), Buffer.concat([bytes, Buffer.alloc(1)]));
    expect(await identityDigest(file('y.gguf'))).not.toBe(digest);
  });
});
