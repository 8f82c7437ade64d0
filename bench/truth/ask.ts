/** One streamed chat completion, as a client sees it. */
import { request, type ClientRequest } from 'node:http';
import type { RunningTarget } from '../targets/target.js';

export interface Outcome {
  /** 0: no response. */
  status: number;
  events: number;
  /** Whether the response says that something went wrong: an error in place of an event. */
  hasError: boolean;
  /** `[DONE]` or a finish reason: what a client that looks for an end finds. */
  hasEnd: boolean;
  ended: 'in-order' | 'cut' | 'not';
}

export interface Asked {
  readonly outcome: Outcome;
  /** Resolves when it has ended. */
  readonly over: Promise<void>;
  /** The client leaves. */
  readonly leave: () => void;
}

const DONE = 'data: [DONE]';
const FINISH = '"finish_reason":"stop"';

export function ask({ url, headers }: Pick<RunningTarget, 'url' | 'headers'>, model: string, prompt: string): Asked {
  const outcome: Outcome = { status: 0, events: 0, hasError: false, hasEnd: false, ended: 'not' };
  const body = JSON.stringify({ model, stream: true, messages: [{ role: 'user', content: prompt }] });
  let sent: ClientRequest | undefined;
  const over = new Promise<void>((resolve) => {
    const end = (how: 'in-order' | 'cut') => () => {
      if (outcome.ended === 'not') outcome.ended = how;
      resolve();
    };
    sent = request(url, { method: 'POST', agent: false, headers: { ...headers, 'content-type': 'application/json' } });
    sent.on('error', end('cut'));
    sent.on('response', (response) => {
      outcome.status = response.statusCode ?? 0;
      let rest = '';
      response.setEncoding('utf8');
      response.on('data', (text: string) => {
        const lines = (rest + text).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) read(line, outcome);
      });
      response.on('end', end('in-order')).on('error', end('cut')).on('close', end('cut'));
    });
    sent.end(body);
  });
  return { outcome, over, leave: () => sent?.destroy() };
}

function read(line: string, outcome: Outcome): void {
  if (line.startsWith(DONE) || line.includes(FINISH)) outcome.hasEnd = true;
  else if (line.startsWith('event: error') || line.includes('"error":')) outcome.hasError = true;
  else if (line.startsWith('data: ')) outcome.events += 1;
}
