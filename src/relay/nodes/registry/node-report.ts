/** A node's report apart from its models. The management API shows it, and one replica sends it to another. */
import { z } from 'zod';
import { printable } from '../../../kernel/printable.js';
import { gpuBackends, supervisors } from '../../../link/messages.js';
import type { NodeConnection } from './node-connection.js';

const count = z.number().nullable();

const engineReport = z.object({
  name: z.string(),
  kind: z.string(),
  version: z.string().nullable(),
  /** null until the node has reported it. */
  slotsTotal: count,
  slotsUsed: count,
  queueDepth: count,
  /** Human-readable reason why the engine cannot serve. */
  problem: z.string().nullable(),
  /** The date is a text in JSON. */
  problemSince: z.coerce.date().nullable(),
});
export type EngineReport = z.output<typeof engineReport>;

export const nodeReport = z.object({
  /** Empty: unknown. */
  platform: z.string(),
  /** Empty: unknown. */
  agentVersion: z.string(),
  /** Measured on the link to the responding replica. */
  roundTripMs: count,
  /** null: none that is known. A replica of an older version does not say. */
  supervisor: z.enum(supervisors).nullable().default(null),
  engines: z.array(engineReport),
  /** null: its agent does not report it. */
  memory: z.object({ totalBytes: z.number(), freeBytes: z.number() }).nullable(),
  gpus: z.array(
    z.object({
      name: z.string(),
      totalBytes: z.number(),
      /** null: its driver does not report it. */
      freeBytes: count,
      /** It computes in the memory of the host. */
      unified: z.boolean(),
      /** null: the built-in engine does not compute on it. A replica of an older version does not say. */
      backend: z.enum(gpuBackends).nullable().default(null),
    }),
  ),
});
export type NodeReport = z.output<typeof nodeReport>;

export const reportOf = (link: NodeConnection): NodeReport => ({
  platform: printable(link.hello?.platform ?? '', ''),
  agentVersion: printable(link.hello?.agent_version ?? '', ''),
  roundTripMs: link.roundTripMs,
  supervisor: link.hello?.supervisor ?? null,
  engines: enginesOf(link),
  memory: memoryOf(link),
  gpus: gpusOf(link),
});

/** STATUS lists all current engines; before the first one those of HELLO are shown. */
function enginesOf({ hello, status, problemsSinceMs }: NodeConnection): EngineReport[] {
  const facts = new Map(hello?.engines.map((fact) => [fact.name, fact]));
  const loads = new Map(status?.engines.map((load) => [load.name, load]));
  return [...(status === null ? facts : loads).keys()].map((name) => {
    const fact = facts.get(name);
    const load = loads.get(name);
    const version = load?.version ?? fact?.version;
    const sinceMs = problemsSinceMs.get(name);
    return {
      name: printable(name, 'unnamed'),
      kind: printable(load?.kind ?? fact?.kind ?? '', 'unknown'),
      version: version == null ? null : printable(version, 'unknown'),
      slotsTotal: load?.slots_total ?? null,
      slotsUsed: load?.slots_used ?? null,
      queueDepth: load?.queue_depth ?? null,
      problem: load?.problem == null ? null : printable(load.problem, 'does not serve'),
      problemSince: sinceMs === undefined ? null : new Date(sinceMs),
    };
  });
}

/** null: not measured yet. The free memory alone says little. */
function memoryOf({ status }: NodeConnection): NodeReport['memory'] {
  const { memory_total_bytes: totalBytes, memory_free_bytes: freeBytes } = status ?? {};
  return totalBytes == null || freeBytes == null ? null : { totalBytes, freeBytes: Math.min(freeBytes, totalBytes) };
}

const gpusOf = ({ status }: NodeConnection): NodeReport['gpus'] =>
  (status?.gpus ?? []).map(({ name, total_bytes: totalBytes, free_bytes: freeBytes, unified, backend }) => ({
    name: printable(name, 'unnamed'),
    totalBytes,
    freeBytes,
    unified: unified === true,
    backend: backend ?? null,
  }));
