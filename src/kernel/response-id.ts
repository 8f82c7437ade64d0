/**
 * Ids of answers that can be continued: `resp_<node><random><mac>` of responses, `msg_…` of message threads, lower-case hex. The node whose memory holds the conversation is part of the id, so that any
 * replica can route a continuation; the MAC covers the account, so that ids of other accounts and forged ids are invalid.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { AccountId, NodeId } from './ids.js';

/** A key of its own for each, so that an id of one is none of the other, and no other use of the secret can be made to sign one. */
const purposes = { resp_: 'ferry/response-id/v1', msg_: 'ferry/thread-id/v1' } as const;
const NODE_PREFIX = 'nd_';
const RANDOM_BYTES = 12;
/** 96 bits: the signed part is not secret, the MAC only must not be guessed. */
const MAC_BYTES = 12;
const RANDOM_DIGITS = 2 * RANDOM_BYTES;
const MAC_DIGITS = 2 * MAC_BYTES;
/** One spelling per id: upper case would be another text with the same bytes. */
const SHAPE = new RegExp(`^(?:resp|msg)_([0-9a-f]{32})[0-9a-f]{${RANDOM_DIGITS}}[0-9a-f]{${MAC_DIGITS}}$`);

/** 59 characters at most: some clients refuse ids above 64. */
const ITEM_SHAPE = new RegExp(`^[a-z]{2,4}_([0-9a-f]{32})[0-9a-f]{${RANDOM_DIGITS}}$`);

export type ResponseIdPrefix = keyof typeof purposes;

export class ResponseIds {
  readonly #key: Buffer;

  /** @param secret `FERRY_SECRET`, the same on every replica. */
  constructor(
    secret: string,
    private readonly prefix: ResponseIdPrefix = 'resp_',
  ) {
    this.#key = createHmac('sha256', secret).update(purposes[prefix]).digest();
  }

  /** A new id for a response of this node to this account. */
  create(accountId: AccountId, nodeId: NodeId): string {
    const signed = nodeId.slice(NODE_PREFIX.length) + randomBytes(RANDOM_BYTES).toString('hex');
    return this.prefix + signed + this.#mac(accountId, signed).toString('hex');
  }

  /** The node that was given this id for this account; undefined for every other text. */
  nodeOf(accountId: AccountId, responseId: string): NodeId | undefined {
    if (!responseId.startsWith(this.prefix) || !SHAPE.test(responseId)) return undefined;
    const signed = responseId.slice(this.prefix.length, -MAC_DIGITS);
    const mac = Buffer.from(responseId.slice(-MAC_DIGITS), 'hex');
    if (!timingSafeEqual(this.#mac(accountId, signed), mac)) return undefined;
    return (NODE_PREFIX + signed.slice(0, -RANDOM_DIGITS)) as NodeId;
  }

  #mac(accountId: AccountId, signed: string): Buffer {
    return createHmac('sha256', this.#key).update(`${accountId}\0${signed}`).digest().subarray(0, MAC_BYTES);
  }
}

/**
 * An id for an item of the response, which clients may repeat instead of the item (`item_reference`). It carries the same node, unsigned:
 * a forged one leads to a node of the same account, which has no such item.
 * @param prefix two to four letters, such as `msg`
 */
export function createItemId(prefix: string, responseId: string): string {
  const node = SHAPE.exec(responseId)?.[1] ?? randomBytes(16).toString('hex');
  return `${prefix}_${node}${randomBytes(RANDOM_BYTES).toString('hex')}`;
}

/** The node that an item of a response seems to come from; undefined for other ids. */
export function nodeOfItem(itemId: string): NodeId | undefined {
  const node = ITEM_SHAPE.exec(itemId)?.[1];
  return node === undefined ? undefined : ((NODE_PREFIX + node) as NodeId);
}
