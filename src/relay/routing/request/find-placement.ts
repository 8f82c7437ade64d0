import type { AccountId, NodeId } from '../../../kernel/ids.js';
import type { Finding, PlacementFinder } from '../selection/placement-finder.js';
import type { Failover } from './failover.js';
import type { RoutedRequest } from './routed-request.js';

interface Placeable {
  readonly accountId: AccountId;
  readonly routed: Pick<RoutedRequest, 'query' | 'profile'>;
  readonly failover: Pick<Failover, 'excluded' | 'neededTokens'>;
}

/** @throws FerryError when no node is eligible */
export const findPlacement = (
  { accountId, routed, failover }: Placeable,
  finder: Pick<PlacementFinder, 'find'>,
  excluded: ReadonlySet<NodeId> = failover.excluded,
): Finding => finder.find(accountId, routed.query, excluded, routed.profile, failover.neededTokens);
