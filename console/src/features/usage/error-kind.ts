import { outcomeOf } from '../../components/outcomes';

/** A request that a computer began, and that went wrong there. */
const failures: Readonly<Record<string, 'failed' | 'timed_out'>> = {
  engine_error: 'failed',
  engine_rejected_request: 'failed',
  engine_timeout: 'timed_out',
  node_disconnected: 'failed',
  internal_error: 'failed',
};

/** The relay refuses with them before it asks a computer, and an engine after it was asked. */
const either = new Set(['context_length_exceeded', 'unsupported_capability', 'draining']);

interface Totals {
  readonly failed: number;
  readonly rejected: number;
}

/** Whether requests with this code have failed or were rejected: the relay sums them up by their code alone. */
export function errorKind(code: string, { failed, rejected }: Totals): ReturnType<typeof outcomeOf> {
  if (either.has(code)) {
    if (failed > 0 && rejected > 0) return { state: 'off', label: 'Failed or rejected' };
    return outcomeOf(failed > 0 ? 'failed' : 'rejected');
  }
  return outcomeOf(failures[code] ?? 'rejected');
}
