import type { Node } from '../../components/node-facts';
import { JUST_NOW } from '../../components/format';
import { RelativeTime } from '../../components/relative-time';

export const LastSeen = ({ node: { online, last_seen } }: { readonly node: Node }) =>
  online ? JUST_NOW : <RelativeTime at={last_seen} />;
