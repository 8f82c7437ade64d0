import type { Placement } from '../../src/relay/inventory/model-entry.js';
import type { CachedPrompt } from '../../src/relay/routing/affinity/affinity-cache.js';
import { noAffinity } from '../../src/relay/routing/affinity/affinity-keys.js';
import type { RequestProfile } from '../../src/relay/routing/selection/costing.js';
import type { Selection, SelectionOptions } from '../../src/relay/routing/create-routing.js';
import { slotAt } from '../../src/relay/routing/selection/capacity.js';
import type { AttemptRecord } from '../../src/relay/routing/selection/routing-stats.js';
import { CacheAware, LeastOutstandingTokens, PeakEwma, RandomOfTwo, type OpponentSources } from './opponents.js';
import { account, MODEL } from './simulated-node.js';
import type { Conversation, Turn } from './workload.js';

/** One request with the data that the relay has about it. */
export interface SimulatedRequest {
  readonly id: string;
  readonly conversationId: string;
  readonly conversation: Conversation;
  readonly turn: Turn;
  readonly turnNumber: number;
}

/** How a request that reached a node ended. */
export interface SimulatedEnd {
  readonly completed: boolean;
  /** The relay ended it because the node stopped sending. */
  readonly stalled: boolean;
  /** Reported by the node; null without a response. */
  readonly firstEventMs: number | null;
  readonly totalMs: number;
  readonly inputTokens: number;
  readonly cachedTokens: number;
  readonly outputTokens: number;
}

export type Choice =
  | { readonly kind: 'free'; readonly placement: Placement }
  /** The request waits in the relay. */
  | { readonly kind: 'full'; readonly cachedPrompt: CachedPrompt }
  | { readonly kind: 'exhausted' };

/** Chooses nodes and learns from outcomes. */
export interface Policy {
  find(request: SimulatedRequest): Choice;
  dispatched(request: SimulatedRequest, placement: Placement): void;
  begun(request: SimulatedRequest): void;
  ended(request: SimulatedRequest, end: SimulatedEnd): void;
}

/** The relay's own selection: how nodes are chosen, and whether requests carry conversation keys. */
export interface RelayTraits {
  readonly choice: NonNullable<SelectionOptions['choice']>;
  readonly cachedPrompt: boolean;
}

export type PolicyTraits = RelayTraits | { readonly opponent: new (sources: OpponentSources) => Policy };

export const policies = {
  'least-busy': { choice: 'least-busy', cachedPrompt: false },
  'random of two': { opponent: RandomOfTwo },
  'least tokens': { opponent: LeastOutstandingTokens },
  'peak EWMA': { opponent: PeakEwma },
  'cache-aware': { opponent: CacheAware },
  predicted: { choice: 'predicted', cachedPrompt: false },
  'predicted and warm': { choice: 'predicted', cachedPrompt: true },
} as const satisfies Readonly<Record<string, PolicyTraits>>;

export type PolicyName = keyof typeof policies;

/** Those that the relay is compared with. */
export const opponents: readonly PolicyName[] = [
  'least-busy',
  'random of two',
  'least tokens',
  'peak EWMA',
  'cache-aware',
];

const nothingRequired = {
  hard: { inputs: new Map(), tools: null },
  soft: {
    toolHistory: false,
    forcedTool: false,
    reasoning: false,
    structuredOutput: false,
    logprobs: false,
    audioOutput: false,
  },
  remoteMedia: new Map(),
} as const;

/** A request with no requirement but the model. */
export const question = {
  pin: null,
  scope: null,
  model: MODEL,
  dialect: 'chat',
  requirements: nothingRequired,
} as const;

/** Drives the relay's real selection. `least-busy` ignores what is learned. */
export function createPolicy({ finder, stats, occupancy }: Selection, { cachedPrompt: cached }: RelayTraits): Policy {
  const profiles = new WeakMap<SimulatedRequest, RequestProfile>();
  const profileOf = (request: SimulatedRequest): RequestProfile => {
    let profile = profiles.get(request);
    if (profile === undefined) profiles.set(request, (profile = simulatedProfile(request, cached)));
    return profile;
  };
  const busyBeside = (placement: Placement): number => Math.max(0, occupancy.busy(slotAt(placement)) - 1);
  const records = new WeakMap<SimulatedRequest, AttemptRecord>();
  return {
    find: (request) => finder.find(account, question, new Set(), profileOf(request)),
    dispatched: (request, placement) => {
      const found = { placement, cachedPromptTokens: null };
      records.set(request, stats.sent(found, profileOf(request), busyBeside(placement)));
    },
    begun: (request) => {
      const record = records.get(request);
      if (record !== undefined) stats.begun(record);
    },
    ended: (request, { completed, stalled, firstEventMs, totalMs, inputTokens, cachedTokens, outputTokens }) => {
      const record = records.get(request);
      if (record === undefined) return;
      stats.ended(record, occupancy.busy(slotAt(record.placement)), {
        completed,
        // The client timed out; the cause is unknown.
        faultSubject: stalled ? 'model' : null,
        firstEventMs,
        totalMs,
        inputTokens,
        cachedTokens,
        outputTokens,
      });
    },
  };
}

const simulatedProfile = (
  { conversationId, conversation, turn }: SimulatedRequest,
  cached: boolean,
): RequestProfile => ({
  demand: { bodyBytes: turn.bodyBytes, maxOutputTokens: turn.maxTokens, stream: true, hasMedia: false },
  affinity: cached
    ? {
        session: conversation.saysSession ? conversationId : null,
        opening: conversationId,
        prefixes:
          conversation.systemTokens > 0 ? [{ hash: conversation.group, tokens: conversation.systemTokens }] : [],
      }
    : noAffinity,
});
