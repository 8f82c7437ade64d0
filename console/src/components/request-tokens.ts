import type { Schemas } from '../api/management-api.types';
import { count, NONE } from './format';

type Logged = Pick<Schemas['LoggedRequest'], 'source' | 'input_tokens' | 'output_tokens'>;

interface CountedTokens {
  /** null: nobody counted them; the log has a zero. */
  readonly input: number | null;
  readonly output: number | null;
}

/** Without a source nothing was counted, and an estimate is of the output alone: where that is none, too, the request ended before any. */
export function countedTokens({ source, input_tokens, output_tokens }: Logged): CountedTokens {
  const isCounted = source === 'engine' || source === 'counted';
  return {
    input: isCounted || input_tokens > 0 ? input_tokens : null,
    output: isCounted || output_tokens > 0 ? output_tokens : null,
  };
}

/** `21 / 40`: in and out. */
export function tokensText(request: Logged): string {
  const { input, output } = countedTokens(request);
  return input === null && output === null ? NONE : `${count(input)} / ${count(output)}`;
}

/** In and out together. */
export function tokensTogether(request: Logged): string {
  const { input, output } = countedTokens(request);
  return input === null && output === null ? NONE : count((input ?? 0) + (output ?? 0));
}
