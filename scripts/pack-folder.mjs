/** The archive that `src/relay/platform/database/unpack-folder.ts` unpacks. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';

/**
 * @param {string} folder
 * @returns {Buffer}
 */
export function packFolder(folder) {
  const entries = [];
  const contents = [];
  for (const name of readdirSync(folder, { recursive: true }).sort()) {
    const file = path.join(folder, name);
    const isFolder = statSync(file).isDirectory();
    const bytes = isFolder ? undefined : readFileSync(file);
    entries.push([name.split(path.sep).join('/'), bytes?.length ?? null]);
    if (bytes !== undefined) contents.push(bytes);
  }
  const list = Buffer.from(JSON.stringify(entries));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(list.length);
  const whole = Buffer.concat([length, list, ...contents]);
  return brotliCompressSync(whole, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 7,
      // The largest: the three databases of a Postgres have the same contents, megabytes apart.
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: whole.length,
    },
  });
}
