import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { createTerminal } from '../../core/output/terminal.js';
import { createProgram } from '../../program.js';
import { complete } from './complete.js';
import { completionScripts } from './shell-scripts.js';

const nowhere = { write: () => true };
const program = createProgram({ terminal: createTerminal(nowhere, nowhere, {}), env: {} });
const words = (...line: string[]): string[] => complete(program, line).candidates.map(({ word }) => word);
const place = (...line: string[]) => {
  const { names, typed, ahead } = complete(program, line);
  return { names, typed, ahead };
};

describe('completion candidates', () => {
  it('completion candidates are commands, with their descriptions', () => {
    expect(words('clus')).toEqual(['clusters']);
    expect(words('clusters', '')).toEqual(['list', 'create', 'rename', 'delete']);
    expect(complete(program, ['who']).candidates[0]?.description).toContain('account');
  });

  it('completion candidates are options of the command and global options', () => {
    expect(words('keys', 'create', '--sc')).toEqual(['--scope']);
    expect(words('keys', 'create', 'name', '--ou')).toEqual(['--output']);
  });

  it('completion candidates are values of a choice, however the shell splits the line', () => {
    expect(words('clusters', '--output', '')).toEqual(['table', 'json', 'yaml']);
    expect(words('clusters', '--output=j')).toEqual(['--output=json']);
    expect(words('clusters', '--output', '=', 'j')).toEqual(['json']);
    expect(words('users', 'role', 'ann', 'ow')).toEqual(['owner']);
    expect(words('env', 'cl')).toEqual(['claude']);
  });

  it('completion candidates are empty for free text', () => {
    expect(words('clusters', 'create', '')).toEqual([]);
    expect(words('--token', '')).toEqual([]);
    expect(words('env', 'claude', '')).toEqual([]);
    expect(words('users', 'role', 'ann', 'owner', '')).toEqual([]);
  });
});

describe('names of the account', () => {
  it('names of the account are wanted where the command takes one, however the shell splits it', () => {
    expect(place('nodes', 'rename', 'st')).toEqual({ names: 'node', typed: 'st', ahead: '' });
    expect(place('run', 'qwen3:8')).toEqual({ names: 'model', typed: 'qwen3:8', ahead: '' });
    expect(place('run', 'qwen3', ':', '8')).toEqual({ names: 'model', typed: 'qwen3:8', ahead: 'qwen3:' });
    expect(place('run', 'qwen3', ':')).toEqual({ names: 'model', typed: 'qwen3:', ahead: 'qwen3:' });
    expect(place('keys', 'revoke', '').names).toBe('key');
    expect(place('chat', '--cluster', '').names).toBe('cluster');
    expect(place('models', 'load', 'tiny', '--node', '=', 'st')).toEqual({ names: 'node', typed: 'st', ahead: '' });
  });

  it('names of the account come with the option in front where the shell replaces the whole word', () => {
    const { names, typed, ahead, prefix } = complete(program, ['models', 'load', 'tiny', '--node=st']);
    expect({ names, typed, ahead, prefix }).toEqual({ names: 'node', typed: 'st', ahead: '', prefix: '--node=' });
  });

  it('names of the account are not wanted for the key itself, and for free text', () => {
    expect(place('chat', '--key', '').names).toBeUndefined();
    expect(place('keys', 'create', '').names).toBeUndefined();
  });

  it('names of the account come from the relay that the line names', () => {
    const { options } = complete(program, ['nodes', 'pause', '--profile', 'work', '--base-url=http://x:1', '']);
    expect([...options]).toEqual([
      ['--profile', 'work'],
      ['--base-url', 'http://x:1'],
    ]);
  });
});

describe('the script for bash', () => {
  it('completes in bash', async () => {
    const directory = await mkdtemp(path.join(os.tmpdir(), 'ferry-completion-'));
    try {
      // Stands in for ferry: says what it was asked, in the form in which ferry answers.
      const ferry = path.join(directory, 'ferry');
      await writeFile(ferry, '#!/bin/sh\nprintf "asked:%s\\tdescription\\n" "$*"\n');
      await chmod(ferry, 0o755);
      const script = `${completionScripts.bash}
COMP_WORDS=(ferry clusters li); COMP_CWORD=2
_ferry_complete
printf '%s\\n' "\${COMPREPLY[@]}"
complete -p ferry`;
      const { stdout } = await promisify(execFile)('bash', ['-c', script], {
        env: { ...process.env, PATH: `${directory}:${process.env['PATH'] ?? ''}` },
      });
      expect(stdout).toBe('asked:__complete\\ --\\ clusters\\ li\ncomplete -o default -F _ferry_complete ferry\n');
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});
