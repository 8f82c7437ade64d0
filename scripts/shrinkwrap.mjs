/**
 * Part of `npm pack`: the lock file of the npm package. npm leaves `package-lock.json` out of packages; `npm-shrinkwrap.json` gives an
 * installed Ferry the versions that were tested, overrides included. Only what the program needs is in it, not the website's packages. It
 * exists while npm packs: npm prefers it to `package-lock.json`.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { neededPlaces } from './lock-file.mjs';
import { root } from './run.mjs';

const file = path.join(root, 'npm-shrinkwrap.json');

/** The entries of a lock file, without what only development and the website need. */
export function productionLock(lock) {
  const kept = neededPlaces(lock, ['']);
  const packages = Object.fromEntries(Object.entries(lock.packages).filter(([place]) => kept.has(place)));
  const own = { ...lock.packages[''], devDependencies: undefined, workspaces: undefined };
  return { ...lock, packages: { '': own, ...packages } };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes('--remove')) rmSync(file, { force: true });
  else {
    const lock = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'));
    writeFileSync(file, `${JSON.stringify(productionLock(lock), null, 2)}\n`);
  }
}
