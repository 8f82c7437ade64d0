import { median, percentile, sorted } from '../statistics.js';
import type { Course } from './simulation.js';
import type { Workload } from './workload.js';

/** Results of one policy with one workload and one seed. */
export interface Figures {
  readonly requests: number;
  /** Milliseconds from the request to the end of the response. An unanswered request counts with the client's whole timeout. */
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  /** Share of requests without a response. */
  readonly unanswered: number;
  /** Of the requests that share a prompt prefix with an earlier one of their conversation, the share sent to a node that still had it cached; null without such requests. */
  readonly warmHits: number | null;
  /** The minimum over all keys of the service received divided by the fair share; at least 1 when every key got its fair share. */
  readonly leastShare: number;
  readonly shares: Readonly<Record<string, number>>;
  /** The most requests of one conversation sent to a node that does not respond; null when no node was wedged. */
  readonly requestsToWedged: number | null;
}

/** At least half of the conversation's earlier prompt must be cached: less is only the system prompt that all share. */
const WARM_PART = 0.5;

export function figuresOf(courses: readonly Course[], workload: Workload): Figures {
  const times = sorted(
    courses.map(({ outcome, arrivedAtMs, endedAtMs }) =>
      outcome === 'completed' ? endedAtMs - arrivedAtMs : workload.patienceMs,
    ),
  );
  const shares = sharesOf(courses, workload);
  return {
    requests: courses.length,
    p50: percentile(times, 0.5),
    p95: percentile(times, 0.95),
    p99: percentile(times, 0.99),
    unanswered: courses.filter(({ outcome }) => outcome !== 'completed').length / Math.max(1, courses.length),
    warmHits: warmHits(courses),
    leastShare: Math.min(1, ...Object.values(shares)),
    shares,
    requestsToWedged: workload.fleet.some(({ wedgesAtMs }) => wedgesAtMs !== undefined)
      ? requestsToWedged(courses)
      : null,
  };
}

function warmHits(courses: readonly Course[]): number | null {
  const later = courses.filter(({ request }) => request.turnNumber > 0);
  const cached = later.filter(({ request, cachedTokens }) => {
    const before = request.conversation.turns[request.turnNumber - 1];
    return (
      before !== undefined &&
      cachedTokens >= before.promptTokens * WARM_PART &&
      cachedTokens > request.conversation.systemTokens
    );
  });
  return later.length === 0 ? null : cached.length / later.length;
}

const tokensOf = ({ request: { turn } }: Course): number => turn.promptTokens + turn.outputTokens;

/**
 * Per key: its share of the tokens answered while new conversations still started, divided by its fair share. The fair share is the key's
 * demand, limited to an equal share for each key.
 */
function sharesOf(courses: readonly Course[], { durationMs }: Workload): Record<string, number> {
  const asked = new Map<string, number>();
  const served = new Map<string, number>();
  for (const course of courses) {
    const { key } = course.request.conversation;
    if (course.arrivedAtMs > durationMs) continue;
    add(asked, key, tokensOf(course));
    if (course.outcome === 'completed') add(served, key, tokensOf(course));
  }
  const [allRequested, allServed] = [total(asked), total(served)];
  const shares: Record<string, number> = {};
  for (const [key, tokens] of asked) {
    const fair = Math.min(tokens / allRequested, 1 / asked.size);
    shares[key] = (served.get(key) ?? 0) / Math.max(1, allServed) / fair;
  }
  return shares;
}

const add = (sums: Map<string, number>, key: string, value: number): void => {
  sums.set(key, (sums.get(key) ?? 0) + value);
};
const total = (sums: ReadonlyMap<string, number>): number => [...sums.values()].reduce((sum, value) => sum + value, 0);

function requestsToWedged(courses: readonly Course[]): number {
  const byConversation = new Map<string, number>();
  for (const { request, wedged, outcome } of courses) {
    if (wedged && outcome === 'gave_up') add(byConversation, request.conversationId, 1);
  }
  return Math.max(0, ...byConversation.values());
}

/** The median of each figure over all seeds. Fair shares and wedged requests use the worst seed, because their limit holds for each. */
export function overSeeds(all: readonly Figures[]): Figures {
  const middle = (of: (figures: Figures) => number): number => median(all.map(of));
  const cached = all.flatMap(({ warmHits: hits }) => (hits === null ? [] : [hits]));
  const wedged = all.flatMap(({ requestsToWedged: requests }) => (requests === null ? [] : [requests]));
  const keys = new Set(all.flatMap(({ shares }) => Object.keys(shares)));
  return {
    requests: middle(({ requests }) => requests),
    p50: middle(({ p50 }) => p50),
    p95: middle(({ p95 }) => p95),
    p99: middle(({ p99 }) => p99),
    unanswered: middle(({ unanswered }) => unanswered),
    warmHits: cached.length === 0 ? null : median(cached),
    leastShare: Math.min(...all.map(({ leastShare }) => leastShare)),
    shares: Object.fromEntries([...keys].map((key) => [key, median(all.map(({ shares }) => shares[key] ?? 1))])),
    requestsToWedged: wedged.length === 0 ? null : Math.max(...wedged),
  };
}
