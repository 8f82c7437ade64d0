/** The commands and options in the documentation exist in the program. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { Command } from 'commander';
import { commandTree } from '../../scripts/command-line-page.js';
import { repositoryRoot } from '../support/process/ferry-process.js';

const pages = execFileSync('git', ['ls-files', '*.md'], { cwd: repositoryRoot, encoding: 'utf8' })
  .split('\n')
  .slice(0, -1);

/** Code spans and lines of code blocks that are commands of `ferry` or `ferry-node`. */
function commandLinesOf(page: string): string[] {
  const text = readFileSync(path.join(repositoryRoot, page), 'utf8');
  // In a shell session only lines with a prompt are commands; the rest is output.
  const blocks = [...text.matchAll(/^```(sh|console|)\n(.*?)^```$/gms)].flatMap(([, language = '', code = '']) =>
    code.split('\n').filter((line) => language === 'sh' || line.startsWith('$ ')),
  );
  const spans = [...text.replaceAll(/^```.*?^```$/gms, '').matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
  return [...blocks, ...spans].filter((line) => /(?:^|[ $(])ferry(?:-node)? [a-z]/.test(line));
}

/** Undefined when all words and options of the line exist. */
function fault(line: string, program: Command): string | undefined {
  const [, name, rest = ''] = /(?:^|[ $(])ferry(-node)? (.*)/.exec(line) ?? [];
  const words = (rest.split(/ #|[|)>;]| && /)[0] ?? '').split(' ').filter((word) => word !== '');
  let command = name === undefined ? program : below(program, 'node');
  for (const word of words.filter((candidate) => /^[a-z][a-z-]*$/.test(candidate))) {
    const next: Command | undefined = command && below(command, word);
    if (next === undefined) {
      if (command !== undefined && command.commands.length > 0 && command.registeredArguments.length === 0)
        return `${line}: ${word}`;
      break;
    }
    command = next;
  }
  const known = new Set<string | undefined>(['--help', '--version']);
  for (let at: Command | null | undefined = command; at; at = at.parent) {
    for (const { long, short } of at.options) known.add(long).add(short);
  }
  const unknown = words.filter((word) => /^--?[a-z]/.test(word)).filter((word) => !known.has(word.split('=')[0]));
  return unknown.length === 0 ? undefined : `${line}: ${unknown.join(' ')}`;
}

const below = (command: Command, name: string): Command | undefined =>
  command.commands.find((child) => child.name() === name || child.aliases().includes(name));

describe('the pages', () => {
  it('the pages show commands and options that exist', () => {
    const program = commandTree();
    const faults = pages.flatMap((page) =>
      commandLinesOf(page).flatMap((line) => {
        const found = fault(line, program);
        return found === undefined ? [] : [`${page}: ${found}`];
      }),
    );
    expect(faults).toEqual([]);
  });
});
