import type { CommandMessage, ProgressMessage, ResultMessage } from '../../../link/messages.js';
import type { OnlineNode } from './online-node.js';

/** A node as it is seen by whoever gives it operations. */
export interface CommandedNode extends OnlineNode {
  /** False for an agent that is too old to know operations. */
  readonly takesCommands: boolean;
  /** False for an agent that would take an install and leave out its load. */
  readonly loadsAfterInstall: boolean;
  /** @returns false when nothing was sent: it is going away, or takes no commands */
  sendCommand(message: CommandMessage): boolean;
}

/**
 * Who hears what nodes say of their operations. Called synchronously, in the order of the link, only for the link that stands; must not
 * throw. A node may name any id: whether an operation belongs to `node.nodeId` is the listener's to check.
 */
export interface OperationReports {
  /** The node has a new link that stands: it may have lost COMMANDs, and is about to repeat its reports. */
  onNodeReady(node: CommandedNode): void;
  onProgress(node: CommandedNode, message: ProgressMessage): void;
  onResult(node: CommandedNode, message: ResultMessage): void;
}
