/** Which work of an earlier run is still good: decided by modification times, because asking npm or the compiler costs seconds. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';

const modified = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs;

/**
 * The newest modification time under `file`, in milliseconds; 0 when it does not exist.
 * Folders count too: deleting or renaming a file changes nothing but the folder it was in.
 */
export function newestMtimeMs(file) {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) return 0;
  if (!found.isDirectory()) return found.mtimeMs;
  return readdirSync(file).reduce(
    (newest, entry) => Math.max(newest, newestMtimeMs(path.join(file, entry))),
    found.mtimeMs,
  );
}

/** npm writes `node_modules/.package-lock.json` last, so it is there only after a whole installation of that lock file or an older one. */
export function isInstalled(folder) {
  const installed = modified(path.join(folder, 'node_modules', '.package-lock.json'));
  const wanted = modified(path.join(folder, 'package-lock.json'));
  return installed !== undefined && wanted !== undefined && installed >= wanted;
}

/** True when the stamp is there and nothing of `inputs` changed after the moment that it stands for. */
export const isBuilt = (stamp, inputs) =>
  existsSync(stamp) && Math.max(...inputs.map(newestMtimeMs)) <= statSync(stamp).mtimeMs;
