/**
 * Packages that are imported when they are needed. In a bundle, a dynamic import of a CommonJS package has its functions on `default` only, so
 * such a call works from the sources and fails in the built program.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from '@jest/globals';

const read = (file: string): string => readFileSync(path.resolve(file), 'utf8');
const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'),
);
const lazy = new Set(
  sources
    .flatMap((file) => [...read(path.join('src', file)).matchAll(/\bimport\('((?:@[\w-]+\/)?[\w-]+)'\)/g)])
    .map(([, name = '']) => name),
);
const bundler = read('scripts/bundle-programs.mjs');

it('finds packages that are imported dynamically', () => {
  expect([...lazy]).toContain('openid-client');
});

it.each([...lazy])('%s is an ES module, or the bundler leaves it outside or takes another form of it', (name) => {
  const { type } = JSON.parse(read(path.join('node_modules', name, 'package.json'))) as { readonly type?: string };
  const isArranged = bundler.includes(`'${name}',`) || new RegExp(`^  '?${name}'?: '`, 'm').test(bundler);
  expect(type === 'module' || isArranged).toBe(true);
});
