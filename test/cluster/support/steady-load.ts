/** One request after the other at each address, from the start until it is ended. */
import type { ClientRecord } from '../../faults/support/history.js';
import type { RecordingClient } from '../../faults/support/recording-client.js';

/** On a slow machine a fault may be over before a load has begun: it goes on until there was one. */
const FEWEST = 12;

export class SteadyLoad {
  private loading = true;
  private readonly records: ClientRecord[] = [];
  private readonly loops: readonly Promise<void>[];

  constructor(clients: readonly RecordingClient[]) {
    this.loops = clients.map(async (client) => {
      while (this.loading || this.records.length < FEWEST) this.records.push(await client.ask().over);
    });
  }

  /** @returns all requests, when the last one is over */
  async end(): Promise<readonly ClientRecord[]> {
    this.loading = false;
    await Promise.all(this.loops);
    return this.records;
  }
}
