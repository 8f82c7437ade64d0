import type { CommandMessage, ProgressMessage, ResultMessage } from '../../../link/messages.js';
import type { OnlineNode } from './online-node.js';

/** A node that can be sent commands. */
export interface CommandedNode extends OnlineNode {
  /** @returns false when nothing was sent: it is going away */
  sendCommand(message: CommandMessage): boolean;
}

/**
 * Listener for reports of operations. Called synchronously, in link order, for the active link of a node only; must not throw. A node may
 * name any id: the listener checks that the operation belongs to `node.nodeId`.
 */
export interface OperationReports {
  /** The node has a new active link: COMMANDs may have been lost, and the node is about to repeat its reports. */
  onNodeReady(node: CommandedNode): void;
  onProgress(node: CommandedNode, message: ProgressMessage): void;
  onResult(node: CommandedNode, message: ResultMessage): void;
}
