/** Warns a person before a program works with a model: each warning names the problem and the remedy. */
import { printable } from '../../../kernel/printable.js';
import { formatCount } from '../../core/output/quantities.js';
import type { Program, ProgramAccess } from './programs/program.js';

/** The first prompts of coding agents have 17,000 to 45,000 tokens. */
const LEAST_AGENT_TOKENS = 48_000;
const ADVISED_AGENT_TOKENS = 65_536;

export interface Warning {
  readonly text: string;
  /** A command, or a sentence. */
  readonly advice: string;
}

export function warningsOf({ title, isAgent }: Program, access: ProgramAccess): readonly Warning[] {
  const { model, limits, tools, models, isLoaded } = access;
  const name = printable(model);
  const warnings: Warning[] = [];
  if (!isLoaded) {
    return [{ text: `${name} is not loaded: its context is not known.`, advice: `ferry models load ${model}` }];
  }
  if (models[0]?.isTrial === true) {
    const which = models.every(({ isTrial }) => isTrial) ? `Only ${name} is loaded` : `This is ${name}`;
    warnings.push({
      text: `${which}: it proves the connection, its answers are of no use.`,
      advice: 'ferry run NAME, then connect again',
    });
  }
  const { contextTokens } = limits;
  if (contextTokens === null) {
    warnings.push({
      text: `The engine does not say the context of ${name}: ${title} assumes one.`,
      advice: 'ferry models ps',
    });
  } else if (isAgent && contextTokens < LEAST_AGENT_TOKENS) {
    warnings.push({
      text: `${name} has ${formatCount(contextTokens)} tokens of context; agents begin with up to 45 000.`,
      advice: `ferry models load ${model} --context ${String(ADVISED_AGENT_TOKENS)}`,
    });
  }
  if (isAgent && tools === false) {
    warnings.push({ text: `${name} calls no tools; ${title} works with them.`, advice: 'another model: -m MODEL' });
  }
  return warnings;
}
