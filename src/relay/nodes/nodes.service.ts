import { Injectable } from '@nestjs/common';
import { FerryError } from '../../kernel/errors/ferry-error.js';
import { fingerprintOf, isFingerprintOf } from '../../kernel/fingerprint.js';
import type { InputKind, ModelState } from '../../kernel/dialect.js';
import type { AccountId, ClusterId, ModelSelector, NodeId } from '../../kernel/ids.js';
import type { NodeState } from './handshake/node-authenticator.js';
import type { ModelReport } from '../../link/messages.js';
import type { AuditActor } from '../accounts/audit/audit-event.js';
import { NodeChangesStore, type NodeAction, type NodeChange } from './node-changes.store.js';
import { NodesStore, type Node } from './nodes.store.js';
import type { LinkEvent } from './registry/link-history.js';
import { NodeRegistry } from './registry/node-registry.js';
import { reportOf, type EngineReport, type NodeReport } from './registry/node-report.js';
import type { OnlineNode } from './registry/online-node.js';
import { ReachableNodes } from './registry/reachable-nodes.js';
import { printable } from '../../kernel/printable.js';

/** A node as the management API shows it. Connected, healthy and loaded are separate states. */
export interface NodeView {
  readonly nodeId: NodeId;
  readonly name: string;
  readonly clusterId: ClusterId;
  readonly state: NodeState;
  readonly online: boolean;
  /** Paused on the relay: it may be connected and healthy, and gets no requests. */
  readonly paused: boolean;
  readonly note: string | null;
  readonly tags: readonly string[];
  /** False while it is paused, draining or congested. */
  readonly acceptsWork: boolean;
  readonly lastSeenAt: Date | null;
  /** When it was stopped on its computer; null: it was lost, or has been connected since. */
  readonly stoppedAt: Date | null;
  readonly createdAt: Date;
  readonly platform: string;
  readonly agentVersion: string;
  readonly roundTripMs: number | null;
  /** What starts its agent again by itself; null: offline, or none that is known. */
  readonly supervisor: NodeReport['supervisor'];
  readonly engines: readonly EngineReport[];
  readonly models: readonly NodeModelView[];
  /** Human-readable reason why the node cannot serve. */
  readonly problem: string | null;
  /** null: there is none, or nobody knows since when. */
  readonly problemSince: Date | null;
  /** null: offline, or its agent does not report it. */
  readonly memory: NodeReport['memory'];
  readonly gpus: NodeReport['gpus'];
  /** Names the key of the computer; the same words are on its screen. */
  readonly fingerprint: string;
}

export interface NodeModelView {
  /** Names it on its node; operations take it. */
  readonly key: string;
  readonly selector: ModelSelector;
  readonly displayName: string;
  readonly engine: string;
  readonly state: ModelState;
  /** Why it cannot be loaded now; null where nothing is known to prevent it. */
  readonly reason: 'engine_unreachable' | null;
  /** null: the engine does not report it. */
  readonly quantization: string | null;
  readonly sizeBytes: number | null;
  readonly contextLength: number | null;
  /** null, as the next two: not in memory, or its engine does not say. */
  readonly memory: NonNullable<ModelReport['memory']> | null;
  readonly device: string | null;
  readonly gpuLayers: NonNullable<ModelReport['gpu_layers']> | null;
  readonly inputs: readonly InputKind[];
  /** null: its engine does not say. */
  readonly tools: boolean | null;
  readonly reasoning: boolean | null;
  readonly embedding: boolean;
}

/** Five guesses among millions of word triples reveal nothing (docs/reference/security.md#nodes). */
const CONFIRMATION_TRIES = 5;
const SAME_IDENTITY =
  'Two computers use the identity of this node. Remove it from one of them, and enrol that one with its own join token.';

const UNCONFIRMED = 'The node waits for confirmation: enter the fingerprint shown on its own screen.';
const REVOKED = 'The node was revoked and cannot connect again.';

@Injectable()
export class NodesService {
  constructor(
    private readonly store: NodesStore,
    private readonly changes: NodeChangesStore,
    private readonly registry: NodeRegistry,
    private readonly reachable: ReachableNodes,
  ) {}

  /** Nodes that are not revoked, oldest first. */
  async list(accountId: AccountId, revoked = false): Promise<readonly NodeView[]> {
    return this.views(accountId, await this.store.list(accountId, revoked));
  }

