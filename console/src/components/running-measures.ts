import type { RunningRequest } from '../api/use-stop-request';
import { countOf, tokensPerSecond } from './format';
import { speedSoFar } from './running-speed';

type Measured = Pick<RunningRequest, 'stream' | 'output_events' | 'ttft_ms' | 'age_ms'>;

/** `412 tokens`, `41 tok/s`: what is known of a response so far. Never nothing: its card does not grow with the first token. */
export function runningMeasures(request: Measured): readonly string[] {
  const { stream, output_events: events } = request;
  if (!stream) return ['Not streamed'];
  if (events === null || events === 0) return ['No tokens yet'];
  const speed = speedSoFar(request);
  return [countOf(events, 'token'), ...(speed === null ? [] : [tokensPerSecond(speed)])];
}
