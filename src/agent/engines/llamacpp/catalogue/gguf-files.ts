import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { parseGgufName, type GgufName } from './gguf-identity.js';

/** Limit of a models folder. */
const MAX_FILES = 1_000;

export interface GgufFile extends GgufName {
  /** Path of the first part. */
  readonly path: string;
  /** Paths of all parts. */
  readonly paths: readonly string[];
  /** Sum over all parts. */
  readonly sizeBytes: number;
  /** Changes with the file. */
  readonly version: string;
}

/** The GGUF files of a folder by name, one entry per model. A missing folder counts as empty. */
export async function listGgufFiles(directory: string): Promise<readonly GgufFile[]> {
  const names = (await readdir(directory).catch(() => [])).filter((name) => /.\.gguf$/i.test(name));
  const files = new Map<string, GgufFile>();
  for (const fileName of names.sort().slice(0, MAX_FILES)) {
    const filePath = path.join(directory, fileName);
    const status = await stat(filePath).catch(() => undefined);
    if (status?.isFile() !== true) continue;
    const name = parseGgufName(fileName);
    const first = files.get(name.engineModel);
    if (first === undefined) {
      // Parts are sorted by number; parts without a first one are ignored.
      if (name.part !== 1) continue;
      files.set(name.engineModel, {
        ...name,
        path: filePath,
        paths: [filePath],
        sizeBytes: status.size,
        version: `${filePath}/${status.size}/${status.mtimeMs}`,
      });
    } else if (name.part > 1) {
      files.set(name.engineModel, {
        ...first,
        paths: [...first.paths, filePath],
        sizeBytes: first.sizeBytes + status.size,
        version: `${first.version}+${status.size}/${status.mtimeMs}`,
      });
    }
  }
  return [...files.values()];
}