  /** Finds a revoked node, too. Undefined when the account has no such node. */
  async find(accountId: AccountId, nodeId: NodeId): Promise<NodeView | undefined> {
    const node = await this.store.find(accountId, nodeId);
    return node && this.viewOf(accountId, node);
  }

  /**
   * Changes the name, cluster, note or tags of a node. Routing and inventory follow before this settles; its link stays, and what runs on
   * it goes on. Undefined when the account has no such node. @throws FerryError `cluster_not_found`,
   * `conflict` for a name that another node of the account has
   */
  async update(
    accountId: AccountId,
    nodeId: NodeId,
    change: Omit<NodeChange, 'paused'>,
    actor: AuditActor,
  ): Promise<NodeView | undefined> {
    await this.refuseTakenName(accountId, nodeId, change.name);
    return this.change(accountId, nodeId, change, 'node.update', actor);
  }

  /** When a node of the account connected to this relay and why it left, as far as this process has seen it. */
  linkEvents(nodeId: NodeId): readonly LinkEvent[] {
    return this.registry.history.of(nodeId);
  }

  /**
   * When a node that is offline left, and whether it was stopped. Undefined: it was not, and left another relay, or this one before it
   * started.
   */
  departureOf({ nodeId, stoppedAt }: NodeView): Pick<LinkEvent, 'atMs' | 'announced'> | undefined {
    if (stoppedAt !== null) return { atMs: stoppedAt.getTime(), announced: true };
    const last = this.registry.history.of(nodeId).at(-1);
    return last?.event === 'disconnected' ? last : undefined;
  }

  /** Commands name nodes: two of one name could only be told apart by their ids. Computers may join with equal names. */
  private async refuseTakenName(accountId: AccountId, nodeId: NodeId, name: string | undefined): Promise<void> {
    if (name === undefined) return;
    const wanted = name.toLowerCase();
    const others = (await this.store.list(accountId, false)).filter(({ id }) => id !== nodeId);
    const taken = others.find((other) => other.name.toLowerCase() === wanted);
    if (taken !== undefined) throw new FerryError('conflict', `Another node is called ${printable(taken.name)}.`);
  }

  /** A paused node gets no new requests until it is resumed, also after restarts of the relay and of the node. */
  pause(accountId: AccountId, nodeId: NodeId, paused: boolean, actor: AuditActor): Promise<NodeView | undefined> {
    return this.change(accountId, nodeId, { paused }, paused ? 'node.pause' : 'node.resume', actor);
  }

  /**
   * Lets in a node that was enrolled by a device code (docs/reference/security.md#nodes). Undefined when the account has no such node.
   * @throws FerryError `conflict` when it does not wait for that (any more), `invalid_request` for words that are not on its screen
   */
  async confirm(
    accountId: AccountId,
    nodeId: NodeId,
    fingerprint: string,
    actor: AuditActor,
  ): Promise<NodeView | undefined> {
    const outcome = await this.changes.confirm(
      accountId,
      nodeId,
      (publicKey) => isFingerprintOf(publicKey, fingerprint),
      CONFIRMATION_TRIES,
      actor,
    );
    switch (outcome) {
      case undefined:
        return undefined;
      case 'confirmed':
        return this.find(accountId, nodeId);
      case 'not_pending':
        throw new FerryError('conflict', 'This node is not waiting for confirmation.');
      case 'wrong':
        throw new FerryError('invalid_request', 'These words do not match the fingerprint of this node.', {
          param: 'fingerprint',
        });
      case 'given_up':
        this.registry.revoke(accountId, nodeId);
        throw new FerryError(
          'conflict',
          'Too many wrong fingerprints: the node was revoked. Start a new enrolment on the computer.',
        );
      default:
        return outcome satisfies never;
    }
  }

  /**
   * The node is cut off before this settles, and never let in again.
   * @returns false when the account has no such node that could still be revoked
   */
  async revoke(accountId: AccountId, nodeId: NodeId, actor: AuditActor): Promise<boolean> {
    const revoked = await this.changes.revoke(accountId, nodeId, actor);
    if (revoked) this.registry.revoke(accountId, nodeId);
    return revoked;
  }

  /** Applies what another relay has changed to the links of the node here. */
  async follow(accountId: AccountId, nodeId: NodeId): Promise<void> {
    const node = await this.store.find(accountId, nodeId);
    if (node === undefined || node.state === 'revoked') this.registry.revoke(accountId, nodeId);
    else if (node.state === 'active') this.registry.adopt(accountId, nodeId, node);
  }

