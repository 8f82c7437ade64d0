import { tokenRate } from '../../core/output/quantities.js';
import type { ManagementApi } from '../../core/api/management-api.js';
import type { Schemas } from '../../core/api/management-api.types.js';
import { vramOf } from '../nodes/gpu-memory.js';
import type { TopFrame } from './top-frame.shape.js';

type Node = Schemas['Node'];
type Running = Schemas['RunningRequest'];

const ERRORS_SHOWN = 3;
const ERRORS_EVERY_MS = 10_000;

/** Reads frames; failed requests, which come from the database, less often than the rest. */
export class FrameReader {
  private failed: readonly Schemas['LoggedRequest'][] = [];
  private failedAtMs = -Infinity;

  constructor(private readonly api: ManagementApi) {}

  async read(nowMs: number): Promise<TopFrame> {
    if (nowMs - this.failedAtMs >= ERRORS_EVERY_MS) {
      this.failedAtMs = nowMs;
      this.failed = await this.api.list('/api/usage/requests', {
        query: { outcome: 'failed', since: '1h', limit: ERRORS_SHOWN },
        limit: ERRORS_SHOWN,
      });
    }
    const [nodes, running] = await Promise.all([this.api.list('/api/nodes'), this.api.list('/api/requests/running')]);
    return frameOf(nodes, running, this.failed, nowMs);
  }
}

export function frameOf(
  nodes: readonly Node[],
  running: readonly Running[],
  failed: readonly Schemas['LoggedRequest'][],
  nowMs: number,
): TopFrame {
  const active = nodes.filter(({ status }) => status === 'active');
  const requests = running.map(requestRow);
  const problems = active.flatMap((node) =>
    node.problem === null ? [] : [{ at: problemSince(node, nowMs), subject: node.name, message: node.problem }],
  );
  const failures = failed.map((row) => ({
    at: row.started_at,
    subject: row.model_name ?? row.id,
    message: `${row.code ?? row.outcome}${row.node_name === null ? '' : ` on ${row.node_name}`}`,
  }));
  return {
    object: 'top',
    at: new Date(nowMs).toISOString(),
    nodes: active.map((node) => nodeRow(node, running)),
    requests,
    errors: [...problems, ...failures].sort((a, b) => b.at.localeCompare(a.at)).slice(0, ERRORS_SHOWN),
  };
}

const problemSince = ({ problem_since: since }: Node, nowMs: number): string =>
  new Date(since === null ? nowMs : since * 1_000).toISOString();

function nodeRow(node: Node, running: readonly Running[]): TopFrame['nodes'][number] {
  const own = running.filter(({ node_id }) => node_id === node.node_id);
  const { memory } = node;
  const vram = vramOf(node);
  return {
    node_id: node.node_id,
    name: node.name,
    online: node.online,
    accepts_work: node.accepts_work,
    loaded: node.models.filter(({ state }) => state === 'loaded').map(({ display_name }) => display_name),
    slots_used: node.online ? sum(node.engines.map(({ slots_used }) => slots_used)) : null,
    slots_total: node.online ? sum(node.engines.map(({ slots_total }) => slots_total)) : null,
    tokens_per_second: own.reduce((total, request) => total + (rateOf(request) ?? 0), 0),
    queue: sum(node.engines.map(({ queue_depth }) => queue_depth)) ?? 0,
    memory_used_bytes: memory === null ? null : memory.total_bytes - memory.free_bytes,
    memory_total_bytes: memory?.total_bytes ?? null,
    vram_used_bytes: vram?.usedBytes ?? null,
    vram_total_bytes: vram?.totalBytes ?? null,
    round_trip_ms: node.round_trip_ms,
    problem: node.problem,
  };
}

const requestRow = (request: Running): TopFrame['requests'][number] => ({
  object: 'request',
  id: request.id,
  key: request.key_name ?? request.key_id,
  model: request.model,
  node: request.node_name,
  state: request.state,
  output_events: request.output_events,
  tokens_per_second: rateOf(request),
  age_ms: request.age_ms,
});

/** Rate of the response so far; the first event ends the prefill. */
function rateOf({ output_events: events, age_ms, ttft_ms }: Running): number | null {
  return events === null || ttft_ms === null ? null : tokenRate(events, age_ms - ttft_ms);
}

/** null when all values are unknown. */
function sum(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((total, value) => total + value, 0);
}
