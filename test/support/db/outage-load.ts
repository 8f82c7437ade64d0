/** Writes and questions at a relay while its database fails, each of which needs the database, and what they were answered. */
import { setTimeout as delay } from 'node:timers/promises';
import type { RelayClient } from '../process/relay-client.js';

/** So that nothing is served from a cache: a relay of this load. Its limits are not what is looked at. */
export const outageEnv = {
  FERRY_KEY_CACHE_FRESH_MS: '0',
  FERRY_KEY_CACHE_STALE_MS: '0',
  FERRY_MANAGEMENT_PER_CREDENTIAL_PER_MINUTE: '100000',
  FERRY_MANAGEMENT_PER_ACCOUNT_PER_MINUTE: '100000',
  FERRY_MANAGEMENT_PER_ADDRESS_PER_MINUTE: '100000',
} as const;

export const WRITERS = 10;
const QUESTIONS_AT_ONCE = 2;
const PAUSE_MS = 20;
const question = JSON.stringify({ model: 'fake', messages: [{ role: 'user', content: 'a question' }], stream: false });

export type Area = 'management' | 'inference';

export interface OutageResponse {
  readonly area: Area;
  /** 0: the connection to the relay broke, which it must not. */
  readonly status: number;
  readonly text: string;
  readonly sentAtMs: number;
  readonly atMs: number;
}

export class OutageLoad {
  readonly responses: OutageResponse[] = [];
  private over = false;
  private readonly loops: readonly Promise<void>[];

  private constructor(
    private readonly relay: RelayClient,
    private readonly clusters: readonly string[],
  ) {
    this.loops = [
      ...clusters.map((id, index) => this.repeat('management', (round) => this.rename(id, `${index}-${round}`))),
      ...Array.from({ length: QUESTIONS_AT_ONCE }, () => this.repeat('inference', () => this.ask())),
    ];
  }

  /** Each writer changes something of its own, in a transaction with the audit trail. */
  static async start(relay: RelayClient, name: string): Promise<OutageLoad> {
    const clusters: string[] = [];
    while (clusters.length < WRITERS) clusters.push(await relay.createCluster(`${name}-${clusters.length}`));
    return new OutageLoad(relay, clusters);
  }

  /** @returns the responses to what was asked later, each of which is that of a working relay */
  succeededAfter(sentAfterMs: number, area: Area): readonly OutageResponse[] {
    return this.responses.filter(
      (response) => response.area === area && response.status === 200 && response.sentAtMs > sentAfterMs,
    );
  }

  /** When the first request succeeded, of those that were answered after this moment. */
  firstSuccessAfter(atMs: number, area: Area): number | undefined {
    return this.responses.find((response) => response.area === area && response.status === 200 && response.atMs > atMs)
      ?.atMs;
  }

  /** Answers to what was asked later that a relay must not give, whatever its database does: neither success nor 503. */
  failedAfter(sentAfterMs: number): readonly OutageResponse[] {
    return this.responses.filter(({ sentAtMs, status }) => sentAtMs > sentAfterMs && status !== 200 && status !== 503);
  }

  /** How many responses had which status, and what was said with another one than 200 and 503. */
  get summary(): { readonly statuses: Readonly<Record<string, number>>; readonly unexpected: readonly string[] } {
    const statuses: Record<string, number> = {};
    const unexpected: string[] = [];
    for (const { area, status, text } of this.responses) {
      const name = `${area} ${status}`;
      statuses[name] = (statuses[name] ?? 0) + 1;
      if (status !== 200 && status !== 503) unexpected.push(`${name}: ${text}`);
    }
    return { statuses, unexpected };
  }

  async end(): Promise<void> {
    this.over = true;
    await Promise.all(this.loops);
  }

  /** There is a limit for each account. */
  async removeClusters(): Promise<void> {
    for (const id of this.clusters) await this.relay.manage('DELETE', `/clusters/${id}`);
  }

  private async repeat(area: Area, ask: (round: number) => Promise<Response>): Promise<void> {
    for (let round = 0; !this.over; round += 1) {
      const sentAtMs = performance.now();
      const { status, text } = await ask(round).then(
        async (response) => ({ status: response.status, text: await response.text() }),
        (error: unknown) => ({ status: 0, text: String(error) }),
      );
      this.responses.push({ area, status, text, sentAtMs, atMs: performance.now() });
      await delay(PAUSE_MS);
    }
  }

  private rename(cluster: string, name: string): Promise<Response> {
    const { baseUrl, credentials } = this.relay;
    return fetch(`${baseUrl}/api/clusters/${cluster}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${credentials.cli_token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: `renamed-${cluster.slice(-6).toLowerCase()}-${name}` }),
    });
  }

  private ask(): Promise<Response> {
    return this.relay.fetch('/v1/chat/completions', { method: 'POST', body: question });
  }
}
