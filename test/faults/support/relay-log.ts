/** The relay's own records of requests: its log, one line per request (docs/reference/security.md#logs). */
import type { FerryProcess } from '../../support/process/ferry-process.js';
import type { RequestLogLine } from './history.js';

interface LogLine {
  readonly level?: string;
  readonly msg?: string;
  readonly method?: string;
  readonly account?: string;
  readonly key?: string;
  readonly req_id?: string;
  readonly outcome?: string;
  readonly status?: number | null;
  /** ISO 8601. */
  readonly time?: string;
}

export interface RelayLog {
  readonly lines: readonly RequestLogLine[];
  readonly retried: ReadonlySet<string>;
  /** The end of each request, on this process's monotonic clock. */
  readonly endedAtMs: ReadonlyMap<string, number>;
  readonly accidents: readonly string[];
}

const parsed = (line: string): LogLine => {
  try {
    return JSON.parse(line) as LogLine;
  } catch {
    return {};
  }
};

interface ReadLog {
  /** Of the text. */
  readTo: number;
  readonly lines: LogLine[];
  readonly accidents: string[];
}

/** A log is read again and again while it grows. */
const logs = new WeakMap<FerryProcess, ReadLog>();

function readOn(process: FerryProcess): ReadLog {
  const log = logs.get(process) ?? { readTo: 0, lines: [], accidents: [] };
  logs.set(process, log);
  const { stderr } = process;
  // The last line may be unfinished.
  const end = stderr.lastIndexOf('\n') + 1;
  for (const text of stderr.slice(log.readTo, end).split('\n')) {
    if (/unhandled|uncaught|"level":"fatal"/i.test(text)) log.accidents.push(text);
    log.lines.push(parsed(text));
  }
  log.readTo = Math.max(log.readTo, end);
  return log;
}

/** Only inference requests have an API key and a body. */
const isInference = (line: LogLine, account: string): boolean =>
  line.msg === 'request' && line.method === 'POST' && line.key !== undefined && line.account === account;

/**
 * @param processes the relay and its earlier processes
 * @param account the account of the requests
 */
export function readRelayLog(processes: readonly FerryProcess[], account: string): RelayLog {
  const read = processes.map(readOn);
  const all = read.flatMap(({ lines }) => lines);
  const retried = all.flatMap(({ msg }) => /retried=true req_id=(\S+)/.exec(msg ?? '')?.[1] ?? []);
  const requests = all.filter((line) => isInference(line, account));
  return {
    lines: requests.map(({ req_id: requestId, outcome, status }) => ({
      requestId: requestId ?? '',
      outcome,
      status: status ?? null,
    })),
    endedAtMs: new Map(
      requests.map(({ req_id: requestId, time }) => [requestId ?? '', Date.parse(time ?? '') - performance.timeOrigin]),
    ),
    retried: new Set(retried),
    accidents: read.flatMap(({ accidents }) => accidents),
  };
}