  /** Deletes a revoked node, and what is kept in memory of it. @returns false when the account has no such node, or it is not revoked */
  delete(accountId: AccountId, nodeId: NodeId, actor: AuditActor): Promise<boolean> {
    return this.changes.delete(accountId, nodeId, actor);
  }

  private async change(
    accountId: AccountId,
    nodeId: NodeId,
    change: NodeChange,
    action: NodeAction,
    actor: AuditActor,
  ): Promise<NodeView | undefined> {
    const node = await this.changes.change(accountId, nodeId, change, action, actor);
    if (node === undefined) return undefined;
    this.registry.adopt(accountId, nodeId, node);
    return this.viewOf(accountId, node);
  }

  private async viewOf(accountId: AccountId, node: Node): Promise<NodeView | undefined> {
    return (await this.views(accountId, [node]))[0];
  }

  private async views(accountId: AccountId, nodes: readonly Node[]): Promise<readonly NodeView[]> {
    const notHere = nodes.map(({ id }) => id).filter((id) => this.registry.find(accountId, id) === undefined);
    const reports = await this.reachable.reportsOfReplicas(accountId, notHere);
    return nodes.map((node) => this.view(accountId, node, reports.get(node.id)));
  }

  /** @param reported by the replica that the node is connected to, if that is another one and has answered */
  private view(accountId: AccountId, { id, publicKey, ...node }: Node, reported: NodeReport | undefined): NodeView {
    const link = this.registry.find(accountId, id);
    const elsewhere = link === undefined ? this.reachable.findOnReplicas(accountId, id) : undefined;
    const online = link !== undefined || elsewhere !== undefined;
    const report = link === undefined ? reported : reportOf(link);
    const known = online ? this.reachable.find(accountId, id) : undefined;
    const engines = report?.engines ?? [];
    return {
      ...node,
      nodeId: id,
      online,
      acceptsWork: link?.acceptsWork ?? elsewhere?.acceptsWork ?? false,
      lastSeenAt: online ? new Date() : node.lastSeenAt,
      platform: printable(report?.platform ?? '', node.platform),
      agentVersion: printable(report?.agentVersion ?? '', node.agentVersion),
      roundTripMs: report?.roundTripMs ?? null,
      supervisor: report?.supervisor ?? null,
      engines,
      models: known === undefined ? [] : modelsOf(known),
      problem: this.problem(id, node.state, engines),
      problemSince: earliest(engines),
      memory: report?.memory ?? null,
      gpus: report?.gpus ?? [],
      fingerprint: fingerprintOf(publicKey),
    };
  }

  private problem(nodeId: NodeId, state: NodeState, engines: readonly EngineReport[]): string | null {
    switch (state) {
      case 'pending':
        return UNCONFIRMED;
      case 'revoked':
        return REVOKED;
      case 'active':
        return this.registry.isInConflict(nodeId) ? SAME_IDENTITY : problemOf(engines);
      default:
        return state satisfies never;
    }
  }
}

function earliest(engines: readonly EngineReport[]): Date | null {
  const times = engines.flatMap(({ problemSince }) => (problemSince === null ? [] : [problemSince.getTime()]));
  return times.length === 0 ? null : new Date(Math.min(...times));
}

/** More would hide the rest of a list. */
const PROBLEMS_SHOWN = 3;

function problemOf(engines: readonly EngineReport[]): string | null {
  const problems = engines.flatMap(({ name, problem }) => (problem === null ? [] : [`${name} ${problem}`]));
  if (problems.length === 0) return null;
  const more = problems.length - PROBLEMS_SHOWN;
  const shown = problems.slice(0, PROBLEMS_SHOWN).join('; ');
  return `Engine ${shown}${more > 0 ? `; and ${String(more)} more` : ''}.`;
}

const modelsOf = ({ models }: OnlineNode): NodeModelView[] =>
  Array.from(models.values(), (report) => ({
    key: printable(report.key, 'unnamed'),
    selector: report.selector,
    displayName: report.display_name,
    engine: printable(report.engine, 'unnamed'),
    state: report.state,
    reason: report.engine_unreachable === true ? 'engine_unreachable' : null,
    quantization: report.quantization === null ? null : printable(report.quantization, 'unknown'),
    sizeBytes: report.size_bytes,
    contextLength: report.context_length,
    memory: report.memory ?? null,
    device: report.device == null ? null : printable(report.device, 'unnamed'),
    gpuLayers: report.gpu_layers ?? null,
    inputs: report.inputs,
    tools: report.tools,
    reasoning: report.reasoning,
    embedding: report.embedding,
  }));
