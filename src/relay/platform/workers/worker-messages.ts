/**
 * Messages between the primary process of a relay with several workers and each of them. Both are processes of one program at one version, started
 * by one another, so the channel needs no validation and no signature.
 */
import type { ReplicaId } from '../../../kernel/ids.js';

/** Requests between workers, and the requests and responses that one hands on for another. */
export type BusChannel = 'control' | 'hop';

interface OfBus {
  readonly kind: 'bus';
  readonly channel: BusChannel;
  readonly from: ReplicaId;
}

export type BusMessage = OfBus &
  (
    | { readonly type: 'message'; readonly topic: string; readonly to: ReplicaId | null; readonly bytes: Uint8Array }
    | {
        readonly type: 'request';
        readonly topic: string;
        readonly to: ReplicaId;
        /** Of the one that asks. */
        readonly id: number;
        readonly bytes: Uint8Array;
      }
    | { readonly type: 'reply'; readonly to: ReplicaId; readonly id: number; readonly bytes: Uint8Array }
    /** No worker with the id is there, or it answers no requests of the topic. */
    | { readonly type: 'unreachable'; readonly to: ReplicaId; readonly id: number }
  );

/** The error of a start that failed, with what the command line needs to explain it. */
export interface StartFailure {
  readonly message: string;
  /** Of the system. */
  readonly code?: string;
  readonly advice?: string | undefined;
}

export interface WorkerReady {
  readonly kind: 'ready';
  readonly replicaId: ReplicaId;
  readonly baseUrl: string;
  readonly port: number;
  readonly hasUsers: boolean;
}

/**
 * The handshake of a link, with its connection, which came to a worker that the node is linked to already. Further dials could come to it again
 * and again: one port has no address for each worker.
 */
export interface HandedLink {
  readonly kind: 'link';
  readonly url: string;
  /** Names and values in turn, as Node has them. */
  readonly rawHeaders: readonly string[];
  /** Replicas that the node is linked to. */
  readonly linked: readonly ReplicaId[];
  /** Sent where every worker has a link of the node, or cannot take one now. */
  readonly refusal: { readonly status: number; readonly message: string };
}

export type FromWorker =
  | BusMessage
  /** First of all: messages that were sent before the worker listens would be lost. */
  | { readonly kind: 'hello' }
  | WorkerReady
  /** A step of the start that may take long, in words that complete "it is …". */
  | { readonly kind: 'step'; readonly step: string }
  | { readonly kind: 'failed'; readonly error: StartFailure }
  | { readonly kind: 'metrics'; readonly id: number; readonly text: string }
  | HandedLink;

export type ToWorker =
  | BusMessage
  /** The response to `hello`. Workers are counted from 1; one that replaces another has its number. */
  | {
      readonly kind: 'start';
      readonly worker: number;
      readonly workers: number;
      /** On which other workers listen already. */
      readonly port: number | undefined;
    }
  | { readonly kind: 'drain'; readonly timeoutMs: number | undefined }
  | { readonly kind: 'reload' }
  | HandedLink
  | { readonly kind: 'metrics'; readonly id: number };
