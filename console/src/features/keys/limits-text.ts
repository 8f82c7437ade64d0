import { count, countOf } from '../../components/format';
import type { Limits } from './limit-fields';

/** "60 requests/min, 1 at a time" */
export function limitsText({ requests_per_minute: requests, tokens_per_minute: tokens, concurrency }: Limits): string {
  const parts = [
    ...(requests === null ? [] : [`${countOf(requests, 'request')}/min`]),
    ...(tokens === null ? [] : [`${countOf(tokens, 'token')}/min`]),
    ...(concurrency === null ? [] : [`${count(concurrency)} at a time`]),
  ];
  return parts.length === 0 ? 'no limit yet' : parts.join(', ');
}
