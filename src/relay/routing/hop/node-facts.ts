/** A replica sends these facts of a node when another one queries it. */
import { z } from 'zod';
import { isModelSelector, type AccountId, type ModelSelector, type NodeId } from '../../../kernel/ids.js';
import { modelReport } from '../../../link/messages.js';
import type { OnlineNode, ReportedModel } from '../../nodes/registry/online-node.js';
import { idText } from '../../replicas/bus/id-text.js';
import type { RequestTopic } from '../../replicas/bus/message-bus.js';

/** About 600 KiB at their longest; NATS accepts 1 MiB. */
const MODELS_PER_PART = 100;
const MAX_PARTS = 1_000;

const count = z.number().int().nonnegative();
const name = z.string().max(200);

const query = z.object({ account: idText<AccountId>(), node: idText<NodeId>(), part: count });
type FactsQuery = z.output<typeof query>;

const engine = z.object({ name, kind: name.optional(), version: name.nullish(), slots_total: count });

const response = z.object({
  /** null: the node is not there. */
  facts: z
    .object({
      name,
      /** Measured on the node's link. */
      round_trip_ms: z.number().nonnegative().nullable(),
      engines: z.array(engine).max(64),
      parts: count.min(1).max(MAX_PARTS),
      models: z
        .array(modelReport.extend({ selector: z.custom<ModelSelector>((value) => isModelSelector(String(value))) }))
        .max(MODELS_PER_PART),
    })
    .nullable(),
});
type FactsResponse = z.output<typeof response>;

export const nodeFactsTopic: RequestTopic<FactsQuery, FactsResponse> = {
  name: 'hop.node',
  request: query,
  reply: response,
};

export interface NodeFacts {
  readonly name: string;
  readonly roundTripMs: number | null;
  readonly engines: readonly z.output<typeof engine>[];
  readonly models: ReadonlyMap<string, ReportedModel>;
}

/** @param node with a link to this replica; undefined: none */
export function factsResponse(node: OnlineNode | undefined, part: number): FactsResponse {
  // Without its models, the other replica would say that they do not exist. It asks again when the node takes work.
  if (node?.hasReported !== true) return { facts: null };
  const models = [...node.models.values()];
  const engines = node.status?.engines ?? [];
  return {
    facts: {
      name: node.name,
      round_trip_ms: node.roundTripMs,
      engines: engines.map(({ name, kind, version, slots_total }) => ({ name, kind, version, slots_total })),
      parts: Math.min(MAX_PARTS, Math.max(1, Math.ceil(models.length / MODELS_PER_PART))),
      models: models.slice(part * MODELS_PER_PART, (part + 1) * MODELS_PER_PART),
    },
  };
}

/** Puts the parts together. @returns null when the node is not there, or its replica does not answer */
export async function collectFacts(ask: (part: number) => Promise<FactsResponse | null>): Promise<NodeFacts | null> {
  const models = new Map<string, ReportedModel>();
  for (let part = 0; ; part += 1) {
    const facts = (await ask(part))?.facts ?? null;
    if (facts === null) return null;
    for (const model of facts.models) models.set(model.key, model);
    // A list that changes meanwhile has a new revision, and is asked for again.
    if (part + 1 >= facts.parts)
      return { name: facts.name, roundTripMs: facts.round_trip_ms, engines: facts.engines, models };
  }
}
