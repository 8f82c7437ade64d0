/**
 * Remembers over restarts of the node whether it ended uncleanly while it used the graphics processor. A driver may crash in the node's own
 * process although the probe went well; a supervisor would start it into the same crash for ever.
 */
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { z } from 'zod';
import type { Clock } from '../../../../kernel/clock.js';

/** So many unclean ends, which a kill or a power cut may also be, within this time. */
const TOO_MANY = 3;
const WITHIN_MS = 15 * 60_000;
/** Then it is tried again, because a driver may have been updated. */
const PAUSE_MS = 24 * 60 * 60_000;

const schema = z.object({
  version: z.literal(1),
  /** A process uses the device, or has ended without a word. */
  in_use: z.boolean(),
  /** Times of unclean ends, in milliseconds since 1970. */
  unclean_ends: z.array(z.number()).max(100),
});
type State = z.output<typeof schema>;

const unused: State = { version: 1, in_use: false, unclean_ends: [] };

export class GpuRecord {
  private state: State = unused;

  /** @param file undefined: not persisted */
  constructor(
    readonly file: string | undefined,
    private readonly clock: Clock,
  ) {}

  /**
   * To be called before the device is used. @returns why it must not be used now, for people; undefined: it may, and counts as in use
   * until {@link ended}
   */
  async begin(): Promise<string | undefined> {
    const { file } = this;
    if (file === undefined) return undefined;
    const nowMs = this.clock.wallMs();
    const { in_use: wasInUse, unclean_ends: ends } = await this.read(file);
    const recent = [...ends, ...(wasInUse ? [nowMs] : [])].filter((endMs) => nowMs - endMs < PAUSE_MS);
    const last = recent.at(-1) ?? 0;
    const isPaused = recent.filter((endMs) => last - endMs < WITHIN_MS).length >= TOO_MANY;
    await this.write({ version: 1, in_use: !isPaused, unclean_ends: recent.slice(-TOO_MANY) });
    return isPaused
      ? `the node ended ${TOO_MANY} times while it used the graphics processor: the processor computes for a day. To try again now, delete ${file}`
      : undefined;
  }

  /** The process has stopped using it, and in order. */
  async ended(): Promise<void> {
    if (this.state.in_use) await this.write({ ...this.state, in_use: false });
  }

  private async read(file: string): Promise<State> {
    try {
      return schema.parse(JSON.parse(await readFile(file, 'utf8')));
    } catch {
      return unused;
    }
  }

  private async write(state: State): Promise<void> {
    this.state = state;
    const { file } = this;
    if (file === undefined) return;
    try {
      await mkdir(path.dirname(file), { recursive: true });
      await writeFileAtomic(file, `${JSON.stringify(state)}\n`, { mode: 0o600 });
    } catch {
      // Without it a crash is not remembered; the device can be used all the same.
    }
  }
}
