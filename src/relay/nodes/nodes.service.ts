import { Injectable } from '@nestjs/common';
import type { ModelState } from '../../kernel/dialect.js';
import type { AccountId, ClusterId, ModelSelector, NodeId } from '../../kernel/ids.js';
import type { NodeState } from './handshake/node-authenticator.js';
import { NodesStore, type Node } from './nodes.store.js';
import type { NodeConnection } from './online/node-connection.js';
import { NodeRegistry } from './online/node-registry.js';
import { printable } from './printable.js';

/** A node as its owner sees it. Connected, healthy and loaded are told apart, never mixed (design, "what must stay true"). */
export interface NodeView {
  readonly nodeId: NodeId;
  readonly name: string;
  readonly clusterId: ClusterId;
  readonly state: NodeState;
  readonly online: boolean;
  /** False while it is paused, draining or congested. */
  readonly acceptsWork: boolean;
  readonly lastSeenAt: Date | null;
  readonly createdAt: Date;
  readonly platform: string;
  readonly agentVersion: string;
  readonly roundTripMs: number | null;
  readonly engines: readonly EngineView[];
  readonly models: readonly NodeModelView[];
  /** What stands in the way of this node, for people. */
  readonly problem: string | null;
}

export interface EngineView {
  readonly name: string;
  readonly kind: string;
  readonly version: string | null;
  /** null until the node has said. */
  readonly slotsTotal: number | null;
  readonly slotsUsed: number | null;
  readonly queueDepth: number | null;
}

export interface NodeModelView {
  readonly selector: ModelSelector;
  readonly displayName: string;
  readonly engine: string;
  readonly state: ModelState;
}

const SAME_IDENTITY =
  'Two computers use the identity of this node. Remove it from one of them, and enrol that one with its own join token.';

@Injectable()
export class NodesService {
  constructor(
    private readonly store: NodesStore,
    private readonly registry: NodeRegistry,
  ) {}

  /** Nodes that are not revoked, oldest first. */
  async list(accountId: AccountId): Promise<readonly NodeView[]> {
    const nodes = await this.store.list(accountId);
    return nodes.map((node) => this.#view(node, this.registry.find(accountId, node.id)));
  }

  /**
   * The node is cut off before this settles, and never let in again.
   * @returns false when the account has no such node that could still be revoked
   */
  async revoke(accountId: AccountId, nodeId: NodeId): Promise<boolean> {
    const revoked = await this.store.revoke(accountId, nodeId);
    if (revoked) this.registry.revoke(accountId, nodeId);
    return revoked;
  }

  #view({ id, ...node }: Node, link: NodeConnection | undefined): NodeView {
    return {
      ...node,
      nodeId: id,
      online: link !== undefined,
      acceptsWork: link?.acceptsWork ?? false,
      lastSeenAt: link === undefined ? node.lastSeenAt : new Date(),
      platform: printable(link?.hello?.platform ?? '', node.platform),
      agentVersion: printable(link?.hello?.agent_version ?? '', node.agentVersion),
      roundTripMs: link?.roundTripMs ?? null,
      engines: link === undefined ? [] : enginesOf(link),
      models: link === undefined ? [] : modelsOf(link),
      problem: this.registry.conflictSeconds(id) === undefined ? null : SAME_IDENTITY,
    };
  }
}

/** Engines that HELLO named, and those that appeared since. */
function enginesOf({ hello, status }: NodeConnection): EngineView[] {
  const facts = new Map(hello?.engines.map((fact) => [fact.name, fact]));
  const loads = new Map(status?.engines.map((load) => [load.name, load]));
  return [...new Set([...facts.keys(), ...loads.keys()])].map((name) => {
    const fact = facts.get(name);
    const load = loads.get(name);
    return {
      name: printable(name, 'unnamed'),
      kind: printable(fact?.kind ?? '', 'unknown'),
      version: fact?.version == null ? null : printable(fact.version, 'unknown'),
      slotsTotal: load?.slots_total ?? null,
      slotsUsed: load?.slots_used ?? null,
      queueDepth: load?.queue_depth ?? null,
    };
  });
}

const modelsOf = ({ models }: NodeConnection): NodeModelView[] =>
  Array.from(models.values(), ({ selector, display_name, engine, state }) => ({
    selector,
    displayName: display_name,
    engine: printable(engine, 'unnamed'),
    state,
  }));
