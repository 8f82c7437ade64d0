import type { Schemas } from '../api/management-api.types';
import { count, NONE } from './format';

type Counted = Pick<Schemas['LoggedRequest'], 'source' | 'input_tokens' | 'output_tokens'>;

/** It ended before anything could be counted: the zeros of its log entry stand for "not known". */
export const isUncounted = ({ source, input_tokens, output_tokens }: Counted): boolean =>
  source === 'estimated' && input_tokens === 0 && output_tokens === 0;

/** `21 / 40`: in and out. */
export const tokensText = (request: Counted): string =>
  isUncounted(request) ? NONE : `${count(request.input_tokens)} / ${count(request.output_tokens)}`;

/** In and out together. */
export const tokensTogether = (request: Counted): string =>
  isUncounted(request) ? NONE : count(request.input_tokens + request.output_tokens);
