/**
 * Part of `npm pack`: the lock file of the npm package. npm leaves `package-lock.json` out of packages; `npm-shrinkwrap.json` gives an
 * installed Ferry the versions that were tested, overrides included. Only production packages are in it. It exists while npm packs: npm
 * prefers it to `package-lock.json`.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './run.mjs';

const file = path.join(root, 'npm-shrinkwrap.json');

/** The entries of a lock file, without what only development needs. */
export function productionLock({ packages: { '': own, ...packages }, ...lock }) {
  const kept = Object.entries(packages).filter(([, { dev, devOptional }]) => !dev && !devOptional);
  return { ...lock, packages: { '': { ...own, devDependencies: undefined }, ...Object.fromEntries(kept) } };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes('--remove')) rmSync(file, { force: true });
  else {
    const lock = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'));
    writeFileSync(file, `${JSON.stringify(productionLock(lock), null, 2)}\n`);
  }
}
