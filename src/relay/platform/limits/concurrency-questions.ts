import type { ReplicaId } from '../../../kernel/ids.js';
import type { LimitedParty } from './limited-party.js';

export interface ConcurrencyQuestionsOptions {
  /** Replicas that serve requests and can be asked, without this one: none while the bus is down. */
  readonly others: () => readonly ReplicaId[];
  /** @returns false when the question was not sent */
  readonly send: (party: LimitedParty, question: number) => boolean;
  /** A replica that does not answer for so long is not asked again until it is heard. */
  readonly timeoutMs: number;
}

interface Question {
  readonly awaited: Set<ReplicaId>;
  readonly over: Promise<void>;
  readonly end: () => void;
}

/**
 * Tells all other replicas how many requests of a key or account run here, and waits until each has answered with its own number. One question
 * at a time for each of them, which all waiting requests share.
 */
export class ConcurrencyQuestions {
  private readonly byParty = new Map<LimitedParty, Question>();
  private readonly byNumber = new Map<number, Question>();
  private readonly silent = new Set<ReplicaId>();
  private lastNumber = 0;

  constructor(private readonly options: ConcurrencyQuestionsOptions) {}

  /** Replicas that would be asked now. */
  others(): readonly ReplicaId[] {
    const others = this.options.others();
    return this.silent.size === 0 ? others : others.filter((replica) => !this.silent.has(replica));
  }

  /** Never rejects. */
  ask(party: LimitedParty): Promise<void> {
    return (this.byParty.get(party) ?? this.open(party)).over;
  }

  answered(from: ReplicaId, number: number): void {
    const question = this.byNumber.get(number);
    if (question?.awaited.delete(from) === true && question.awaited.size === 0) question.end();
  }

  /** Anything. */
  heard(from: ReplicaId): void {
    this.silent.delete(from);
  }

  private open(party: LimitedParty): Question {
    const number = (this.lastNumber += 1);
    const awaited = new Set(this.others());
    let resolve = (): void => undefined;
    const over = new Promise<void>((settle) => (resolve = settle));
    const end = (): void => {
      clearTimeout(timer);
      this.byParty.delete(party);
      this.byNumber.delete(number);
      party.othersAnswered();
      resolve();
    };
    const timer = setTimeout(() => {
      for (const replica of awaited) this.silent.add(replica);
      end();
    }, this.options.timeoutMs).unref();
    const question = { awaited, over, end };
    this.byParty.set(party, question);
    this.byNumber.set(number, question);
    if (!this.options.send(party, number) || awaited.size === 0) end();
    return question;
  }
}
