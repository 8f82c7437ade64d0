/** Which engines to ask for a model from a source, when the owner named none. */
import type { OperableEngine } from './operable-engines.js';

/** Engines whose own spelling it is, the likeliest first. */
const preferredKinds = (source: string): readonly string[] =>
  /^(?:hf:|https:)/i.test(source) ? ['llamacpp', 'lmstudio', 'ollama'] : ['ollama', 'lmstudio', 'llamacpp'];

/** All that can install: those for which the source looks made first, the others in the order of the node. */
export function installCandidates<Candidate extends OperableEngine>(
  engines: readonly Candidate[],
  source: string,
): Candidate[] {
  const kinds = preferredKinds(source);
  const rank = ({ kind }: Candidate): number => (kinds.includes(kind) ? kinds.indexOf(kind) : kinds.length);
  return engines.filter(({ management }) => management.install !== undefined).sort((a, b) => rank(a) - rank(b));
}
