/** Turns the relay's knowledge of a node into lines of a log. */
import type { LogLevel } from '../../../kernel/log/log-record.js';
import type { ManagementApi } from '../../core/api/management-api.js';
import type { Schemas } from '../../core/api/management-api.types.js';
import { CliError } from '../../core/errors/cli-error.js';
import { isOver, subjectOf } from '../models/operation.js';
import type { LogLine } from '../local-logs/log-line.js';

/** The same event has the same key whenever it is read. */
export interface NodeEvent {
  readonly key: string;
  readonly line: LogLine;
}

/** Page size of the relay. */
const PAGE = 200;

/** @param count of each kind at most, the newest */
export async function readNodeEvents(
  api: ManagementApi,
  node: Schemas['Node'],
  count: number,
): Promise<readonly NodeEvent[]> {
  const limit = Math.min(count, PAGE);
  const { node_id } = node;
  const [operations, trail, ...requests] = await Promise.all([
    api.list('/api/operations', { query: { node_id, limit }, limit: count }),
    api.list('/api/audit', { query: { object: node_id, limit }, limit: count }).catch(noneWithoutRights),
    ...(['failed', 'timed_out', 'rejected'] as const).map((outcome) =>
      api.list('/api/usage/requests', { query: { node_id, outcome, limit }, limit: count }),
    ),
  ]);
  return [
    ...problemEvent(node),
    ...(node.link_events ?? []).map(eventOfLink),
    ...operations.flatMap(eventsOfOperation),
    ...trail.map(eventOfChange),
    ...requests.flat().map(eventOfRequest),
  ];
}

const eventOf = (
  key: string,
  time: string | number,
  level: LogLevel,
  message: string,
  fields: LogLine['record']['fields'] = {},
): NodeEvent => ({
  key,
  line: {
    part: 'relay',
    record: { timeMs: typeof time === 'number' ? time * 1_000 : Date.parse(time), level, message, fields },
  },
});

/** The trail of changes is for administrators. */
function noneWithoutRights(error: unknown): readonly never[] {
  if (error instanceof CliError && error.code === 'insufficient_role') return [];
  throw error;
}

/** Only what the relay knows for sure: it notes once a minute which nodes are online. */
export const lastSeenEvent = ({ status, online, last_seen: lastSeen }: Schemas['Node']): readonly NodeEvent[] =>
  status !== 'active' || online || lastSeen === null
    ? []
    : [eventOf('last seen', lastSeen, 'warn', 'last seen online (noted once a minute)')];

/** Where the relay does not say since when, it is so now. */
const problemEvent = ({ problem, problem_since: since }: Schemas['Node']): readonly NodeEvent[] =>
  problem === null ? [] : [eventOf(`problem ${problem}`, since ?? Date.now() / 1_000, 'warn', problem)];

/** By the actions of the audit trail; one that a newer relay knows stays as it is. */
const changes: Readonly<Record<string, string>> = {
  'node.enrol': 'joined the account',
  'node.approve': 'approved',
  'node.confirm': 'fingerprint confirmed',
  'node.confirm_refused': 'fingerprint not confirmed',
  'node.update': 'name, cluster, note or tags changed',
  'node.pause': 'paused',
  'node.resume': 'resumed',
  'node.revoke': 'revoked',
};

function eventsOfOperation(operation: Schemas['Operation']): readonly NodeEvent[] {
  const { id, kind, state, engine, phase, failure, created_at: asked, updated_at: updated } = operation;
  const what = `${kind} ${subjectOf(operation)}`;
  const fields = { engine, job: id };
  const events = [eventOf(`${id} asked`, asked, 'info', `${what}: asked for`, fields)];
  if (isOver(operation)) {
    const level = state === 'failed' ? 'error' : 'info';
    const message = `${what}: ${state}${failure === null ? '' : `: ${failure.message}`}`;
    events.push(eventOf(`${id} over`, operation.finished_at ?? updated, level, message, fields));
  } else if (state === 'running') {
    events.push(eventOf(`${id} ${phase ?? ''}`, updated, 'info', `${what}: ${phase ?? 'running'}`, fields));
  }
  return events;
}

/** In words, as far as this version knows the reason. */
const linkEnds: Readonly<Record<string, string>> = {
  peer_closed: 'the node or the network closed the link',
  closed_here: 'the relay closed the link',
  protocol_error: 'the node sent something that is no link message',
  handshake_timeout: 'the node did not finish the handshake',
  dead: 'nothing came from the node any more',
  backlog: 'the node did not read what was sent',
  internal: 'a fault of the relay',
};

function eventOfLink({ at, event, reason, detail }: Schemas['NodeLinkEvent']): NodeEvent {
  const key = `link ${at} ${event}`;
  if (event === 'connected') return eventOf(key, at, 'info', 'connected');
  const why = linkEnds[reason ?? ''] ?? reason ?? 'unknown';
  return eventOf(key, at, 'warn', `disconnected: ${why}`, detail === '' ? {} : { detail });
}

const eventOfChange = ({ id, action, actor, created_at: at }: Schemas['AuditEvent']): NodeEvent =>
  eventOf(id, at, 'info', changes[action] ?? action, {
    by: actor.name ?? actor.user_id ?? actor.credential_id ?? actor.kind,
  });

function eventOfRequest(request: Schemas['LoggedRequest']): NodeEvent {
  const { id, outcome, code, started_at: start, duration_ms, model_name: model } = request;
  const endedAt = (Date.parse(start) + duration_ms) / 1_000;
  const level = outcome === 'rejected' ? 'warn' : 'error';
  const message = `request ${outcome.replaceAll('_', ' ')}${code === null ? '' : `: ${code}`}`;
  return eventOf(id, endedAt, level, message, { model: model ?? request.model, duration_ms, req_id: id });
}
