import type { Clock } from '../../../kernel/clock.js';
import type { AccountId, NodeId } from '../../../kernel/ids.js';
import { LruMap } from '../../../kernel/lru-map.js';
import type { Placement } from '../../inventory/model-entry.js';
import type { AffinityKeys } from './affinity-keys.js';

/** An engine and model that has processed a prompt. */
interface Holder {
  readonly nodeId: NodeId;
  readonly modelKey: string;
  tokens: number;
  atMs: number;
}

/** A fingerprint may be cached at several engines; the oldest entry is evicted. */
const HOLDERS = 4;
/** Half-life of a cached prompt: engines evict prompts for others. */
const HALF_LIFE_MS = 600_000;
const FRESH_MS = 30_000;

/** The engines that may have a request's prompt in their cache, looked up once for all candidates. */
export interface WarmPlaces {
  /** Expected cached tokens of the prompt at the candidate, discounted by age. */
  tokensAt(placement: Placement): number;
  readonly nodes: readonly NodeId[];
}

export const nowhereWarm: WarmPlaces = { tokensAt: () => 0, nodes: [] };

/** The engines that served a conversation last. A hint only: bounded, in memory, never shared between accounts. */
export class AffinityCache {
  private readonly holders: LruMap<string, Holder[]>;

  /** @param limit entries of all accounts together */
  constructor(
    private readonly clock: Clock,
    limit: number,
  ) {
    this.holders = new LruMap(limit);
  }

  find(accountId: AccountId, keys: AffinityKeys): WarmPlaces {
    const own = this.ownKey(accountId, keys);
    const conversation = own === null ? undefined : this.holders.get(own);
    const system = keys.system === null ? undefined : this.holders.get(systemKey(accountId, keys.system));
    if (conversation === undefined && system === undefined) return nowhereWarm;
    const nowMs = this.clock.monotonicMs();
    return {
      tokensAt: (placement) =>
        Math.max(warmTokens(conversation, placement, nowMs), warmTokens(system, placement, nowMs)),
      get nodes() {
        return [...(conversation ?? []), ...(system ?? [])].map(({ nodeId }) => nodeId);
      },
    };
  }

  /** The engine has answered it. @param tokens of prompt and answer */
  served(accountId: AccountId, keys: AffinityKeys, placement: Placement, tokens: number): void {
    const own = this.ownKey(accountId, keys);
    if (own !== null) this.note(own, placement, tokens);
    if (keys.system !== null) this.note(systemKey(accountId, keys.system), placement, keys.systemTokens);
  }

  /** The engine did not answer: removes it, so that the next request is not drawn there. */
  failed(accountId: AccountId, keys: AffinityKeys, placement: Placement): void {
    const own = this.ownKey(accountId, keys);
    if (own === null) return;
    const left = this.holders.get(own)?.filter((holder) => !isAt(holder, placement));
    if (left !== undefined) this.holders.set(own, left);
  }

  /** A session id of the client takes precedence over the fingerprint of the prompt. */
  private ownKey(accountId: AccountId, { session, opening }: AffinityKeys): string | null {
    if (session !== null) return `${accountId} session ${session}`;
    return opening === null ? null : `${accountId} opening ${opening}`;
  }

  private note(key: string, placement: Placement, tokens: number): void {
    const nowMs = this.clock.monotonicMs();
    const holders = this.holders.get(key);
    if (holders === undefined) {
      this.holders.set(key, [holderAt(placement, tokens, nowMs)]);
      return;
    }
    const known = holders.find((holder) => isAt(holder, placement));
    if (known !== undefined) {
      known.tokens = tokens;
      known.atMs = nowMs;
      return;
    }
    if (holders.length >= HOLDERS) holders.splice(oldestOf(holders), 1);
    holders.push(holderAt(placement, tokens, nowMs));
  }
}

const systemKey = (accountId: AccountId, system: string): string => `${accountId} system ${system}`;

const holderAt = ({ node, report }: Placement, tokens: number, atMs: number): Holder => ({
  nodeId: node.nodeId,
  modelKey: report.key,
  tokens,
  atMs,
});

const isAt = ({ nodeId, modelKey }: Holder, { node, report }: Placement): boolean =>
  nodeId === node.nodeId && modelKey === report.key;

function warmTokens(holders: readonly Holder[] | undefined, placement: Placement, nowMs: number): number {
  if (holders === undefined) return 0;
  for (const holder of holders) {
    if (!isAt(holder, placement)) continue;
    const ageMs = nowMs - holder.atMs;
    return ageMs < FRESH_MS ? holder.tokens : holder.tokens * Math.pow(2, -ageMs / HALF_LIFE_MS);
  }
  return 0;
}

function oldestOf(holders: readonly Holder[]): number {
  let oldest = 0;
  for (const [index, holder] of holders.entries())
    if (holder.atMs < (holders[oldest]?.atMs ?? Infinity)) oldest = index;
  return oldest;
}
