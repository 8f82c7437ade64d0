import { execFileSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { shellString, shellWord } from './shell-words.js';

const hostile = ["it's", 'a b', '$(id)', '`id`', '"; id; "', '\\', "\\'", '!!', '-e', 'ü‘’', '%PATH%', 'a\nb', ''];

describe('a text as a word of a shell', () => {
  it.each(hostile)('a text as a word of a shell is the same text for sh: %j', (text) => {
    const out = execFileSync('/bin/sh', ['-c', `printf '%s' ${shellString(text, 'sh')}`], { encoding: 'utf8' });
    expect(out).toBe(text);
  });

  it('doubles every character that PowerShell takes for a single quote', () => {
    expect(shellString("a'b‘c’d‚e‛f", 'powershell')).toBe("'a''b‘‘c’’d‚‚e‛‛f'");
  });

  it('escapes backslashes and quotes for fish', () => {
    expect(shellString("\\ and '", 'fish')).toBe("'\\\\ and \\''");
  });

  it.each([
    ['{"model":"tiny"}', String.raw`"{\"model\":\"tiny\"}"`],
    ['C:\\a b\\', String.raw`"C:\a b\\"`],
    ['\\"', String.raw`"\\\""`],
    ['"&calc&"', String.raw`^"\^"^&calc^&\^"^"`],
    ['%PATH%', '^"^%PATH^%^"'],
  ])('a text as a word of a shell is one argument of a program for cmd.exe: %s', (text, expected) => {
    expect(shellString(text, 'cmd')).toBe(expected);
  });

  it('a text as a word of a shell has no quotes where none are needed', () => {
    expect(shellWord('qwen3:8b')).toBe('qwen3:8b');
    expect(shellWord('a b')).toBe("'a b'");
  });
});
