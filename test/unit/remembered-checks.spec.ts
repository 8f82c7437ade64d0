/** When a static check is run again (docs/internals/testing.md). */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { stateOfFiles } from '../../scripts/remembered-checks.mjs';

describe('the state of files on which checks are remembered', () => {
  let folder: string;
  const write = (name: string, text: string): void => {
    writeFileSync(path.join(folder, name), text);
  };

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'ferry-files-'));
    execFileSync('git', ['init', '--quiet'], { cwd: folder });
    write('.gitignore', 'built\n');
    write('one.ts', 'one');
    execFileSync('git', ['add', '.'], { cwd: folder });
  });

  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('the state of files on which checks are remembered is the same for the same files, whatever Git ignores', () => {
    const before = stateOfFiles(folder);
    write('built', 'anything');
    expect(stateOfFiles(folder)).toBe(before);
    expect(before).toMatch(/^[0-9a-f]{64}$/);
  });

  it.each([
    ['an edited file', () => write('one.ts', 'two')],
    ['a new file that Git does not know', () => write('two.ts', '')],
    ['a deleted file', () => rmSync(path.join(folder, 'one.ts'))],
    ['a renamed file', () => renameSync(path.join(folder, 'one.ts'), path.join(folder, 'two.ts'))],
  ])('differs with %s', (_change, change) => {
    const before = stateOfFiles(folder);
    change();
    expect(stateOfFiles(folder)).not.toBe(before);
  });

  it('the state of files on which checks are remembered is unknown outside of a repository', () => {
    rmSync(path.join(folder, '.git'), { recursive: true });
    expect(stateOfFiles(folder)).toBeUndefined();
  });
});
