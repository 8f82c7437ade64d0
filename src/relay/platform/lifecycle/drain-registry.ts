import { systemClock, type Clock } from '../../../kernel/clock.js';

/** Work that has to end before the relay stops. */
export interface DrainParticipant {
  /** Used in the log. */
  readonly name: string;
  /**
   * Called once, when the relay takes no more new work. Resolves when all of it has ended. The participant itself ends what still runs
   * at the deadline (monotonic milliseconds); the relay waits only a little longer.
   */
  drain(deadlineMs: number): Promise<void>;
}

export interface DrainOptions {
  /** Time for running work to end. */
  readonly timeoutMs: number;
  /** Called for participants that failed or did not end in time. */
  readonly onProblem: (name: string, error: unknown) => void;
}

/** Added to the deadline, so that the last frames reach clients and nodes. */
const GRACE_MS = 2_000;

/** Features register their work; the relay drains all of it at once (docs/reference/limits.md#drain). */
export class DrainRegistry {
  private readonly participants = new Set<DrainParticipant>();
  private begun = false;

  constructor(private readonly clock: Clock = systemClock) {}

  /** From the first signal on: the relay is not ready any more. */
  get draining(): boolean {
    return this.begun;
  }

  register(participant: DrainParticipant): void {
    this.participants.add(participant);
  }

  /** Turns readiness off; new work is still accepted. */
  begin(): void {
    this.begun = true;
  }

  /** Resolves when all work has ended, at the latest shortly after the timeout. Never rejects. */
  async drain({ timeoutMs, onProblem }: DrainOptions): Promise<void> {
    this.begin();
    const deadlineMs = this.clock.monotonicMs() + timeoutMs;
    await Promise.all(
      [...this.participants].map(async (participant) => {
        try {
          await withTimeout(participant.drain(deadlineMs), timeoutMs + GRACE_MS);
        } catch (error) {
          onProblem(participant.name, error);
        }
      }),
    );
  }
}

async function withTimeout(work: Promise<void>, timeoutMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new Error('did not end in time'));
    }, timeoutMs);
  });
  try {
    await Promise.race([work, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
