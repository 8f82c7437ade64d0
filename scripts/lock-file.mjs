/** Reads npm's lock files, in which every folder of `node_modules` is an entry, named by its place. */
import { readFileSync } from 'node:fs';

/** @returns {{ packages: Record<string, any> } | undefined} undefined when it is not there, or cut off */
export function readLockFile(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT' || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The places where Node looks for a package, the nearest first. */
function placesToLook(from, name) {
  const places = [];
  for (let folder = from; folder !== ''; folder = folder.slice(0, Math.max(folder.lastIndexOf('/'), 0))) {
    if (!folder.endsWith('node_modules')) places.push(`${folder}/node_modules/${name}`);
  }
  return [...places, `node_modules/${name}`];
}

/**
 * What `folders` of a repository need to run, without their packages for development. npm's own flags in the lock file speak of the repository
 * as a whole; and they count what only would fit, such as a compiler that some package could use.
 * @param {{ packages: Record<string, any> }} lock
 * @param {string[]} folders `''` is the repository's own
 * @returns {Set<string>} places of packages
 */
export function neededPlaces({ packages }, folders) {
  const found = new Set();
  const waiting = [...folders];
  while (waiting.length > 0) {
    const from = waiting.pop();
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = packages[from];
    const required = Object.keys(peerDependencies ?? {}).filter((name) => !peerDependenciesMeta?.[name]?.optional);
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies }).concat(required)) {
      const place = placesToLook(from, name).find((candidate) => candidate in packages);
      // Optional ones may be nowhere.
      if (place === undefined || found.has(place)) continue;
      found.add(place);
      // A folder of the repository is linked to.
      const { link, resolved } = packages[place];
      waiting.push(link ? resolved : place);
    }
  }
  return found;
}
