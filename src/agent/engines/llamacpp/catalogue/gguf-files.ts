import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { parseGgufName, type GgufName } from './gguf-identity.js';

/** A models folder with more files than this is a mistake. */
const MAX_FILES = 1_000;

export interface GgufFile extends GgufName {
  /** Of its first part. */
  readonly path: string;
  /** Of all parts. */
  readonly paths: readonly string[];
  /** Of all parts. */
  readonly sizeBytes: number;
  /** Changes whenever the file does. */
  readonly version: string;
}

/** The GGUF files of a folder, one entry per model, by name. A folder that does not exist is empty. */
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
      // Parts sort by number: without the first one there is no model.
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
