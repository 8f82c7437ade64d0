import type { Schemas } from '../api/management-api.types';
import { count, NONE, shortCount } from './format';

type Logged = Pick<Schemas['LoggedRequest'], 'source' | 'input_tokens' | 'output_tokens'>;

interface CountedTokens {
  /** null: nobody counted them; the log has a zero. */
  readonly input: number | null;
  readonly output: number | null;
}

/**
 * Without a source nothing was counted. Computers that count what an engine does not tell count the output of a request, as estimates do; an
 * estimate of nothing is of a request that ended before any output.
 */
export function countedTokens({ source, input_tokens, output_tokens }: Logged): CountedTokens {
  return {
    input: source === 'engine' || input_tokens > 0 ? input_tokens : null,
    output: source === 'engine' || source === 'counted' || output_tokens > 0 ? output_tokens : null,
  };
}

/** `21 / 40`: in and out. */
export function tokensText(request: Logged): string {
  const { input, output } = countedTokens(request);
  return input === null && output === null ? NONE : `${count(input)} / ${count(output)}`;
}

/** `11.5K in · 750 out`, for places with little room; empty: nobody counted them. */
export function shortTokensText(request: Logged): string {
  const { input, output } = countedTokens(request);
  const parts = [
    ...(input === null ? [] : [`${shortCount(input)} in`]),
    ...(output === null ? [] : [`${shortCount(output)} out`]),
  ];
  return parts.join(' · ');
}
