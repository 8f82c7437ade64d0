/** What a context costs, roughly: models of one size differ in how they store it. */

const SMALLEST = 2_048;
const MOST = 1_048_576;

/** Powers of two up to what the model can, and that itself; empty: not known. */
export function contextChoices(longest: number | null): readonly number[] {
  if (longest === null || longest <= 0) return [];
  const choices: number[] = [];
  for (let tokens = SMALLEST; tokens < longest && tokens <= MOST; tokens *= 2) choices.push(tokens);
  return [...choices, longest];
}

/** Of small models, and what each gigabyte of weights adds: 8B models in 4 bits store about 140 kB per token. */
const BASE_BYTES = 60_000;
const BYTES_PER_WEIGHT_GB = 16_000;

export const contextBytesOf = (sizeBytes: number, tokens: number): number =>
  tokens * Math.min(sizeBytes / 8, BASE_BYTES + (sizeBytes / 1e9) * BYTES_PER_WEIGHT_GB);
