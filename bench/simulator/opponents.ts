/**
 * Rules by which other routers choose. None of them has a queue: a request goes to its node at once and waits there. Each sees what such a
 * router sees: the requests that it sent and their ends.
 */
import type { Clock, Rng } from '../../src/kernel/clock.js';
import type { Policy, SimulatedRequest } from './policy.js';
import type { SimulatedNode } from './simulated-node.js';

export interface OpponentSources {
  readonly nodes: readonly SimulatedNode[];
  readonly random: Rng;
  readonly clock: Clock;
}

interface Load {
  requests: number;
  tokens: number;
}

/** Counts what is outstanding at each node. */
abstract class Opponent implements Policy {
  private readonly loads: ReadonlyMap<SimulatedNode, Load>;
  private readonly byName: ReadonlyMap<string, SimulatedNode>;
  private readonly sent = new Map<SimulatedRequest, { readonly node: SimulatedNode; readonly atMs: number }>();

  constructor(protected readonly sources: OpponentSources) {
    this.loads = new Map(sources.nodes.map((node) => [node, { requests: 0, tokens: 0 }]));
    this.byName = new Map(sources.nodes.map((node) => [node.name, node]));
  }

  find(request: SimulatedRequest): ReturnType<Policy['find']> {
    return { kind: 'free', placement: this.choose(request).placement };
  }

  dispatched(request: SimulatedRequest, { node: { name } }: Parameters<Policy['dispatched']>[1]): void {
    const node = this.byName.get(name);
    if (node === undefined) throw new Error(`no node ${name}`);
    const load = this.load(node);
    load.requests += 1;
    load.tokens += tokensOf(request);
    this.sent.set(request, { node, atMs: this.sources.clock.monotonicMs() });
    this.onSent?.(request, node);
  }

  begun(): void {
    // Only the ends of responses count.
  }

  ended(request: SimulatedRequest): void {
    const sent = this.sent.get(request);
    if (sent === undefined) return;
    this.sent.delete(request);
    const load = this.load(sent.node);
    load.requests -= 1;
    load.tokens -= tokensOf(request);
    this.onEnded?.(sent.node, this.sources.clock.monotonicMs() - sent.atMs);
  }

  protected abstract choose(request: SimulatedRequest): SimulatedNode;
  /** For rules that remember prompts. */
  protected onSent?(request: SimulatedRequest, node: SimulatedNode): void;
  /** For rules that measure. */
  protected onEnded?(node: SimulatedNode, tookMs: number): void;

  protected load(node: SimulatedNode): Load {
    const load = this.loads.get(node);
    if (load === undefined) throw new Error(`no node ${node.name}`);
    return load;
  }

  /** Ties are broken at random, so that the first node is not preferred. */
  protected least(nodes: readonly SimulatedNode[], cost: (node: SimulatedNode) => number): SimulatedNode {
    let best: SimulatedNode | undefined;
    let [lowest, ties] = [Infinity, 0];
    for (const node of nodes) {
      const value = cost(node);
      if (value > lowest) continue;
      ties = value < lowest ? 1 : ties + 1;
      lowest = value;
      if (ties === 1 || this.sources.random() * ties < 1) best = node;
    }
    if (best === undefined) throw new Error('a fleet has at least one node');
    return best;
  }

  protected twoAtRandom(): SimulatedNode[] {
    const { nodes, random } = this.sources;
    const first = Math.floor(random() * nodes.length);
    const other = (first + 1 + Math.floor(random() * (nodes.length - 1))) % nodes.length;
    return nodes.filter((_node, index) => index === first || index === other);
  }
}

/** Prompt and answer as a router estimates them. */
const BYTES_PER_TOKEN = 4;
const UNKNOWN_RESPONSE_TOKENS = 256;
const tokensOf = ({ turn }: SimulatedRequest): number =>
  turn.bodyBytes / BYTES_PER_TOKEN + (turn.maxTokens ?? UNKNOWN_RESPONSE_TOKENS);

