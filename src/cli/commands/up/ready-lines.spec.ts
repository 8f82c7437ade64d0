import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { curlLine, pathLine, qrCode } from './ready-lines.js';

describe('the line that puts ferry on the PATH', () => {
  let home: string;
  let own: string;
  beforeAll(async () => {
    home = await mkdtemp(path.join(os.tmpdir(), 'ferry-path-'));
    own = path.join(home, '.local/bin');
    await mkdir(own, { recursive: true });
  });
  afterAll(() => rm(home, { recursive: true }));

  it('the line that puts ferry on the PATH is a link in a folder of the user that is on the PATH', () => {
    expect(pathLine({ PATH: `/nowhere:${own}` }, 'linux', home)).toMatch(
      new RegExp(`^ln -s \\S+/bin/ferry\\.js ${own}/ferry$`),
    );
  });

  it('the line that puts ferry on the PATH is npm link where there is none', () => {
    expect(pathLine({ PATH: '/nowhere' }, 'linux', home)).toMatch(/^cd \S+ && npm link$/);
    expect(pathLine({ Path: 'C:\\nowhere' }, 'win32', home)).toMatch(/^cd \/d ".+" && npm link$/);
  });

  it('the line that puts ferry on the PATH is not needed where the shell finds a program of that name', async () => {
    const file = path.join(own, 'ferry');
    await writeFile(file, '#!/bin/sh\n');
    expect(pathLine({ PATH: own }, 'linux', home)).toBeDefined();
    await chmod(file, 0o755);
    expect(pathLine({ PATH: own }, 'linux', home)).toBeUndefined();
  });
});

/** What a shell makes of the line, with `curl` replaced by a program that prints its arguments. */
const wordsOf = (line: string): string[] =>
  execFileSync('sh', ['-c', `curl() { printf '%s\\n' "$@"; }\n${line}`], { encoding: 'utf8' })
    .trimEnd()
    .split('\n');

describe('the curl line', () => {
  it('the curl line is one line that a shell parses as intended', () => {
    const line = curlLine('http://127.0.0.1:8787', 'sk-ferry-abc', 'tiny', 'linux');
    expect(line).not.toContain('\n');
    const words = wordsOf(line);
    expect(words).toContain('http://127.0.0.1:8787/v1/chat/completions');
    expect(words).toContain('Authorization: Bearer sk-ferry-abc');
    expect(JSON.parse(words.at(-1)!)).toMatchObject({ model: 'tiny', stream: true });
  });

  it('handles a model name with a quote', () => {
    const words = wordsOf(curlLine('http://127.0.0.1:8787', 'sk', "it's $HOME", 'linux'));
    expect(JSON.parse(words.at(-1)!)).toMatchObject({ model: "it's $HOME" });
  });

  it('uses double quotes for cmd.exe', () => {
    expect(curlLine('http://127.0.0.1:8787', 'sk', 'tiny', 'win32')).toContain('"{\\"model\\":\\"tiny\\"');
  });
});

describe('the QR code of the link', () => {
  it('the QR code of the link is drawn with half blocks where another device can open it', async () => {
    const drawn = await qrCode(`https://relay.example/console/start#ferry-web-${'y'.repeat(61)}`);
    const lines = 'code' in drawn ? drawn.code.split('\n') : [];
    expect(lines.length).toBeGreaterThan(20);
    expect(new Set(lines.map((line) => Array.from(line).length)).size).toBe(1);
    expect(lines.join('')).toMatch(/^[█▀▄ ]+$/);
  });

  it.each([null, 'http://127.0.0.1:8787/console/start#x'])(
    'the QR code of the link is refused, with what to do, for %s',
    async (link) => {
      expect(await qrCode(link)).toEqual({ refusal: expect.arrayContaining([expect.stringContaining('https')]) });
    },
  );
});
