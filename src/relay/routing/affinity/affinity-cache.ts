import type { Clock } from '../../../kernel/clock.js';
import type { AccountId, ModelSelector, NodeId } from '../../../kernel/ids.js';
import type { Placement } from '../../inventory/model-entry.js';
import type { OnlineNode } from '../../nodes/registry/online-node.js';
import type { AffinityKeys } from './affinity-keys.js';
import { SharedLruMap } from './shared-lru-map.js';

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
export interface CachedPrompt {
  /** Expected cached tokens of the prompt at the candidate, discounted by age. */
  tokensAt(placement: Placement): number;
  /** The same at the node, for the model. */
  tokensOn(node: Pick<OnlineNode, 'nodeId' | 'models'>, selector: ModelSelector): number;
  readonly nodes: readonly NodeId[];
}

export const noCachedPrompt: CachedPrompt = { tokensAt: () => 0, tokensOn: () => 0, nodes: [] };

interface CachedAt extends Pick<Holder, 'nodeId' | 'modelKey'> {
  tokens: number;
}

/** The engines that served a conversation or a part of its prompt last. A hint only: bounded, in memory, never shared between accounts. */
export class AffinityCache {
  private readonly holders: SharedLruMap<AccountId, string, Holder[]>;

  /** @param limit entries of all accounts together */
  constructor(
    private readonly clock: Clock,
    limit: number,
  ) {
    this.holders = new SharedLruMap(limit);
  }

  find(accountId: AccountId, keys: AffinityKeys): CachedPrompt {
    const own = ownKey(keys);
    const nowMs = this.clock.monotonicMs();
    const cached: CachedAt[] = [];
    const conversation = own === null ? undefined : this.holders.get(accountId, own);
    if (conversation !== undefined) addCached(cached, conversation, nowMs);
    for (const { hash } of keys.prefixes) {
      const holders = this.holders.get(accountId, hash);
      if (holders !== undefined) addCached(cached, holders, nowMs);
    }
    return cached.length === 0 ? noCachedPrompt : new FoundCachedPrompt(cached);
  }

  /** The engine has answered it. @param tokens of prompt and answer */
  served(accountId: AccountId, keys: AffinityKeys, placement: Placement, tokens: number): void {
    const own = ownKey(keys);
    if (own !== null) this.note(accountId, own, placement, tokens);
    for (const { hash, tokens: shared } of keys.prefixes) this.note(accountId, hash, placement, shared);
  }

  /** The engine did not answer: removes it, so that the next request is not drawn there. */
  failed(accountId: AccountId, keys: AffinityKeys, placement: Placement): void {
    const own = ownKey(keys);
    if (own !== null) this.drop(accountId, own, placement);
    for (const { hash } of keys.prefixes) this.drop(accountId, hash, placement);
  }

  private drop(accountId: AccountId, key: string, placement: Placement): void {
    const left = this.holders.get(accountId, key)?.filter((holder) => !isAt(holder, placement));
    if (left !== undefined) this.holders.set(accountId, key, left);
  }

  private note(accountId: AccountId, key: string, placement: Placement, tokens: number): void {
    const nowMs = this.clock.monotonicMs();
    const holders = this.holders.get(accountId, key);
    if (holders === undefined) {
      this.holders.set(accountId, key, [holderAt(placement, tokens, nowMs)]);
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

class FoundCachedPrompt implements CachedPrompt {
  constructor(private readonly cachedPrompt: readonly CachedAt[]) {}

  tokensAt(placement: Placement): number {
    for (const place of this.cachedPrompt) if (isAt(place, placement)) return place.tokens;
    return 0;
  }

  tokensOn({ nodeId, models }: Pick<OnlineNode, 'nodeId' | 'models'>, selector: ModelSelector): number {
    for (const place of this.cachedPrompt)
      if (place.nodeId === nodeId && models.get(place.modelKey)?.selector === selector) return place.tokens;
    return 0;
  }

  get nodes(): readonly NodeId[] {
    return this.cachedPrompt.map(({ nodeId }) => nodeId);
  }
}

/** A session id of the client takes precedence over the opening of the prompt. Both are digests, as the prefixes are. */
const ownKey = ({ session, opening }: AffinityKeys): string | null => session ?? opening;

/** Adds the holders; one that is there already keeps the greater number of tokens. */
function addCached(cached: CachedAt[], holders: readonly Holder[], nowMs: number): void {
  for (const { nodeId, modelKey, tokens: fresh, atMs } of holders) {
    const ageMs = nowMs - atMs;
    const tokens = ageMs < FRESH_MS ? fresh : fresh * Math.pow(2, -ageMs / HALF_LIFE_MS);
    const known = cached.find((place) => place.nodeId === nodeId && place.modelKey === modelKey);
    if (known === undefined) cached.push({ nodeId, modelKey, tokens });
    else known.tokens = Math.max(known.tokens, tokens);
  }
}

const holderAt = ({ node, report }: Placement, tokens: number, atMs: number): Holder => ({
  nodeId: node.nodeId,
  modelKey: report.key,
  tokens,
  atMs,
});

const isAt = ({ nodeId, modelKey }: CachedAt, { node, report }: Placement): boolean =>
  nodeId === node.nodeId && modelKey === report.key;

function oldestOf(holders: readonly Holder[]): number {
  let oldest = 0;
  for (const [index, holder] of holders.entries())
    if (holder.atMs < (holders[oldest]?.atMs ?? Infinity)) oldest = index;
  return oldest;
}
