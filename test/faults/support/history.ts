/**
 * The records of clients, relay and engines of the same requests, and the invariants between them
 * (docs/reference/failures.md#invariants, I1–I6).
 */

/** How a request ended for its client. `truncated` is an end without an error, which must never happen. */
export type ClientEnd = 'completed' | 'failed' | 'refused' | 'left' | 'truncated' | 'broken';

export interface ClientRecord {
  /** Part of the prompt and of every word of the response. */
  readonly marker: string;
  /** null: the client disconnected, or lost its connection, before the headers. */
  requestId: string | null;
  status: number | null;
  end: ClientEnd;
  /** Code of an error event or an error response. */
  code: string | null;
  text: string;
  /** Monotonic. */
  readonly startedAtMs: number;
  endedAtMs: number;
}

export const endsOf = (records: readonly ClientRecord[]): ReadonlySet<ClientEnd> =>
  new Set(records.map(({ end }) => end));

export interface EngineRun {
  readonly marker: string;
  readonly engine: string;
  /** All words that it sent. */
  text: string;
}

export interface RequestLogLine {
  readonly requestId: string;
  readonly outcome: string | undefined;
  readonly status: number | null;
}

export interface History {
  readonly clients: readonly ClientRecord[];
  readonly runs: readonly EngineRun[];
  readonly requestLog: readonly RequestLogLine[];
  /** Ids that the relay logged as retried. */
  readonly retried: ReadonlySet<string>;
  /** Observed violations of I4: exits, unhandled rejections. */
  readonly accidents: readonly string[];
  /** Markers of requests at a relay that was killed before it had written of them. */
  readonly unrecorded?: ReadonlySet<string>;
}

/** The outcomes that the request log may have for each end that a client saw. */
const agreeing: Readonly<Record<ClientEnd, readonly string[]>> = {
  completed: ['completed'],
  failed: ['failed', 'timed_out'],
  refused: ['failed', 'timed_out', 'rejected'],
  // A client that disconnects does not learn whether the response was already on its way.
  left: ['cancelled', 'completed', 'failed', 'timed_out', 'rejected'],
  broken: ['cancelled', 'failed', 'timed_out'],
  truncated: [],
};

/** The relay counts the end of a stream whose key was revoked as a cancellation. */
const REVOKED_KEY = 'invalid_credential';
const CANCELLED = ['cancelled'];
/** Refused before the key was read, so that the log does not count it as a request of the account. */
const DRAINING = 'draining';

/** @returns one line per violation; empty when the history is correct */
export function violationsOf(history: History): string[] {
  return [
    ...outcomeViolations(history),
    ...runViolations(history),
    ...textViolations(history),
    ...history.accidents.map((what) => `I4 ${what}`),
    ...history.requestLog
      .filter(({ status }) => status === 500)
      .map(({ requestId }) => `I4 ${requestId} was answered 500`),
  ];
}

function outcomeViolations({ clients, requestLog, unrecorded }: History): string[] {
  const found: string[] = [];
  const lines = new Map<string, RequestLogLine[]>();
  for (const line of requestLog) lines.set(line.requestId, [...(lines.get(line.requestId) ?? []), line]);
  for (const { marker, requestId, end, code } of clients) {
    if (end === 'truncated') found.push(`I1 ${marker} ended without saying how`);
    if (requestId === null) continue;
    const own = lines.get(requestId) ?? [];
    lines.delete(requestId);
    if (own.length === 0 && (unrecorded?.has(marker) === true || (end === 'refused' && code === DRAINING))) continue;
    if (own.length !== 1) found.push(`I1 ${requestId} has ${own.length} outcomes in the request log`);
    const outcome = own[0]?.outcome ?? 'none';
    const agreed = end === 'failed' && code === REVOKED_KEY ? CANCELLED : agreeing[end];
    if (end !== 'truncated' && !agreed.includes(outcome))
      found.push(`I1 ${requestId} ${end} for its client, ${outcome} in the request log`);
  }
  const nameless = clients.filter(({ requestId }) => requestId === null).length;
  // A request whose client disconnected at once may not have arrived.
  if (lines.size > nameless) found.push(`I1 ${lines.size} requests in the request log belong to ${nameless} clients`);
  return found;
}

/** A history may have some ten thousand requests: looking for each one's runs in all of them would stop the engine, which is in this process. */
function byMarker(runs: readonly EngineRun[]): ReadonlyMap<string, readonly EngineRun[]> {
  const found = new Map<string, EngineRun[]>();
  for (const run of runs) {
    const own = found.get(run.marker);
    if (own === undefined) found.set(run.marker, [run]);
    else own.push(run);
  }
  return found;
}

function runViolations({ clients, runs, retried, unrecorded }: History): string[] {
  const found: string[] = [];
  const runsOf = byMarker(runs);
  for (const { marker, requestId } of clients) {
    const count = runsOf.get(marker)?.length ?? 0;
    const mayHaveRetried = requestId === null || retried.has(requestId) || unrecorded?.has(marker) === true;
    const allowed = mayHaveRetried ? 2 : 1;
    if (count > allowed) found.push(`I2 ${requestId ?? marker} ran ${count} times on engines`);
  }
  return found;
}

const MARKER = /m-[0-9a-f-]{36}/g;

function textViolations({ clients, runs }: History): string[] {
  const found: string[] = [];
  const own = new Set(clients.map(({ marker }) => marker));
  const runsOf = byMarker(runs);
  for (const { marker, engine } of runs) {
    if (marker.startsWith('m-') && !own.has(marker)) found.push(`I3 ${engine} was given the prompt of ${marker}`);
  }
  for (const { marker, text, end } of clients) {
    for (const [foreign] of text.matchAll(MARKER)) {
      if (foreign !== marker) found.push(`I3 ${marker} was given words of ${foreign}`);
    }
    const sent = (runsOf.get(marker) ?? []).map((run) => run.text);
    if (text !== '' && !sent.some((whole) => whole.startsWith(text))) found.push(`I6 ${marker} got what nobody sent`);
    if (end === 'completed' && !sent.includes(text)) found.push(`I6 ${marker} completed, but not with a whole answer`);
  }
  return found;
}
