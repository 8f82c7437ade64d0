import type { Demand } from './demand.js';
import type { ModelStats } from './model-stats.js';
import type { ModelUsageProfile } from './model-usage-profile.js';
import type { NodeStats } from './node-stats.js';

/** What was expected of one request on one node, to be compared with what comes. */
export interface AttemptForecast {
  readonly node: NodeStats;
  readonly model: ModelStats;
  readonly usageProfile: ModelUsageProfile;
  readonly demand: Demand;
  /** Tokens of the prompt that the node was thought to remember. */
  readonly warmTokens: number;
  readonly prefillMs: number;
  readonly decodeMs: number;
  /** Requests at the same engine when this one came. */
  readonly othersAtStart: number;
  /** Monotonic. */
  readonly askedAtMs: number;
  /** From then on, as predicted. */
  readonly firstEventMs: number;
  /** Monotonic. Without an event by then something is wrong with the node. */
  readonly overdueAtMs: number;
  /** Its first event is here. */
  begun: boolean;
  /** The node has the request no more. */
  over: boolean;
}

/** What is at fault that there is no answer: the node was lost or took nothing, or this model's engine failed. null: neither of them. */
export type Blame = 'node' | 'model' | null;

/** How it went, as the node measured it. */
export interface AttemptEnd {
  readonly completed: boolean;
  readonly blamed: Blame;
  /** null: the client saw no event. */
  readonly firstEventMs: number | null;
  readonly totalMs: number;
  /** The engine itself refused it for lack of room. */
  readonly overloaded?: boolean;
  readonly inputTokens: number | null;
  /** null: the engine does not say. */
  readonly cachedTokens: number | null;
  readonly outputTokens: number | null;
}
