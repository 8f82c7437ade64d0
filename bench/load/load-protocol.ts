/** Commands to the load generator, and its responses. Every command has one reply. */
import type { Distribution } from '../statistics.js';

/** Many long streams, plus probes of one event on a fixed schedule. */
export interface StreamsLoadSpec {
  readonly kind: 'streams';
  readonly connections: number;
  /** Streams are opened evenly over this period, which is not measured. */
  readonly rampMs: number;
  readonly intervalMs: number;
  /** How long the stream that is opened last continues. */
  readonly lastsMs: number;
  readonly padBytes: number;
  /** 0: no probes. */
  readonly probeIntervalMs: number;
  readonly probeEvents: number;
}

/** Each connection sends its next request as soon as the last one is answered. */
export interface ClosedLoopLoadSpec {
  readonly kind: 'requests' | 'bursts';
  readonly connections: number;
  readonly bodyBytes: number;
  /** Size of a burst. */
  readonly events: number;
  readonly padBytes: number;
}

/** GET requests on a fixed schedule; latency counts from the time they were due. */
export interface ScheduleLoadSpec {
  readonly kind: 'schedule';
  readonly path: string;
  readonly perSecond: number;
}

/** Streams without delay whose responses are not read. */
export interface StalledLoadSpec {
  readonly kind: 'stalled';
  readonly connections: number;
  readonly events: number;
  readonly padBytes: number;
}

/** A few small streams, with a large upload in every other second. */
export interface UploadsLoadSpec {
  readonly kind: 'uploads';
  readonly connections: number;
  readonly intervalMs: number;
  readonly lastsMs: number;
  readonly bodyBytes: number;
}

/** No requests: the cost of an idle target. */
export interface RestLoadSpec {
  readonly kind: 'rest';
}

export type LoadSpec =
  | StreamsLoadSpec
  | ClosedLoopLoadSpec
  | ScheduleLoadSpec
  | StalledLoadSpec
  | UploadsLoadSpec
  | RestLoadSpec;

export interface Destination {
  /** URL of the chat completions route. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export type Command =
  /** Warms the target up. */
  | {
      readonly command: 'prepare';
      readonly spec: LoadSpec;
      readonly destination: Destination;
      readonly warmUpMs: number;
    }
  /** Starts the load. The response follows when it has reached its level. */
  | { readonly command: 'start' }
  /** Start of the measured window. */
  | { readonly command: 'begin' }
  /** End of the measured window. */
  | { readonly command: 'end' }
  | { readonly command: 'finish' };

export interface LoadResult {
  readonly events: number;
  readonly requests: number;
  readonly failures: number;
  readonly firstFailure: string | null;
  /** Milliseconds from the engine's write to this process, per event inside the window. */
  readonly transit: Distribution;
  /** Like `transit`, for the seconds with an upload, which `transit` excludes. */
  readonly transitBeside: Distribution;
  /** For requests due inside the window: milliseconds from the due time to the first byte of the body. */
  readonly firstByte: Distribution;
}

export interface Result {
  /** Events of streams, or complete responses, since the start. */
  readonly units: number;
  readonly result?: LoadResult;
}
