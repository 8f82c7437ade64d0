import type { Node } from '../../components/node-facts';
import { RelativeTime } from '../../components/relative-time';

export const LastSeen = ({ node: { online, last_seen } }: { readonly node: Node }) =>
  online ? 'Now' : <RelativeTime at={last_seen} />;
