/**
 * The feed of `/api/events`: one per page, for as long as somebody is signed in. It says which topics changed; the queries of those
 * topics are fetched again. A lost feed is opened again with growing pauses, and everything is fetched again after it. A hidden page
 * has none: browsers open six connections to a host at most, over all tabs.
 */
import { hashKey, type Query, type QueryClient } from '@tanstack/react-query';
import { keysOfTopics, operationOf, topicsOf, withOperation, type Operation } from './feed-events';
import { whoAmIQuery } from './queries';
import { queryClient } from './query-client';

export type FeedState = 'connecting' | 'live' | 'lost';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;
/** A relay that restarts loses all of its feeds at once: they must not all come back at once. */
const JITTER = 0.5;

/** @param failures in a row @param random between 0 and 1 */
export const reconnectPauseMs = (failures: number, random: number): number =>
  Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS) * (1 - JITTER * random);

/** What has come before the feed, and may have changed since. Who the caller is has to be known before there is a feed. */
const isFetchedPageData = ({ state, queryHash }: Query): boolean =>
  state.dataUpdatedAt > 0 && queryHash !== hashKey(whoAmIQuery.queryKey);

export class LiveEvents {
  private source: EventSource | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private failures = 0;
  private missedChanges = false;
  private state: FeedState = 'connecting';
  private readonly listeners = new Set<() => void>();

  constructor(private readonly queries: QueryClient) {}

  /** Opens the feed before a page asks for what it shows: of a change between the answer and the feed it would never hear. */
  readonly openFirst = (): void => {
    if (this.source === undefined && this.timer === undefined && !document.hidden) this.connect();
  };

  /** Opens the feed, unless it is open. Returns what closes it. */
  readonly open = (): (() => void) => {
    this.openFirst();
    globalThis.addEventListener('online', this.reconnectNow);
    document.addEventListener('visibilitychange', this.onVisibility);
    return () => {
      globalThis.removeEventListener('online', this.reconnectNow);
      document.removeEventListener('visibilitychange', this.onVisibility);
      this.close();
      this.failures = 0;
      this.become('connecting');
    };
  };

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly current = (): FeedState => this.state;

  private connect(): void {
    const source = new EventSource('/api/events');
    this.source = source;
    source.addEventListener('open', () => this.opened());
    source.addEventListener('error', () => this.failed());
    source.addEventListener('change', ({ data }: MessageEvent<string>) => this.changed(topicsOf(data)));
    source.addEventListener('operation', ({ data }: MessageEvent<string>) => this.operationChanged(operationOf(data)));
  }

  private opened(): void {
    const missedChanges = this.missedChanges;
    this.failures = 0;
    this.missedChanges = false;
    this.become('live');
    if (missedChanges) void this.queries.invalidateQueries();
    else void this.queries.invalidateQueries({ predicate: isFetchedPageData });
  }

  /** Pauses are ours: the browser's own reconnecting gives up after any answer that is not a stream. */
  private failed(): void {
    this.close();
    this.failures += 1;
    this.missedChanges = true;
    this.become('lost');
    // An ended session is the one reason that waiting does not mend; this asks, and its 401 leads to the sign-in page.
    void this.queries.invalidateQueries({ queryKey: ['account', 'who-am-i'] });
    this.timer = setTimeout(() => this.connect(), reconnectPauseMs(this.failures - 1, Math.random()));
  }

  private readonly reconnectNow = (): void => {
    if (this.state !== 'lost') return;
    this.close();
    this.connect();
  };

  private readonly onVisibility = (): void => {
    this.close();
    if (document.hidden) {
      this.missedChanges = true;
      this.become('connecting');
    } else this.connect();
  };

  private changed(topics: readonly string[]): void {
    for (const queryKey of keysOfTopics(topics)) void this.queries.invalidateQueries({ queryKey });
  }

  private operationChanged(operation: Operation | undefined): void {
    if (operation === undefined) return;
    this.queries.setQueryData<readonly Operation[]>(['operations'], (list) => list && withOperation(list, operation));
    this.queries.setQueryData(['operations', operation.id], operation);
  }

  private close(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.source?.close();
    this.source = undefined;
  }

  private become(state: FeedState): void {
    if (this.state === state) return;
    this.state = state;
    for (const listener of this.listeners) listener();
  }
}

/** Of this page: there is one at a time. */
export const liveEvents = new LiveEvents(queryClient);
