/** The rules of `oxlint.config.mjs` report what they are there for: one planted fault for each, in one run of the linter. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { timeFactor } from '../runner/time-factor.js';
import { repositoryRoot } from '../support/process/ferry-process.js';

const service = (body: string): string => `declare const service: { ask(): Promise<string>; name: any };\n${body}`;

/** The rule, a folder or file for it, and code that breaks it. */
const faults = [
  ['no-floating-promises', 'bench', service('service.ask();')],
  ['no-misused-promises', 'bench', service('[1].forEach(async () => { await service.ask(); });')],
  ['await-thenable', 'bench', 'await 1;'],
  ['require-await', 'bench', 'export const one = async (): Promise<number> => 1;'],
  [
    'return-await',
    'bench',
    service('export const a = async () => { try { return service.ask(); } catch { return 1; } };'),
  ],
  ['only-throw-error', 'bench', "throw 'text';"],
  ['prefer-promise-reject-errors', 'bench', "export const no = Promise.reject('text');"],
  ['use-unknown-in-catch-callback-variable', 'bench', service('service.ask().catch((error) => error);')],
  ['no-unsafe-assignment', 'bench', service('export const name: string = service.name;')],
  ['no-unsafe-argument', 'bench', service('encodeURI(service.name);')],
  ['no-unsafe-call', 'bench', service('service.name();')],
  ['no-unsafe-member-access', 'bench', service('export const x = String(service.name.first);')],
  ['no-unsafe-return', 'bench', service('export const x = (): string => service.name;')],
  ['no-explicit-any', 'bench', 'export const x: any = 1;'],
  ['no-unnecessary-condition', 'bench', 'export const x = (text: string): boolean => text === undefined;'],
  ['no-unnecessary-type-assertion', 'bench', 'export const x = (text: string) => text as string;'],
  ['no-deprecated', 'bench', '/** @deprecated */ const old = 1;\nexport const x = old;'],
  ['no-non-null-assertion', 'bench', 'export const x = (text?: string) => text!;'],
  ['no-confusing-void-expression', 'bench', 'export const x = (work: () => void) => { return work(); };'],
  ['restrict-template-expressions', 'bench', 'export const x = (o: readonly string[]) => `${o}`;'],
  ['restrict-plus-operands', 'bench', "export const x = (n: number) => n + 'text';"],
  ['unbound-method', 'bench', 'class A { b(): void { this.b(); } }\nexport const { b } = new A();'],
  ['consistent-type-imports', 'bench', "import { Stats } from 'node:fs';\nexport const x = (s: Stats) => s.size;"],
  [
    'switch-exhaustiveness-check',
    'bench',
    "export function x(k: 'a' | 'b'): void { switch (k) { case 'a': process.exit(); } }",
  ],
  ['ban-ts-comment', 'bench', '// @ts-expect-error\nexport const x: string = 1;'],
  ['no-unused-vars', 'bench', 'const _x = 1;'],
  ['no-unused-expressions', 'bench', '1 + 1;'],
  ['no-console', 'bench', "console.log('text');"],
  ['prefer-const', 'bench', 'export let x = 1;\nlet y = 2;\nx = y;'],
  ['max-lines', 'bench', 'process.exit();\n'.repeat(401)],
  ['Unused eslint-disable directive', 'bench', '// eslint-disable-next-line no-console\nexport const x = 1;'],
  ['no-restricted-imports', 'src/agent', "export * from '@nestjs/common';"],
  ['no-restricted-imports', 'src/relay/keys/keys.module.ts', "export { InjectRepository } from '@nestjs/typeorm';"],
  ['no-restricted-properties', 'console/src', "document.body.innerHTML = 'text';"],
  ['no-danger', 'console/src/danger.tsx', "export const X = () => <p dangerouslySetInnerHTML={{ __html: '' }} />;"],
  ['no-undef', 'scripts/window.mjs', 'process.exit(window);'],
] as const;

const correct = [
  [
    'an import for the metadata of a decorator',
    'src/relay/keys/keys.service.ts',
    `
import { Injectable } from '@nestjs/common';
import { KeysStore } from './keys.store.js';

@Injectable()
export class KeysService {
  constructor(readonly store: KeysStore) {}
}
`,
  ],
  [
    'a repository in a store',
    'src/relay/keys/keys.store.ts',
    `
export { InjectRepository } from '@nestjs/typeorm';
export class KeysStore {
  readonly name = 'keys';
}
`,
  ],
] as const;

let folder: string;
let reports: readonly { readonly filename: string; readonly code?: string; readonly message: string }[];

const fileOf = (rule: string, place: string): string =>
  path.extname(place) === '' ? `${place}/${rule.replaceAll(' ', '-')}.ts` : place;

beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'ferry-lint-'));
  symlinkSync(path.join(repositoryRoot, 'node_modules'), path.join(folder, 'node_modules'));
  for (const directory of ['console', 'test']) mkdirSync(path.join(folder, directory));
  for (const file of ['oxlint.config.mjs', 'tsconfig.json', 'console/tsconfig.json']) {
    copyFileSync(path.join(repositoryRoot, file), path.join(folder, file));
  }
  for (const [rule, place, code] of [...faults, ...correct]) {
    const file = path.join(folder, fileOf(rule, place));
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, code);
  }
  // By name: oxlint would follow the link to the packages.
  const folders = ['bench', 'console', 'scripts', 'src'];
  const { stdout } = spawnSync('node_modules/.bin/oxlint', ['-c', 'oxlint.config.mjs', '-f', 'json', ...folders], {
    cwd: folder,
    encoding: 'utf8',
    timeout: Math.ceil(50_000 * timeFactor),
  });
  ({ diagnostics: reports } = JSON.parse(stdout) as { diagnostics: typeof reports });
}, 60_000);
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Names of rules, or the message of what has none. */
const reportsFor = (file: string): string =>
  reports
    .filter(({ filename }) => filename === file)
    .map(({ code, message }) => /\((.*)\)/.exec(code ?? '')?.[1] ?? message)
    .join('\n');

describe('lint', () => {
  it.each(faults.map(([rule, place]) => [rule, place]))('reports %s in %s', (rule, place) => {
    expect(reportsFor(fileOf(rule, place))).toContain(rule);
  });

  it.each(correct.map(([name, place]) => [name, place]))('allows %s', (name, place) => {
    expect(reportsFor(fileOf(name, place))).toBe('');
  });
});
