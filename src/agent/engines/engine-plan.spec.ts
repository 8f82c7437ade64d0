import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { engineKinds } from './engine-kinds.js';
import { planEngines, type EnginePlan } from './engine-plan.js';
import { EnginesFileError } from './engines-file-error.js';

let directory: string;
let file: string;
beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'ferry-plan-'));
  file = path.join(directory, 'engines.json');
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const plan = async (
  written: object | undefined,
  { engineUrls = [] as string[], on = true, hasBuiltIn = true } = {},
): Promise<EnginePlan> => {
  if (written !== undefined) await writeFile(file, JSON.stringify(written));
  const discovery = { on, ports: [11_434, 8_080], intervalMs: 15_000 };
  return planEngines({ engineUrls, file, kinds: engineKinds, hasBuiltIn, discovery });
};
const summary = ({ entries, places }: EnginePlan) => [
  entries.map(({ kind }) => kind),
  places.map(({ urls }) => urls[0]?.port),
];

const generic = { kind: 'openai-compatible', base_url: 'http://localhost:8080/v1' };

describe('the engine plan of a node', () => {
  it.each<[string, object | undefined, object, unknown]>([
    ['nothing written: built in, and found', undefined, {}, [['llamacpp'], ['11434', '8080']]],
    [
      'nothing written, the built-in engine not installed: found ones',
      undefined,
      { hasBuiltIn: false },
      [[], ['11434', '8080']],
    ],
    ['a file with the built-in engine', { engines: [{ kind: 'llamacpp' }] }, { hasBuiltIn: false }, [['llamacpp'], []]],
    ['nothing written, discovery off', undefined, { on: false }, [['llamacpp'], []]],
    ['a file with engines: these only', { engines: [generic] }, {}, [['openai-compatible'], []]],
    [
      'a file with engines that wants more: but none twice',
      { engines: [generic], discover: true },
      {},
      [['openai-compatible'], ['11434']],
    ],
    ['a file that only says discover', { discover: true }, {}, [[], ['11434', '8080']]],
    ['a file that wants nothing', { engines: [], discover: false }, {}, [[], []]],
    [
      'a file that wants more, discovery off',
      { engines: [generic], discover: true },
      { on: false },
      [['openai-compatible'], []],
    ],
    ['addresses by flag: these only', { discover: true }, { engineUrls: ['http://127.0.0.1:1234'] }, [[], ['1234']]],
  ])('%s', async (_, written, options, expected) => {
    expect(summary(await plan(written, options))).toEqual(expected);
  });

  it('rejects an invalid address', async () => {
    const error = await plan(undefined, { engineUrls: ['127.0.0.1:1234'] }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(EnginesFileError);
    expect((error as Error).message).toContain('engine address 127.0.0.1:1234 cannot be used: an address like');
  });
});
