import { sinceTime } from '../../components/format';
import type { Node } from '../../components/node-facts';
import { RelativeTime } from '../../components/relative-time';

/** "Now" is for computers that are there; one that has just gone must not read like them. */
export const LastSeen = ({ node: { online, last_seen } }: { readonly node: Node }) =>
  online ? 'Now' : <RelativeTime at={last_seen} justNow="under 1 min ago" />;

/** `offline since 14:02`, of a computer that is not online. */
export const offlineText = ({ last_seen }: Pick<Node, 'last_seen'>): string =>
  last_seen === null ? 'offline' : `offline since ${sinceTime(last_seen, Date.now())}`;
