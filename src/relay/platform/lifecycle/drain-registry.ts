import { systemClock, type Clock } from '../../../kernel/clock.js';

/** Something that has to be brought to an end before the relay stops. */
export interface DrainParticipant {
  /** For the log. */
  readonly name: string;
  /**
   * Called once, when the relay takes no new work any more. Resolves when nothing of it runs; what still runs at the deadline
   * (monotonic milliseconds) it ends by itself. Nobody waits for it much longer.
   */
  drain(deadlineMs: number): Promise<void>;
}

export interface DrainOptions {
  /** How long running work may go on. */
  readonly timeoutMs: number;
  /** Told about participants that failed or did not end in time. */
  readonly onProblem: (name: string, error: unknown) => void;
}

/** On top of the deadline: for last frames to reach clients and nodes. */
const GRACE_MS = 2_000;

/** Features register what they have to bring to an end; the relay drains them all at once (docs/reference/limits.md#drain). */
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

  /** Turns readiness off; work still comes and is still taken. */
  begin(): void {
    this.begun = true;
  }

  /** Resolves when everything has ended, at the latest a little after the timeout. Never rejects. */
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
