import { FerryError } from '../../kernel/errors/ferry-error.js';
import type { Requirements } from '../requirements.js';

/**
 * Engines count the tokens of texts. Those of media depend on what a model makes of them, and no count that leaves them out may be returned as
 * the count.
 * @throws FerryError 501 with the path of the first medium
 */
export function requireCountable(requirements: Requirements): Requirements {
  for (const [kind, param] of requirements.hard.inputs) {
    if (kind === 'text') continue;
    throw new FerryError('not_implemented', `\`${param}\`: the tokens of media cannot be counted exactly.`, { param });
  }
  return requirements;
}
