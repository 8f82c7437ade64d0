/** What the relay itself says about requests: its log, one line per request (reliability §2.11). */
import type { FerryProcess } from '../../support/ferry-process.js';
import type { LedgerLine } from './history.js';

interface LogLine {
  readonly level?: string;
  readonly msg?: string;
  readonly method?: string;
  readonly key?: string;
  readonly req_id?: string;
  readonly outcome?: string;
  readonly status?: number | null;
}

export interface RelayLedger {
  readonly lines: readonly LedgerLine[];
  readonly retried: ReadonlySet<string>;
  readonly accidents: readonly string[];
}

const parsed = (line: string): LogLine => {
  try {
    return JSON.parse(line) as LogLine;
  } catch {
    return {};
  }
};

/** Only inference is asked for with an API key and a body. */
const isInference = (line: LogLine): boolean =>
  line.msg === 'request' && line.method === 'POST' && line.key !== undefined;

/** @param processes the relay, and those that it was before it was started again */
export function readLedger(processes: readonly FerryProcess[]): RelayLedger {
  const all = processes.flatMap(({ stderr }) => stderr.split('\n')).map(parsed);
  const retried = all.flatMap(({ msg }) => /retried=true req_id=(\S+)/.exec(msg ?? '')?.[1] ?? []);
  return {
    lines: all.filter(isInference).map(({ req_id: requestId, outcome, status }) => ({
      requestId: requestId ?? '',
      outcome,
      status: status ?? null,
    })),
    retried: new Set(retried),
    accidents: processes.flatMap(({ stderr }) => stderr.match(/.*(?:unhandled|uncaught|"level":"fatal").*/gi) ?? []),
  };
}
