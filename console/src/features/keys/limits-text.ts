import { count, countOf } from '../../components/format';
import type { Limits } from './limit-fields';

export function limitParts({ requests_per_minute: requests, tokens_per_minute: tokens, concurrency }: Limits) {
  const parts = [
    ...(requests === null ? [] : [`${countOf(requests, 'request')}/min`]),
    ...(tokens === null ? [] : [`${countOf(tokens, 'token')}/min`]),
    ...(concurrency === null ? [] : [`${count(concurrency)} at a time`]),
  ];
  return parts.length === 0 ? ['no limit yet'] : parts;
}

/** "60 requests/min, 1 at a time" */
export const limitsText = (limits: Limits): string => limitParts(limits).join(', ');
