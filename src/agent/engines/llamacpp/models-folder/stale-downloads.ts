import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Clock } from '../../../../kernel/clock.js';

/** Age at which incomplete downloads are deleted; they may have many gigabytes. */
const KEPT_PARTS_MS = 14 * 86_400_000;
const SIDECAR = '.gguf.part.json';

/** Deletes stale downloads, only those with Ferry's metadata file, because other programs may use the folder. */
export async function deleteStaleDownloads(
  directory: string,
  clock: Clock,
  log: (level: 'info' | 'warn', message: string) => void,
): Promise<void> {
  const names = await readdir(directory).catch(() => []);
  for (const name of names.filter((each) => each.endsWith(SIDECAR))) {
    const sidecar = path.join(directory, name);
    const part = sidecar.slice(0, -'.json'.length);
    const status = await stat(part).catch(() => undefined);
    if (status !== undefined && clock.wallMs() - status.mtimeMs < KEPT_PARTS_MS) continue;
    try {
      await Promise.all([part, sidecar].map((file) => rm(file, { force: true })));
      log('info', `${path.basename(part)}: deleted a stale download`);
    } catch (error) {
      log(
        'warn',
        `${path.basename(part)}: cannot be removed: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }
}
