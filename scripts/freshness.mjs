/** Which work of an earlier run is still good: decided without asking npm or the compiler, which costs seconds. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { neededPlaces, readLockFile } from './lock-file.mjs';

/**
 * The newest modification time under `file`, in milliseconds; 0 when it does not exist.
 * Folders count too: deleting or renaming a file changes nothing but the folder it was in. Packages do not: the lock file speaks for them.
 */
export function newestMtimeMs(file) {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) return 0;
  if (!found.isDirectory()) return found.mtimeMs;
  return readdirSync(file)
    .filter((entry) => entry !== 'node_modules')
    .reduce((newest, entry) => Math.max(newest, newestMtimeMs(path.join(file, entry))), found.mtimeMs);
}

/**
 * True when the packages of the lock file are there. npm writes `node_modules/.package-lock.json`, what is installed, at the end of an
 * installation only.
 * @param {string} folder of the lock file
 * @param {string[]} [folders] of the same repository: only what these need to run is asked for
 */
export function isInstalled(folder, folders) {
  const wanted = readLockFile(path.join(folder, 'package-lock.json'));
  const present = readLockFile(path.join(folder, 'node_modules', '.package-lock.json'))?.packages;
  if (wanted === undefined || present === undefined) return false;
  const places = folders === undefined ? Object.keys(wanted.packages) : [...neededPlaces(wanted, folders)];
  return places.every((place) => {
    const { version, integrity, optional } = wanted.packages[place];
    // A folder of the repository, or a link to one.
    if (version === undefined || !place.includes('node_modules/')) return true;
    const found = present[place];
    // Those for other computers are left out.
    if (found === undefined) return optional === true;
    // `npm install --package-lock-only` says of packages that they are installed, too.
    return found.version === version && found.integrity === integrity && existsSync(path.join(folder, place));
  });
}

/** True when the stamp is there and nothing of `inputs` changed after the moment that it stands for. */
export const isBuilt = (stamp, inputs) =>
  existsSync(stamp) && Math.max(...inputs.map(newestMtimeMs)) <= statSync(stamp).mtimeMs;
