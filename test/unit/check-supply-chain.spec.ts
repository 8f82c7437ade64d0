/** The supply-chain check against lock files that break its rules, and against those of the project. The audit needs a registry. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { checkLockFile, isAllowed } from '../../scripts/check-supply-chain.mjs';

const root = path.resolve(import.meta.dirname, '../..');

describe('the check of a lock file', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'ferry-lock-'));
  });

  afterEach(async () => {
    await rm(folder, { recursive: true });
  });

  test('names a production package with another licence or without a checksum, and no development package', async () => {
    const packages = {
      '': {
        version: '1.0.0',
        dependencies: { good: '1.0.0', copyleft: '1.0.0' },
        optionalDependencies: { unsealed: '1.0.0', stubbed: 'file:stub' },
        devDependencies: { tool: '1.0.0' },
      },
      'node_modules/good': { version: '1.0.0', integrity: 'sha512-x', license: 'MIT' },
      'node_modules/copyleft': { version: '1.0.0', integrity: 'sha512-x', license: 'AGPL-3.0-only' },
      'node_modules/unsealed': { version: '1.0.0', license: 'ISC' },
      'node_modules/tool': { version: '1.0.0', license: 'GPL-3.0', dev: true },
      'node_modules/stubbed': { resolved: 'stub', link: true },
      stub: { optional: true },
    };
    await writeFile(path.join(folder, 'package-lock.json'), JSON.stringify({ lockfileVersion: 3, packages }));
    expect(checkLockFile(folder)).toEqual({
      packages: 3,
      problems: [
        'node_modules/copyleft: the licence AGPL-3.0-only is not in the list',
        'node_modules/unsealed: no checksum',
      ],
    });
  });

  test.each(['.', 'engines/llamacpp'])('finds nothing in the project’s own (%s)', (project) => {
    const { packages, problems } = checkLockFile(path.join(root, project));
    expect(problems).toEqual([]);
    expect(packages).toBeGreaterThan(50);
  });
});

test('one licence of several alternatives is enough', () => {
  expect(isAllowed('(GPL-3.0 OR MIT)')).toBe(true);
  expect(isAllowed('GPL-3.0')).toBe(false);
  expect(isAllowed('MIT AND GPL-3.0')).toBe(false);
  expect(isAllowed(undefined)).toBe(false);
});
