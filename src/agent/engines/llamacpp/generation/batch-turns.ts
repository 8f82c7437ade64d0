/** A reader that takes longer for a token than this delays no other: its next token is computed whenever it is requested. */
const MAX_HOLD_UP_MS = 50;

interface Member {
  /** When its last computation ended. Undefined: it has asked for none yet, or is in one. */
  answeredMs: number | undefined;
  /** Whether it read its last token in time, so that the others wait for it. */
  isPrompt: boolean;
}

/**
 * Lets the responses of one context ask for their next tokens together.
 *
 * A batch takes nearly the same time for few tokens as for many, and node-llama-cpp computes what is asked for when it has nothing else to do:
 * of 32 answers, those whose tokens had been read first were computed alone, 2 or 3 at a time. So each waits here until all have read theirs,
 * but for {@link MAX_HOLD_UP_MS} at most, because a response pauses when its client does not read.
 */
export class BatchTurns {
  private readonly members = new Map<object, Member>();
  private readonly waiting = new Map<object, { readonly go: () => void; readonly leave: (reason: Error) => void }>();
  private computing = 0;
  private patience: NodeJS.Timeout | undefined;

  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  /** Computes when it is the members' turn. @throws what `compute` throws; an error when the member has left meanwhile */
  async ask<Value>(owner: object, compute: () => Promise<Value>): Promise<Value> {
    const member = this.memberOf(owner);
    const { answeredMs } = member;
    if (answeredMs !== undefined) member.isPrompt = this.nowMs() - answeredMs <= MAX_HOLD_UP_MS;
    member.answeredMs = undefined;
    await new Promise<void>((go, leave) => {
      this.waiting.set(owner, { go, leave });
      this.proceed();
    });
    try {
      return await compute();
    } finally {
      this.computing -= 1;
      member.answeredMs = this.nowMs();
      this.proceed();
    }
  }

  /** The response has ended. What it waits for is not computed any more. */
  leave(owner: object): void {
    this.members.delete(owner);
    const waiting = this.waiting.get(owner);
    this.waiting.delete(owner);
    waiting?.leave(new Error('the answer has ended'));
    this.proceed();
  }

  private memberOf(owner: object): Member {
    const known = this.members.get(owner);
    if (known !== undefined) return known;
    const member: Member = { answeredMs: undefined, isPrompt: true };
    this.members.set(owner, member);
    return member;
  }

  private proceed(): void {
    if (this.computing > 0 || this.waiting.size === 0) return;
    if (this.isComplete()) this.release();
    else this.patience ??= setTimeout(() => this.giveUp(), MAX_HOLD_UP_MS);
  }

  private isComplete(): boolean {
    for (const [owner, { isPrompt }] of this.members) if (isPrompt && !this.waiting.has(owner)) return false;
    return true;
  }

  /** Releases the batch without the late sequences, which are waited for again once they read in time. */
  private giveUp(): void {
    this.patience = undefined;
    for (const [owner, member] of this.members) if (!this.waiting.has(owner)) member.isPrompt = false;
    this.release();
  }

  private release(): void {
    clearTimeout(this.patience);
    this.patience = undefined;
    const all = [...this.waiting.values()];
    this.waiting.clear();
    // Now, because they begin a microtask later, and who asks meanwhile must see them.
    this.computing += all.length;
    for (const { go } of all) go();
  }
}
