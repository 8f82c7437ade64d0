/** A client that records its requests, their responses and how they ended. */
import { randomUUID } from 'node:crypto';
import { eventsOf } from '../../support/client/event-stream.js';
import type { RelayClient } from '../../support/process/relay-client.js';
import type { ClientEnd, ClientRecord } from './history.js';

export interface Ask {
  readonly model?: string;
  readonly stream?: boolean;
  /** Additional fields of the body. */
  readonly extra?: Readonly<Record<string, unknown>>;
  /** Disconnects after this many words; 0 disconnects after the headers. */
  readonly leaveAfterWords?: number;
  /** Disconnects when it fires, whatever has arrived. */
  readonly signal?: AbortSignal;
}

interface Frame {
  readonly choices?: readonly { readonly delta?: { readonly content?: string } }[];
  readonly error?: { readonly code?: string };
}

interface JsonResponse {
  readonly choices: readonly { readonly message: { readonly content: string } }[];
}

export class RecordingClient {
  readonly records: ClientRecord[] = [];

  constructor(private readonly relay: RelayClient) {}

  /** @returns the record at once, and a promise of its end */
  ask(ask: Ask = {}): { readonly record: ClientRecord; readonly over: Promise<ClientRecord> } {
    const record: ClientRecord = {
      marker: `m-${randomUUID()}`,
      requestId: null,
      status: null,
      end: 'broken',
      code: null,
      text: '',
      startedAtMs: performance.now(),
      endedAtMs: 0,
    };
    this.records.push(record);
    return { record, over: this.run(record, ask) };
  }

  /** @param count number of concurrent requests */
  many(count: number, ask: Ask = {}): Promise<ClientRecord[]> {
    return Promise.all(Array.from({ length: count }, () => this.ask(ask).over));
  }

  private async run(record: ClientRecord, ask: Ask): Promise<ClientRecord> {
    const leaving = new AbortController();
    const leave = (): void => {
      leaving.abort();
    };
    ask.signal?.addEventListener('abort', leave);
    if (ask.signal?.aborted === true) leave();
    try {
      const body = {
        model: ask.model ?? 'fake',
        stream: ask.stream ?? true,
        messages: [{ role: 'user', content: record.marker }],
        ...ask.extra,
      };
      const response = await this.relay.chat(body, { signal: leaving.signal });
      record.requestId = response.headers.get('x-request-id');
      record.status = response.status;
      record.end = await read(record, response, () => {
        if (ask.leaveAfterWords !== undefined && wordsIn(record.text) >= ask.leaveAfterWords) leave();
      });
    } catch {
      record.end = 'broken';
    }
    if (leaving.signal.aborted && record.end !== 'completed') record.end = 'left';
    ask.signal?.removeEventListener('abort', leave);
    record.endedAtMs = performance.now();
    return record;
  }
}

const wordsIn = (text: string): number => text.split(' ').length - 1;

async function read(record: ClientRecord, response: Response, onProgress: () => void): Promise<ClientEnd> {
  const streams = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  if (!streams) {
    const text = await response.text();
    if (!response.ok) {
      // Some refusals are plain text (docs/reference/public-api.md#authentication).
      record.code = text.startsWith('{') ? ((JSON.parse(text) as Frame).error?.code ?? null) : text;
      return 'refused';
    }
    record.text = (JSON.parse(text) as JsonResponse).choices[0]?.message.content ?? '';
    return 'completed';
  }
  onProgress();
  let end: ClientEnd = 'truncated';
  for await (const { text } of eventsOf(response)) {
    if (text.startsWith(':')) continue;
    // After the end nothing may follow.
    if (end !== 'truncated') return 'truncated';
    if (text === 'data: [DONE]') {
      end = 'completed';
      continue;
    }
    const frame = JSON.parse(text.slice('data: '.length)) as Frame;
    if (frame.error !== undefined) {
      record.code = frame.error.code ?? null;
      end = 'failed';
    }
    record.text += frame.choices?.[0]?.delta?.content ?? '';
    onProgress();
  }
  return end;
}
