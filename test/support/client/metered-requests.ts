/** Requests in every dialect, and the usage that the relay recorded for them. */
import { eventually } from '../clock/eventually.js';
import type { RelayClient } from '../process/relay-client.js';

export const dialects = ['chat', 'completions', 'responses', 'messages'] as const;
export type Dialect = (typeof dialects)[number];
export const variants = dialects.flatMap((dialect) => [true, false].map((stream) => ({ dialect, stream })));

const routes: Readonly<Record<Dialect, string>> = {
  chat: '/v1/chat/completions',
  completions: '/v1/completions',
  responses: '/v1/responses',
  messages: '/v1/messages',
};

interface Tokens {
  readonly input_tokens: number;
  readonly cached_tokens: number;
  readonly output_tokens: number;
  readonly reasoning_tokens: number;
}

export interface UsageFigures extends Tokens {
  readonly requests: number;
  readonly completed: number;
  readonly failed: number;
  readonly cancelled: number;
  readonly estimated_requests: number;
}

export interface Usage {
  readonly data: readonly (UsageFigures & { readonly key: string | null; readonly name: string | null })[];
  readonly totals: UsageFigures;
}

export interface LoggedRequest extends Tokens {
  readonly id: string;
  readonly dialect: string;
  readonly stream: boolean;
  readonly outcome: string;
  readonly code: string | null;
  readonly source: string | null;
}

/** No request asks for usage, which is metered anyway. */
export function bodyOf(dialect: Dialect, text: string, fields: object): string {
  const messages = [{ role: 'user', content: text }];
  const question = {
    chat: { messages },
    completions: { prompt: text },
    responses: { input: text },
    messages: { messages, max_tokens: 300 },
  }[dialect];
  return JSON.stringify({ ...question, ...fields });
}

export const post = (relay: RelayClient, dialect: Dialect, body: string, signal?: AbortSignal): Promise<Response> =>
  relay.fetch(routes[dialect], { method: 'POST', body, ...(signal && { signal }) });

export const usageBy = (relay: RelayClient, by: string): Promise<Usage> =>
  relay.manage('GET', `/usage?since=24h&by=${by}`);

interface Page {
  readonly data: readonly LoggedRequest[];
  readonly next_cursor: string | null;
}

/** Newest first, once at least `requests` are written; a cancelled one is written after its node's confirmation. */
export const logOf = (relay: RelayClient, requests: number, withinMs?: number): Promise<readonly LoggedRequest[]> =>
  eventually(
    `${requests} requests are metered`,
    async () => {
      const found: LoggedRequest[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const after: string = cursor === '' ? '' : `&cursor=${cursor}`;
        const page: Page = await relay.manage<Page>('GET', `/usage/requests?limit=200${after}`);
        found.push(...page.data);
        cursor = page.next_cursor;
      }
      return found.length >= requests ? found : undefined;
    },
    withinMs,
  );

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
