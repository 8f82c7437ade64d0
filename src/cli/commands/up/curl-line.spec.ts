import { execFileSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { curlLine } from './curl-line.js';

/** What a shell makes of the line, with `curl` replaced by a program that prints its arguments. */
const wordsOf = (line: string): string[] =>
  execFileSync('sh', ['-c', `curl() { printf '%s\\n' "$@"; }\n${line}`], { encoding: 'utf8' })
    .trimEnd()
    .split('\n');

describe('the curl line', () => {
  it('is one line that a shell parses as intended', () => {
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
