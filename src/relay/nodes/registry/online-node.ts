/** The view of a connected node for the rest of the relay. All other state of a link is private to this folder. */
import type { AccountId, ClusterId, ModelSelector, NodeId } from '../../../kernel/ids.js';
import type { ModelReport, OpenMessage, StatusMessage } from '../../../link/messages.js';
import type { RelayLinkStream } from '../../../link/stream/relay-stream.js';
import type { CheckedResponse } from './checked-response.js';

/** A model as its node reports it, with printable names, and the selector that the relay computes. */
export interface ReportedModel extends ModelReport {
  readonly selector: ModelSelector;
}

export interface OnlineNode {
  readonly nodeId: NodeId;
  readonly accountId: AccountId;
  readonly clusterId: ClusterId;
  readonly name: string;
  /** Absent: the node has a link to this replica. True: only others have one, and requests go through one of them. */
  readonly isRemote?: true;
  /** Its models and its status have arrived: a round trip after its link was admitted. Until then, nothing is known of what it can serve. */
  readonly hasReported: boolean;
  /** Keyed by `ModelReport.key`. A live view: it changes with the node's inventory. */
  readonly models: ReadonlyMap<string, ReportedModel>;
  /** null until the node's first STATUS. */
  readonly status: StatusMessage | null;
  /** False while the node is paused, draining, superseded, or slower to take bytes than the relay may buffer. */
  readonly acceptsWork: boolean;
  /** Requests that its link could take now, whatever its engines could; 0: they wait until one ends. */
  readonly freeStreams: number;
  /** null until the first ping was answered. */
  readonly roundTripMs: number | null;
  /** Starts one request on the node's link. The handler receives all its events, `onLost` included. */
  open(head: OpenMessage, body: Buffer, handler: CheckedResponse): RelayLinkStream;
}

export interface NodeChange {
  readonly accountId: AccountId;
  readonly nodeId: NodeId;
  /** `revoked`: no longer enrolled, so its models are not known any more. */
  readonly kind: 'connected' | 'disconnected' | 'inventory' | 'status' | 'revoked';
}
