import { readFile, writeFile } from 'node:fs/promises';
import { tinyFile } from './tiny-engine.js';

/** Behind the magic, the version, and the counts of tensors and of metadata. */
const HEADER_BYTES = 24;
const METADATA_COUNT_AT = 16;
/** Tensors begin at a multiple of it. */
const ALIGNMENT_BYTES = 32;
const UINT32 = 4;
const STRING = 8;
const POOLING_MEAN = 1;

const text = (value: string): Buffer => {
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(Buffer.byteLength(value)));
  return Buffer.concat([length, Buffer.from(value)]);
};

const number = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};

/** The model that ships with Ferry, as one that embeds: its file names a pooling, and its tensors stay where they are. */
export async function writeTinyEmbedder(file: string): Promise<void> {
  const tiny = await readFile(tinyFile);
  const pooling = Buffer.concat([text('llama.pooling_type'), number(UINT32), number(POOLING_MEAN)]);
  const filler = (characters: number): Buffer =>
    Buffer.concat([text('filler'), number(STRING), text('x'.repeat(characters))]);
  const short = pooling.length + filler(0).length;
  const added = Buffer.concat([pooling, filler((ALIGNMENT_BYTES - (short % ALIGNMENT_BYTES)) % ALIGNMENT_BYTES)]);
  const header = Buffer.from(tiny.subarray(0, HEADER_BYTES));
  header.writeBigUInt64LE(header.readBigUInt64LE(METADATA_COUNT_AT) + 2n, METADATA_COUNT_AT);
  await writeFile(file, Buffer.concat([header, added, tiny.subarray(HEADER_BYTES)]));
}
