import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { preloadedWith } from '../process/ferry-process.js';

const preload = new URL('./replicas-from-file.mjs', import.meta.url);

/** What relays without a bus between them are told of the replicas; the test is their presence. */
export class AnnouncedReplicas {
  private constructor(private readonly directory: string) {}

  static async create(): Promise<AnnouncedReplicas> {
    const sent = new AnnouncedReplicas(await mkdtemp(path.join(tmpdir(), 'ferry-replicas-')));
    await sent.tell(1);
    return sent;
  }

  /** Environment of each relay. */
  get env(): Record<string, string> {
    return { ...preloadedWith(preload), TOLD_REPLICAS_FILE: this.file };
  }

  async tell(live: number, addresses: readonly string[] = []): Promise<void> {
    // Renamed, so that no relay reads half of it.
    await writeFile(`${this.file}.new`, JSON.stringify({ live, link_addresses: addresses }));
    await rename(`${this.file}.new`, this.file);
  }

  async remove(): Promise<void> {
    await rm(this.directory, { recursive: true, force: true });
  }

  private get file(): string {
    return path.join(this.directory, 'replicas.json');
  }
}
