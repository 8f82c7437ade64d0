import { objectIn, type JsonObject } from '../../../kernel/json-object.js';

type Effort = 'none' | 'low' | 'medium' | 'high';

/** Budgets in tokens below which an effort is meant (docs/reference/translation.md#messages-request-to-chat). */
const LOW_BELOW_TOKENS = 4_000;
const MEDIUM_BELOW_TOKENS = 16_000;

const efforts: Readonly<Record<string, Effort>> = {
  low: 'low',
  medium: 'medium',
  high: 'high',
  // Beyond what engines know.
  xhigh: 'high',
  max: 'high',
};

/** `reasoning_effort` of the chat request; undefined leaves it to the model. */
export function reasoningEffort(body: JsonObject): Effort | undefined {
  const { type, budget_tokens: budget } = objectIn(body, 'thinking');
  if (type === 'disabled') return 'none';
  if (type === 'enabled' && typeof budget === 'number') return effortOf(budget);
  const { effort } = objectIn(body, 'output_config');
  return typeof effort === 'string' ? efforts[effort] : undefined;
}

const effortOf = (budget: number): Effort =>
  budget < LOW_BELOW_TOKENS ? 'low' : budget < MEDIUM_BELOW_TOKENS ? 'medium' : 'high';
