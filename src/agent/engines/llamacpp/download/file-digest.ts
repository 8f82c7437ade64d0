import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';

/** Small enough that hashing one piece does not delay streams. */
const CHUNK_BYTES = 256 * 1_024;

/** SHA-256 of a whole file in hexadecimal digits. @throws the signal's reason between two pieces */
export async function fileDigest(
  file: string,
  options: { readonly signal: AbortSignal; readonly onRead?: (bytes: number) => void },
): Promise<string> {
  const hash = createHash('sha256');
  const handle = await open(file);
  try {
    const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
    let position = 0;
    for (;;) {
      options.signal.throwIfAborted();
      const { bytesRead } = await handle.read(buffer, 0, CHUNK_BYTES, position);
      if (bytesRead === 0) return hash.digest('hex');
      hash.update(buffer.subarray(0, bytesRead));
      position += bytesRead;
      options.onRead?.(position);
    }
  } finally {
    await handle.close();
  }
}
