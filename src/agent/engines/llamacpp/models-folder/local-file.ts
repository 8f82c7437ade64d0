/** A model file of this computer that its owner offers for an install (src/kernel/offered-files.ts). */
import { createReadStream } from 'node:fs';
import { link, realpath, stat } from 'node:fs/promises';
import { OFFERED_SCHEME, offeredFile } from '../../../../kernel/offered-files.js';
import { OperationFailure, type OperationContext } from '../../engine-management.js';
import { DiskSpace, type FreeDiskBytes } from '../download/disk-space.js';
import { fileDigest } from '../download/file-digest.js';
import { checkedFileName } from '../download/model-source.js';
import type { PartFile } from '../download/part-file.js';
import { progress } from '../download/transfer-failure.js';
import { sizeText } from '../size-text.js';

export interface LocalFile {
  readonly path: string;
  readonly fileName: string;
  readonly label: string;
  readonly bytes: number;
}

const COPY_CHUNK_BYTES = 1_024 * 1_024;

export const isOffered = (source: string): boolean => source.trim().startsWith(OFFERED_SCHEME);

/** @param source `local:<file name>`. @throws OperationFailure `invalid_source` */
export async function findOffered(
  source: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<LocalFile> {
  const label = source.trim();
  const fileName = checkedFileName(label.slice(OFFERED_SCHEME.length));
  const file = await offeredFile(env, fileName);
  if (file === undefined) {
    throw new OperationFailure(
      'invalid_source',
      `${label} is not offered on this computer: run \`ferry models install FILE\` on it`,
    );
  }
  try {
    // A hard link of a symbolic link would be a second symbolic link.
    const target = await realpath(file);
    const status = await stat(target);
    if (status.isFile()) return { path: target, fileName, label, bytes: status.size };
  } catch (cause) {
    throw new OperationFailure('invalid_source', `the node cannot read ${file}: ${reasonOf(cause)}`, { cause });
  }
  throw new OperationFailure('invalid_source', `${file} is not a file`);
}

interface TakeOptions {
  readonly maxBytes: number;
  readonly freeDiskBytes: FreeDiskBytes;
}

/**
 * A hard link where the disk allows it: it takes no space, and the owner's own file stays when the model is removed. Else a copy.
 * @throws OperationFailure, the signal's reason
 */
export async function takeFile(
  file: LocalFile,
  part: PartFile,
  context: OperationContext,
  { maxBytes, freeDiskBytes }: TakeOptions,
): Promise<void> {
  if (file.bytes > maxBytes) {
    throw new OperationFailure(
      'unsupported',
      `${file.label} has ${sizeText(file.bytes)}, more than the ${sizeText(maxBytes)} that this node accepts (max_model_bytes)`,
    );
  }
  await part.discard();
  context.report(progress('linking', 0, file.bytes));
  try {
    await link(file.path, part.path);
  } catch {
    // Another disk, another owner, or a file system without links.
    await copy(file, part, context, new DiskSpace(part.directory, freeDiskBytes));
  }
}

async function copy(
  file: LocalFile,
  part: PartFile,
  { signal, report }: OperationContext,
  space: DiskSpace,
): Promise<void> {
  await space.check(0, file.bytes);
  const handle = await part.begin({ source: file.label, etag: null, sha256: null, totalBytes: file.bytes });
  let written = 0;
  try {
    const chunks = createReadStream(file.path, { highWaterMark: COPY_CHUNK_BYTES }) as AsyncIterable<Buffer>;
    for await (const chunk of chunks) {
      signal.throwIfAborted();
      await space.check(written, file.bytes);
      await handle.appendFile(chunk);
      written += chunk.length;
      report(progress('copying', written, file.bytes));
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  if (written === file.bytes) return;
  await part.discard();
  throw new OperationFailure('engine_error', `${file.path} changed while it was copied: install it again`);
}

/** Whether the installed file has the same content. @throws the signal's reason */
export async function isSameFile(
  installed: string,
  { path: file, bytes }: LocalFile,
  { signal, report }: OperationContext,
): Promise<boolean> {
  const [there, own] = await Promise.all([stat(installed), stat(file)]);
  if (there.dev === own.dev && there.ino === own.ino) return true;
  if (there.size !== bytes) return false;
  let read = 0;
  const digests = [installed, file].map((each) => {
    let last = 0;
    const onRead = (position: number): void => {
      read += position - last;
      last = position;
      report(progress('verifying', read, 2 * bytes));
    };
    return fileDigest(each, { signal, onRead });
  });
  const [one, other] = await Promise.all(digests);
  return one === other;
}

const reasonOf = (cause: unknown): string =>
  cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : String(cause);
