import { fit, type ComputerMemory, type Fit } from '../fits';
import { contextBytesOf } from './context-memory';

const sentences = {
  fits: 'It fits into the memory that is free.',
  fits_in_part: 'It does not fit into the memory of the GPU: the CPU computes a part of it, which is slower.',
  fits_when_free: 'It fits once other models or programs give memory back.',
} as const;

interface Load {
  readonly sizeBytes: number | null;
  readonly computer: ComputerMemory;
  /** Chosen; undefined: the engine decides. */
  readonly tokens: number | undefined;
  /** The least that can be chosen. */
  readonly leastTokens: number | undefined;
  /** There is another computer to choose. */
  readonly elsewhere: boolean;
}

/** Whether a model fits, and what could be done where it does not. */
export function fitSentence(verdict: Fit, load: Load): string {
  const { sizeBytes, elsewhere } = load;
  if (verdict === 'unknown') {
    return sizeBytes === null
      ? 'The engine does not report this model’s size, so it is not known whether it fits.'
      : 'The computer does not report its memory, so whether it fits is not known.';
  }
  if (verdict !== 'does_not_fit') return sentences[verdict];
  const ways = [...(isSmallerWithLess(load) ? ['less context'] : []), ...(elsewhere ? ['another computer'] : [])];
  return ['It is too large for this computer.', ...(ways.length === 0 ? [] : [`Choose ${ways.join(', or ')}.`])].join(
    ' ',
  );
}

function isSmallerWithLess({ sizeBytes, computer, tokens, leastTokens }: Load): boolean {
  if (sizeBytes === null || tokens === undefined || leastTokens === undefined || leastTokens >= tokens) return false;
  return fit(sizeBytes, computer, contextBytesOf(sizeBytes, leastTokens)) !== 'does_not_fit';
}
