import type { AccountId } from '../../kernel/ids.js';
import { LruMap } from '../../kernel/lru-map.js';
import type { CommandMessage } from '../../link/messages.js';
import type { CommandedNode } from '../nodes/registry/operation-reports.js';
import { commandOf, type Operation } from './operation.js';

interface LinkedNodes {
  find(accountId: AccountId, nodeId: Operation['nodeId']): CommandedNode | undefined;
}

const REMEMBERED_COMMANDS = 10_000;

/**
 * Sends commands over the link that this relay has with the node; where it has none, another relay does. A node that has links with several
 * relays may get a command more than once, and recognises it by the id of the operation.
 */
export class CommandSender {
  /** The link that a command was sent on, so that reading an operation again does not repeat it. */
  private readonly sent = new LruMap<string, WeakRef<CommandedNode>>(REMEMBERED_COMMANDS);

  constructor(private readonly nodes: LinkedNodes) {}

  /** Once per link. */
  send(accountId: AccountId, operation: Operation): void {
    const node = this.nodes.find(accountId, operation.nodeId);
    if (node !== undefined && this.sent.get(keyOf(operation))?.deref() !== node) this.repeat(operation, node);
  }

  /** Also what the link has been sent. */
  repeat(operation: Operation, node: CommandedNode): void {
    if (node.sendCommand(messageOf(operation))) this.sent.set(keyOf(operation), new WeakRef(node));
  }
}

const keyOf = ({ id, cancelRequested }: Operation): string => (cancelRequested ? `cancel ${id}` : id);

/** A node that does not know the operation answers a cancel with an outcome and starts nothing. */
const messageOf = (operation: Operation): CommandMessage =>
  operation.cancelRequested ? { verb: 'cancel', operation_id: operation.id } : commandOf(operation);
