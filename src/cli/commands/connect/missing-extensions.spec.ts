import { expect, it } from '@jest/globals';
import { missingExtensions, showMissing } from './missing-extensions.js';
import type { ConnectableProgram } from './program-names.js';
import { programOf } from './programs/program-of.js';

const of = (name: ConnectableProgram) => programOf(name, { HOME: '/home/ada' }, false);

const relayWith = (extensions: readonly object[]) => ({ list: () => Promise.resolve(extensions as never) });

const shown = (name: ConnectableProgram, missing: Parameters<typeof showMissing>[2]): readonly string[] => {
  const lines: string[] = [];
  showMissing({ note: (line) => void lines.push(line) }, of(name), missing);
  return lines;
};

const extensions = (enabled: boolean) => [
  { name: 'count-tokens', enabled },
  { name: 'embeddings', enabled },
];

it.each<[ConnectableProgram, readonly string[]]>([
  ['claude', ['count-tokens']],
  ['openwebui', ['embeddings']],
  ['codex', []],
])('names what %s would use, while it is off', async (name, missing) => {
  expect(await missingExtensions(relayWith(extensions(false)), of(name))).toEqual(missing);
  expect(await missingExtensions(relayWith(extensions(true)), of(name))).toEqual([]);
});

it('names nothing of a relay that has no extensions', async () => {
  const older = { list: () => Promise.reject(new Error('404')) };
  expect(await missingExtensions(older, of('claude'))).toEqual([]);
});

it('says what the program would use it for, and the command that switches it on', () => {
  expect(shown('claude', ['count-tokens'])).toEqual([
    'Claude Code could use the extension count-tokens, which is off, to count the tokens of its context (/context).',
    '  An owner switches it on: ferry extensions on count-tokens',
  ]);
  expect(shown('claude', [])).toEqual([]);
});
