/** What the generator is told to do, and what it tells back. Every command has one reply. */
import type { Distribution } from '../statistics.js';

/** Many streams that stay open; beside them, probes of one event on a fixed schedule. */
export interface StreamsOrder {
  readonly kind: 'streams';
  readonly connections: number;
  /** Streams are opened evenly over this long: the start is not part of the measurement. */
  readonly rampMs: number;
  readonly intervalMs: number;
  /** How long the last one that is opened goes on. */
  readonly lastsMs: number;
  readonly padBytes: number;
  /** 0: no probes. */
  readonly probeIntervalMs: number;
}

/** Each connection asks again as soon as it is answered. */
export interface ClosedLoopOrder {
  readonly kind: 'requests' | 'bursts';
  readonly connections: number;
  readonly bodyBytes: number;
  /** Of a burst. */
  readonly events: number;
  readonly padBytes: number;
}

/** GET requests on a fixed schedule; latency counts from the moment they were due. */
export interface ScheduleOrder {
  readonly kind: 'schedule';
  readonly path: string;
  readonly perSecond: number;
}

/** Streams without delay whose answers nobody reads. */
export interface StalledOrder {
  readonly kind: 'stalled';
  readonly connections: number;
  readonly events: number;
  readonly padBytes: number;
}

/** A few small streams; in every other second a large body is sent beside them. */
export interface UploadsOrder {
  readonly kind: 'uploads';
  readonly connections: number;
  readonly intervalMs: number;
  readonly lastsMs: number;
  readonly bodyBytes: number;
}

/** Nothing is asked: what it costs to be there. */
export interface RestOrder {
  readonly kind: 'rest';
}

export type Order = StreamsOrder | ClosedLoopOrder | ScheduleOrder | StalledOrder | UploadsOrder | RestOrder;

export interface Destination {
  /** The chat completions route. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export type Command =
  /** Warms the target up. */
  | { readonly command: 'prepare'; readonly order: Order; readonly destination: Destination; readonly warmUpMs: number }
  /** Replied to when the load is what it is meant to be. */
  | { readonly command: 'start' }
  /** Latencies count from here … */
  | { readonly command: 'begin' }
  /** … to here. */
  | { readonly command: 'end' }
  | { readonly command: 'finish' };

export interface LoadResult {
  readonly events: number;
  readonly requests: number;
  readonly failures: number;
  readonly firstFailure: string | null;
  /** Milliseconds from the engine's socket to this process, per event inside the window. */
  readonly transit: Distribution;
  /** The same in the seconds with an upload, for the load that has them; these are not in `transit`. */
  readonly transitBeside: Distribution;
  /** Of what was due inside the window: milliseconds from then to the first byte of the body. */
  readonly firstByte: Distribution;
}

export interface Reply {
  /** Events of streams, or whole answers, since the start. */
  readonly units: number;
  readonly result?: LoadResult;
}
