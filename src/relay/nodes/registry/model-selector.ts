import { createHash } from 'node:crypto';
import type { ModelSelector } from '../../../kernel/ids.js';

export interface ModelIdentity {
  readonly canonical_name: string;
  readonly digest: string | null;
  readonly quantization: string | null;
}

const SELECTOR_HEX_DIGITS = 16;
/** Stands for "the engine knows neither digest nor quantization". */
const UNKNOWN_BUILD = '-';

/**
 * `mdl_` + the first 16 hex of SHA-256(`canonical\0build`): the same across restarts, renames and nodes
 * (docs/reference/inventory.md#model-reports). Applications store selectors, so this rule never changes.
 */
export function modelSelector({ canonical_name, digest, quantization }: ModelIdentity): ModelSelector {
  const identity = `${canonical_name}\0${digest ?? quantization ?? UNKNOWN_BUILD}`;
  const hash = createHash('sha256').update(identity).digest('hex');
  return `mdl_${hash.slice(0, SELECTOR_HEX_DIGITS)}` as ModelSelector;
}
