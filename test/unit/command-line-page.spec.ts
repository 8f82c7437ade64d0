import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { Command } from 'commander';
import {
  commandLinePagePath,
  commandTree,
  leavesOf,
  renderCommandLinePage,
  wordsOf,
} from '../../scripts/command-line-page.js';
import { commandExamples } from '../../src/cli/command-examples.js';
import { jsonShapes } from '../../src/cli/json-shapes.js';

describe('docs/reference/command-line.md', () => {
  it('docs/reference/command-line.md is up to date with the commands (else run `npm run docs:cli`)', () => {
    expect(readFileSync(commandLinePagePath, 'utf8')).toBe(renderCommandLinePage());
  });

  it('documents a shape for commands that exist, and for every list', () => {
    const commands = leavesOf(commandTree()).map(wordsOf);
    expect(Object.keys(jsonShapes).filter((words) => !commands.includes(words))).toEqual([]);
    // Lists of models (docs/reference/public-api.md#model-record) and of operations are documented on their own pages.
    const elsewhere = ['models list', 'models jobs list'];
    const lists = commands.filter((words) => words.endsWith(' list') && !elsewhere.includes(words));
    expect(lists.filter((words) => jsonShapes[words] === undefined)).toEqual([]);
  });

  it('docs/reference/command-line.md has an example for every command, and no others', () => {
    // `ferry login` is a command, and has one below it.
    const commands = [...leavesOf(commandTree()).map(wordsOf), 'login'];
    expect(Object.keys(commandExamples).toSorted()).toEqual(commands.toSorted());
  });

  it('docs/reference/command-line.md has examples with commands and options that exist', () => {
    for (const command of leavesOf(commandTree())) {
      const examples = commandExamples[wordsOf(command)] ?? [];
      expect(new Set(examples).size).toBe(2);
      const known = [command, ...ancestorsOf(command)].flatMap(({ options: all }) => all.map(({ long }) => long));
      for (const example of examples) {
        expect(example).toContain(`ferry ${wordsOf(command)}`);
        const options = [...example.matchAll(/ (--[a-z-]+)/g)].map(([, option]) => option);
        expect({ example, unknown: options.filter((option) => !known.includes(option)) }).toEqual({
          example,
          unknown: [],
        });
      }
    }
  });
});

const ancestorsOf = (command: Command): readonly Command[] =>
  command.parent === null ? [] : [command.parent, ...ancestorsOf(command.parent)];
