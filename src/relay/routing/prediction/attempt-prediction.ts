import type { Demand } from './demand.js';
import type { ModelUsageProfile } from './model-usage-profile.js';
import type { SilentRequest } from './silent-requests.js';

/** The times predicted for one request on one node. */
export interface AttemptPrediction {
  readonly usageProfile: ModelUsageProfile;
  readonly demand: Demand;
  /** Prompt tokens expected in the node's cache. */
  readonly cachedPromptTokens: number;
  readonly prefillMs: number;
  readonly decodeMs: number;
  /** Prefill of earlier requests there that had no event yet when this one arrived. */
  readonly prefillAheadMs: number;
  /** Requests at the same engine when this one arrived. */
  readonly othersAtStart: number;
  /** Requests there that came past Ferry. */
  readonly foreignAtStart: number;
  /** Monotonic. */
  readonly sentAtMs: number;
  /** Predicted milliseconds from then on. */
  readonly firstEventMs: number;
  /** Monotonic. The deadline of the first event; later the node is suspect. */
  readonly overdueAtMs: number;
  /** Place among the attempts without an event; null when it has one. */
  silence: SilentRequest | null;
  /** The first event of the attempt has arrived. */
  begun: boolean;
  /** Streams of the same model that were being written when its first event arrived, itself included: what the engine runs at once. */
  respondingTogether: number;
  /** The request has left the node. */
  over: boolean;
}

/** The cause of a missing response: the node was lost or acknowledged nothing, or the engine of this model failed. null: neither. */
export type FaultSubject = 'node' | 'model' | null;

/** The outcome, as measured by the node. */
export interface AttemptEnd {
  readonly completed: boolean;
  readonly faultSubject: FaultSubject;
  /** null: no event. */
  readonly firstEventMs: number | null;
  readonly totalMs: number;
  /** The engine rejected it for lack of capacity. */
  readonly overloaded?: boolean;
  readonly inputTokens: number | null;
  /** null: not reported by the engine. */
  readonly cachedTokens: number | null;
  readonly outputTokens: number | null;
}
