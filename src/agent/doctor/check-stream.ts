/** Reads two events that the relay sends with a pause between them: together, they show that something on the way collects answers. */
import { request, type Dispatcher } from 'undici';
import { isJsonObject, parseJson } from '../../kernel/json-object.js';
import type { Clock } from '../../kernel/clock.js';
import { networkFailure } from '../connection/network-failure.js';
import { relayPath } from '../connection/relay-address.js';
import { ok, problem, type Finding } from './finding.js';
import { STEP_TIMEOUT_MS } from './opened-socket.js';

const CHECK = 'relay_stream';
const LIMIT_CHARACTERS = 10_000;
const FIRST = /^event: first\ndata: (.*)\n\n/m;
const SECOND = /^event: second\n/m;

interface CheckStreamOptions {
  readonly relay: URL;
  readonly dispatcher: Dispatcher;
  readonly userAgent: string;
  readonly clock: Pick<Clock, 'monotonicMs'>;
}

export async function checkStream(options: CheckStreamOptions): Promise<Finding> {
  try {
    return await readEvents(options);
  } catch (error) {
    const next = 'check the proxies in between: they must forward streamed responses';
    return problem('fail', CHECK, `a streamed response does not arrive (${networkFailure(error)})`, next);
  }
}

async function readEvents({ relay, dispatcher, userAgent, clock }: CheckStreamOptions): Promise<Finding> {
  const { statusCode: status, body } = await request(relayPath(relay, '/api/stream-check'), {
    dispatcher,
    headers: { accept: 'text/event-stream', 'user-agent': userAgent },
    signal: AbortSignal.timeout(STEP_TIMEOUT_MS),
  });
  if (status !== 200) {
    await body.dump();
    return refused(status);
  }
  let text = '';
  let firstMs: number | undefined;
  let announcedMs = Number.NaN;
  for await (const chunk of body) {
    text += String(chunk);
    const first = FIRST.exec(text);
    if (first !== null && firstMs === undefined) {
      firstMs = clock.monotonicMs();
      announcedMs = pauseOf(first[1] ?? '');
    }
    if (SECOND.test(text) || text.length > LIMIT_CHARACTERS) break;
  }
  if (firstMs === undefined || Number.isNaN(announcedMs) || !SECOND.test(text)) {
    return problem(
      'fail',
      CHECK,
      'a streamed response arrives incomplete',
      'check the proxies between the relay and this computer',
    );
  }
  const pauseMs = Math.round(clock.monotonicMs() - firstMs);
  const facts = { sent_apart_ms: announcedMs, arrived_apart_ms: pauseMs };
  // Half of it, because the network delivers neither event at once.
  if (pauseMs >= announcedMs / 2) return ok(CHECK, 'events arrive one by one, as they are sent', facts);
  return problem(
    'fail',
    CHECK,
    `a proxy in front of the relay buffers streams: events sent ${announcedMs} ms apart arrive ${pauseMs} ms apart`,
    'disable buffering for the relay (nginx: proxy_buffering off) and compression of text/event-stream',
    facts,
  );
}

function refused(status: number): Finding {
  const facts = { status };
  if (status === 404) {
    return problem('warn', CHECK, 'the relay is too old to check streams', 'update the relay', facts);
  }
  const next =
    status === 429 || status === 503
      ? 'wait a minute, then run this again'
      : 'configure the proxy to forward /api to the relay';
  return problem('warn', CHECK, `streams could not be checked: the relay answers ${status}`, next, facts);
}

function pauseOf(data: string): number {
  const value = parseJson(data);
  const pause = isJsonObject(value) ? value['next_in_ms'] : undefined;
  return typeof pause === 'number' && pause > 0 ? pause : Number.NaN;
}
