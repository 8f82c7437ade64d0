import type { LogLevel, LogRecord } from '../../../kernel/log/log-record.js';
import { printable } from '../../../kernel/printable.js';
import type { ManagementApi } from '../../core/api/management-api.js';
import type { Schemas } from '../../core/api/management-api.types.js';
import { readAtChanges } from '../../core/api/watch-changes.js';
import type { Terminal } from '../../core/output/terminal.js';
import { byTime, type LogLine } from '../local-logs/log-line.js';
import { lastSeenEvent, readNodeEvents, type NodeEvent } from './node-events.js';
import type { PrintLogLines } from '../local-logs/print-log-lines.js';

interface RelayView {
  readonly api: ManagementApi;
  readonly nodeId: string;
  readonly lines: number;
  readonly isWanted: (record: LogRecord) => boolean;
  readonly print: PrintLogLines;
  readonly terminal: Pick<Terminal, 'note'>;
}

interface Snapshot {
  readonly node: Schemas['Node'];
  readonly events: readonly NodeEvent[];
}

/** The events are made of these topics of the feed. */
const TOPICS = ['nodes', 'operations', 'requests'] as const;
/** Limits the new events of each kind that are shown after a change. */
const MOST_NEW = 20;

/** @param follow until it is aborted; absent: what is known now */
export async function showRelayView(view: RelayView, follow: AbortSignal | false | undefined): Promise<void> {
  const { lines, terminal } = view;
  const first = await readSnapshot(view, lines);
  const { name, online } = first.node;
  terminal.note(`What the relay knows about ${printable(name)}, which is ${online ? 'online' : 'offline'}.`);
  terminal.note('Its own log is read on that computer, with: ferry logs');
  const shown = byTime(wanted(view, [...lastSeenEvent(first.node), ...first.events])).slice(-lines);
  view.print(shown);
  if (follow instanceof AbortSignal) await followChanges(view, first, follow);
  else if (shown.length === 0) terminal.note('nothing yet: no jobs, no failed requests, no problem');
}

async function followChanges(view: RelayView, first: Snapshot, signal: AbortSignal): Promise<void> {
  let before = first;
  let known = new Set(first.events.map(({ key }) => key));
  const read = async (nowMs: number): Promise<readonly [Snapshot, number]> => [
    await readSnapshot(view, MOST_NEW),
    nowMs,
  ];
  for await (const [now, nowMs] of readAtChanges(
    view.api,
    { topics: TOPICS, signal, note: view.terminal.note },
    read,
  )) {
    const earlier = known;
    const news = [...now.events.filter(({ key }) => !earlier.has(key)), ...transition(before, now, nowMs)];
    view.print(byTime(wanted(view, news)));
    known = new Set([...first.events, ...now.events].map(({ key }) => key));
    before = now;
  }
}

/** The relay does not say since when a node is online or offline, nor when a problem went. */
function transition({ node: before }: Snapshot, { node }: Snapshot, nowMs: number): readonly NodeEvent[] {
  const messages: readonly (readonly [LogLevel, string])[] = [
    ...(node.online && !before.online ? ([['info', 'came online']] as const) : []),
    ...(!node.online && before.online ? ([['warn', 'went offline']] as const) : []),
    ...(before.problem !== null && node.problem === null ? ([['info', 'no problem any more']] as const) : []),
  ];
  return messages.map(([level, message]) => ({
    key: message,
    line: { part: 'relay', record: { timeMs: nowMs, level, message, fields: {} } },
  }));
}

const wanted = ({ isWanted }: RelayView, events: readonly NodeEvent[]): readonly LogLine[] =>
  events.map(({ line }) => line).filter(({ record }) => isWanted(record));

async function readSnapshot({ api, nodeId }: RelayView, count: number): Promise<Snapshot> {
  const node = await api.get('/api/nodes/{nodeId}', { path: { nodeId }, whenMissing: 'ferry nodes' });
  return { node, events: await readNodeEvents(api, node, count) };
}
