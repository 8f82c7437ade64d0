import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pathLine } from './path-line.js';

describe('the line that puts ferry on the PATH', () => {
  let home: string;
  let own: string;
  beforeAll(async () => {
    home = await mkdtemp(path.join(os.tmpdir(), 'ferry-path-'));
    own = path.join(home, '.local/bin');
    await mkdir(own, { recursive: true });
  });
  afterAll(() => rm(home, { recursive: true }));

  it('is a link in a folder of the user that is on the PATH', () => {
    expect(pathLine({ PATH: `/nowhere:${own}` }, 'linux', home)).toMatch(
      new RegExp(`^ln -s \\S+/bin/ferry\\.js ${own}/ferry$`),
    );
  });

  it('is npm link where there is none', () => {
    expect(pathLine({ PATH: '/nowhere' }, 'linux', home)).toMatch(/^cd \S+ && npm link$/);
    expect(pathLine({ Path: 'C:\\nowhere' }, 'win32', home)).toMatch(/^cd \/d ".+" && npm link$/);
  });

  it('is not needed where the shell finds a program of that name', async () => {
    const file = path.join(own, 'ferry');
    await writeFile(file, '#!/bin/sh\n');
    expect(pathLine({ PATH: own }, 'linux', home)).toBeDefined();
    await chmod(file, 0o755);
    expect(pathLine({ PATH: own }, 'linux', home)).toBeUndefined();
  });
});
