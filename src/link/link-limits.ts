import type { LivenessLimits } from './connection/liveness.js';

/** Times of one link. Windows and stream counts are not here: the READY message announces them and is what both ends enforce. */
export interface LinkLimits extends LivenessLimits {
  /** HELLO (at the relay) or READY (at the node) must have come by then. */
  readonly handshakeTimeoutMs: number;
  /** Longest wait for credit without any progress; then the stream is reset with `timed_out`. */
  readonly backpressureTimeoutMs: number;
}

export interface NodeLinkLimits extends LinkLimits {
  /** How often the open stream ids are sent. */
  readonly streamsIntervalMs: number;
}

export const defaultLinkLimits: NodeLinkLimits = {
  handshakeTimeoutMs: 10_000,
  pingIntervalMs: 10_000,
  deadAfterMs: 25_000,
  backpressureTimeoutMs: 60_000,
  streamsIntervalMs: 30_000,
};
