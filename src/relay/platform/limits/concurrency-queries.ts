import type { ReplicaId } from '../../../kernel/ids.js';
import type { LimitSubject } from './limit-subject.js';

export interface ConcurrencyQueriesOptions {
  /** Replicas that serve requests and can be asked, without this one: none while the bus is down. */
  readonly others: () => readonly ReplicaId[];
  /** @returns false when the question was not sent */
  readonly send: (subject: LimitSubject, query: number) => boolean;
  /** A replica that does not answer for so long is not asked again until it is heard. */
  readonly timeoutMs: number;
}

interface ConcurrencyQuery {
  readonly awaited: Set<ReplicaId>;
  readonly over: Promise<void>;
  readonly end: () => void;
}

/**
 * Tells all other replicas how many requests of a key or account run here, and waits until each has answered with its own number. One question
 * at a time for each of them, which all waiting requests share.
 */
export class ConcurrencyQueries {
  private readonly bySubject = new Map<LimitSubject, ConcurrencyQuery>();
  private readonly byNumber = new Map<number, ConcurrencyQuery>();
  private readonly silent = new Set<ReplicaId>();
  private lastNumber = 0;

  constructor(private readonly options: ConcurrencyQueriesOptions) {}

  /** Replicas that would be asked now. */
  others(): readonly ReplicaId[] {
    const others = this.options.others();
    return this.silent.size === 0 ? others : others.filter((replica) => !this.silent.has(replica));
  }

  /** Never rejects. */
  query(subject: LimitSubject): Promise<void> {
    return (this.bySubject.get(subject) ?? this.open(subject)).over;
  }

  answered(from: ReplicaId, number: number): void {
    const query = this.byNumber.get(number);
    if (query?.awaited.delete(from) === true && query.awaited.size === 0) query.end();
  }

  /** Anything. */
  onMessage(from: ReplicaId): void {
    this.silent.delete(from);
  }

  private open(subject: LimitSubject): ConcurrencyQuery {
    const number = (this.lastNumber += 1);
    const awaited = new Set(this.others());
    let resolve = (): void => undefined;
    const over = new Promise<void>((settle) => (resolve = settle));
    const end = (): void => {
      clearTimeout(timer);
      this.bySubject.delete(subject);
      this.byNumber.delete(number);
      subject.othersAnswered();
      resolve();
    };
    const timer = setTimeout(() => {
      for (const replica of awaited) this.silent.add(replica);
      end();
    }, this.options.timeoutMs).unref();
    const query = { awaited, over, end };
    this.bySubject.set(subject, query);
    this.byNumber.set(number, query);
    if (!this.options.send(subject, number) || awaited.size === 0) end();
    return query;
  }
}
