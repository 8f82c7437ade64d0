/**
 * Identity of a GGUF file (docs/reference/inventory.md#cost-of-the-list), from its name and content only, so that the same file is the same
 * model on every node and in every folder:
 *
 * - engine model and display name: the file name without `.gguf` and without the part number of a split file. The `general.name` of the
 *   metadata is not used: all quantizations of a model share it, and two of them on one node could then only be told apart by selector.
 * - canonical name: the same in lower case, without the quantization at its end.
 * - digest: see {@link identityDigest}.
 */
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';

/** `-Q4_K_M`, `.IQ2_XS`, `-UD-Q4_K_XL`, `-i1-Q5_0`, `-f16`, `-mxfp4`. */
const QUANTIZATION = /[-._](?:(?:UD|i1)-)?((?:I?Q[1-8]|TQ[12])(?:_[0-9A-Z]{1,4}){0,3}|B?F16|FP16|F32|MXFP4(?:_MOE)?)$/i;
const PART = /-(\d{5})-of-(\d{5})$/;

/** Names of `general.file_type`, as llama.cpp numbers them. */
const fileTypes: Readonly<Record<number, string>> = {
  0: 'F32',
  1: 'F16',
  2: 'Q4_0',
  3: 'Q4_1',
  7: 'Q8_0',
  8: 'Q5_0',
  9: 'Q5_1',
  10: 'Q2_K',
  11: 'Q3_K_S',
  12: 'Q3_K_M',
  13: 'Q3_K_L',
  14: 'Q4_K_S',
  15: 'Q4_K_M',
  16: 'Q5_K_S',
  17: 'Q5_K_M',
  18: 'Q6_K',
  19: 'IQ2_XXS',
  20: 'IQ2_XS',
  21: 'Q2_K_S',
  22: 'IQ3_XS',
  23: 'IQ3_XXS',
  24: 'IQ1_S',
  25: 'IQ4_NL',
  26: 'IQ3_S',
  27: 'IQ3_M',
  28: 'IQ2_S',
  29: 'IQ2_M',
  30: 'IQ4_XS',
  31: 'IQ1_M',
  32: 'BF16',
};

export interface GgufName {
  readonly engineModel: string;
  readonly canonicalName: string;
  /** From the file name; null when it has none. */
  readonly quantization: string | null;
  /** Number of this part, from 1. Only the first part of a split file is listed. */
  readonly part: number;
}

/** @param fileName with its extension */
export function parseGgufName(fileName: string): GgufName {
  const stem = fileName.replace(/\.gguf$/i, '');
  const part = PART.exec(stem);
  const engineModel = part === null ? stem : stem.slice(0, part.index);
  const quantization = QUANTIZATION.exec(engineModel);
  const base = quantization === null ? engineModel : engineModel.slice(0, quantization.index);
  return {
    engineModel,
    canonicalName: (base === '' ? engineModel : base).toLowerCase(),
    quantization: quantization?.[1]?.toUpperCase() ?? null,
    part: part === null ? 1 : Number(part[1]),
  };
}

export const quantizationOfFileType = (fileType: number | undefined): string | null =>
  fileType === undefined ? null : (fileTypes[fileType] ?? null);

const HEAD_BYTES = 4 * 1_024 * 1_024;
const SAMPLES = 256;
const SAMPLE_BYTES = 4_096;

/**
 * SHA-256 over the size, the first 4 MiB (mostly metadata) and 256 pieces of 4 KiB spread evenly over the rest: at most 5 MiB are read,
 * because hashing 40 GB of weights at every start would take too long. Distinguishes models; does not prove integrity.
 */
export async function identityDigest(filePath: string): Promise<string> {
  const file = await open(filePath);
  try {
    const { size } = await file.stat();
    const hash = createHash('sha256').update(`ferry/gguf/v1\0${size}\0`);
    const read = async (position: number, length: number): Promise<void> => {
      const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(length), position });
      hash.update(buffer.subarray(0, bytesRead));
    };
    await read(0, Math.min(size, HEAD_BYTES));
    const rest = size - HEAD_BYTES;
    for (let sample = 0; rest > 0 && sample < SAMPLES; sample += 1) {
      await read(HEAD_BYTES + Math.floor((rest * sample) / SAMPLES), SAMPLE_BYTES);
    }
    return hash.digest('hex');
  } finally {
    await file.close();
  }
}