/** NGINX's `random two least_conn`, Envoy's default. */
export class RandomOfTwo extends Opponent {
  protected choose(): SimulatedNode {
    return this.least(this.twoAtRandom(), (node) => this.load(node).requests);
  }
}

/** As routers that count tokens do, such as Dynamo's without its cache events. */
export class LeastOutstandingTokens extends Opponent {
  protected choose(): SimulatedNode {
    return this.least(this.sources.nodes, (node) => this.load(node).tokens);
  }
}

/** Finagle's and Linkerd's: of two at random the one with the lower product of latency and outstanding requests. */
export class PeakEwma extends Opponent {
  private readonly averages = new Map<SimulatedNode, { latencyMs: number; atMs: number }>();
  private static readonly DECAY_MS = 10_000;
  /** Of a node without a measurement that has something to do. */
  private static readonly PENALTY = 1e12;

  protected choose(): SimulatedNode {
    return this.least(this.twoAtRandom(), (node) => {
      const average = this.averages.get(node);
      const { requests } = this.load(node);
      if (average === undefined) return requests === 0 ? 0 : PeakEwma.PENALTY + requests;
      return this.decayed(average) * (requests + 1);
    });
  }

  private decayed({ latencyMs, atMs }: { latencyMs: number; atMs: number }): number {
    return latencyMs * Math.exp(-(this.sources.clock.monotonicMs() - atMs) / PeakEwma.DECAY_MS);
  }

  protected override onEnded(node: SimulatedNode, tookMs: number): void {
    const atMs = this.sources.clock.monotonicMs();
    const average = this.averages.get(node);
    const weight = average === undefined ? 0 : Math.exp(-(atMs - average.atMs) / PeakEwma.DECAY_MS);
    // A peak counts at once, an improvement step by step.
    const latencyMs =
      average === undefined || tookMs > average.latencyMs ? tookMs : average.latencyMs * weight + tookMs * (1 - weight);
    this.averages.set(node, { latencyMs, atMs });
  }
}

/** SGLang's gateway, `cache_aware`, with its published thresholds: match 0.3, balance 64 and 1.5. */
export class CacheAware extends Opponent {
  /** By node: tokens of each conversation, and groups whose beginning it has. The real tree forgets; one of a quarter of an hour need not. */
  private readonly trees = new Map<SimulatedNode, Map<string, number>>();
  private readonly sizes = new Map<SimulatedNode, number>();
  private static readonly MATCH = 0.3;
  private static readonly BALANCE = { absolute: 64, relative: 1.5 };

  protected choose({ conversationId, conversation, turn }: SimulatedRequest): SimulatedNode {
    const { nodes } = this.sources;
    const requests = nodes.map((node) => this.load(node).requests);
    const [most, fewest] = [Math.max(...requests), Math.min(...requests)];
    const { absolute, relative } = CacheAware.BALANCE;
    if (most - fewest > absolute && most > fewest * relative)
      return this.least(nodes, (node) => this.load(node).requests);
    const matched = (node: SimulatedNode): number => {
      const tree = this.trees.get(node);
      const shared = tree?.has(conversation.group) === true ? conversation.systemTokens : 0;
      return Math.min(turn.promptTokens, Math.max(tree?.get(conversationId) ?? 0, shared));
    };
    const best = this.least(nodes, (node) => -matched(node));
    if (matched(best) / turn.promptTokens > CacheAware.MATCH) return best;
    return this.least(nodes, (node) => this.sizes.get(node) ?? 0);
  }

  protected override onSent({ conversationId, conversation, turn }: SimulatedRequest, node: SimulatedNode): void {
    const tree = this.trees.get(node) ?? new Map<string, number>();
    this.trees.set(node, tree);
    const known = tree.get(conversationId) ?? 0;
    const shared = tree.has(conversation.group) ? conversation.systemTokens : 0;
    const added = Math.max(0, turn.promptTokens - Math.max(known, shared));
    this.sizes.set(node, (this.sizes.get(node) ?? 0) + added);
    tree.set(conversation.group, 0);
    tree.set(conversationId, turn.promptTokens);
  }
}
