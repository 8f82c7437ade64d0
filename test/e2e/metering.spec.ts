// Own relay: it is stopped, and its files are searched for what must not be in them.
/** Usage: the relay's sums equal the engine's own figures for every outcome, and no content of requests is stored. */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { eventsOf } from '../support/client/event-stream.js';
import { FakeEngine, type FakeCall } from '../support/engine/fake-engine.js';
import {
  bodyOf,
  dialects,
  logOf,
  post,
  sum,
  usageBy,
  variants,
  type Dialect,
} from '../support/client/metered-requests.js';
import type { RelayClient } from '../support/process/relay-client.js';
import { shareRelay } from '../support/process/shared-deployment.js';
import { TestNode } from '../support/process/test-node.js';
import { TestRelay } from '../support/process/test-relay.js';

const QUESTION = 'canary-question-7f3a91';
const RESPONSE = 'canary-answer-c20b55';
/** The request log keeps these: an engine's error, and the name of a model that no node has. */
const ERROR = 'canary-error-41d9e8';

describe('usage of an engine that reports it', () => {
  let relay: TestRelay;
  let node: TestNode;
  let engine: FakeEngine;
  const reported = { input: 0, cached: 0, output: 0, reasoning: 0 };
  let sent = 0;

  beforeAll(async () => {
    relay = await TestRelay.start({ env: { FERRY_USAGE_FLUSH_MS: '50' } });
    engine = await FakeEngine.start();
    node = await TestNode.start(relay, {
      name: 'metered-desk',
      engines: [{ kind: 'openai-compatible', base_url: engine.url, slots: 8, routes: ['chat', 'completions'] }],
    });
  }, 60_000);

  afterAll(async () => {
    await node.stop();
    await engine.stop();
    await relay.stop();
  }, 30_000);

  /** Different for each call, so that two errors cannot cancel out. */
  function nextUsage(): object {
    const call = engine.calls.length;
    const usage = { input: 100 + call * 7, cached: 3 + call, output: 20 + call * 3, reasoning: call % 5 };
    for (const name of ['input', 'cached', 'output', 'reasoning'] as const) reported[name] += usage[name];
    return {
      prompt_tokens: usage.input,
      completion_tokens: usage.output,
      total_tokens: usage.input + usage.output,
      prompt_tokens_details: { cached_tokens: usage.cached },
      completion_tokens_details: { reasoning_tokens: usage.reasoning },
    };
  }

  function succeed(call: FakeCall): void {
    const chat = call.url.endsWith('/chat/completions');
    const object = chat ? 'chat.completion' : 'text_completion';
    const base = { id: 'cmpl-1', created: 1_700_000_000, model: 'fake' };
    const whole = chat ? { message: { role: 'assistant', content: RESPONSE } } : { text: RESPONSE };
    if (!call.streaming) {
      const choices = [{ index: 0, ...whole, finish_reason: 'stop' }];
      call.json(200, { ...base, object, choices, usage: nextUsage() });
      return;
    }
    const kind = chat ? `${object}.chunk` : object;
    const chunk = chat ? { delta: { role: 'assistant', content: RESPONSE } } : { text: RESPONSE };
    call.startStream();
    call.event({ ...base, object: kind, choices: [{ index: 0, ...chunk, finish_reason: null }] });
    const rest = chat ? { delta: {} } : { text: '' };
    call.event({ ...base, object: kind, choices: [{ index: 0, ...rest, finish_reason: 'stop' }] });
    call.event({ ...base, object: kind, choices: [], usage: nextUsage() });
    call.event('[DONE]');
    call.end();
  }

  it('usage of an engine that reports it is exact in all dialects, streamed or not, including failures and disconnects', async () => {
    for (const { dialect, stream } of variants) {
      engine.respond = succeed;
      for (let round = 0; round < 2; round += 1) {
        const response = await post(relay, dialect, bodyOf(dialect, QUESTION, { model: 'fake', stream }));
        expect([response.status, (await response.text()).includes(RESPONSE)]).toEqual([200, true]);
        sent += 1;
      }
      engine.respond = (call) => call.json(500, { error: { message: `boom ${ERROR}` } });
      const failed = await post(relay, dialect, bodyOf(dialect, QUESTION, { model: 'fake', stream }));
      expect(failed.status).toBeGreaterThanOrEqual(500);
      await failed.text();
      sent += 1;

      engine.respond = () => undefined;
      const arrived = engine.nextCall();
      const client = new AbortController();
      const left = post(relay, dialect, bodyOf(dialect, QUESTION, { model: 'fake', stream }), client.signal);
      left.catch(() => undefined);
      const call = await arrived;
      client.abort();
      await call.aborted;
      sent += 1;
    }
    // A request for an unknown model counts as well; its name is text of the client.
    const unknown = await post(relay, 'chat', bodyOf('chat', QUESTION, { model: `${ERROR}-model` }));
    expect(unknown.status).toBe(404);
    sent += 1;

    const log = await logOf(relay, sent);
    expect(log).toHaveLength(sent);
    const ofEngine = log.filter(({ source }) => source === 'engine');
    expect(ofEngine).toHaveLength(variants.length * 2);
    expect({
      input: sum(ofEngine.map(({ input_tokens }) => input_tokens)),
      cached: sum(ofEngine.map(({ cached_tokens }) => cached_tokens)),
      output: sum(ofEngine.map(({ output_tokens }) => output_tokens)),
      reasoning: sum(ofEngine.map(({ reasoning_tokens }) => reasoning_tokens)),
    }).toEqual(reported);
    for (const { dialect, stream } of variants) {
      const same = log.filter((request) => request.dialect === dialect && request.stream === stream);
      const outcomes = same.map(({ outcome }) => outcome).filter((outcome) => outcome !== 'rejected');
      expect([dialect, stream, outcomes.sort()]).toEqual([
        dialect,
        stream,
        ['cancelled', 'completed', 'completed', 'failed'],
      ]);
    }
  }, 60_000);

  it('usage of an engine that reports it is equal in all roll-ups', async () => {
    for (const by of ['model', 'node', 'key', 'cluster', 'dialect', 'hour']) {
      const { data, totals } = await usageBy(relay, by);
      expect([by, totals.requests, totals.completed, totals.failed, totals.cancelled]).toEqual([
        by,
        sent,
        variants.length * 2,
        variants.length,
        variants.length,
      ]);
      expect([totals.input_tokens, totals.cached_tokens, totals.output_tokens, totals.reasoning_tokens]).toEqual([
        reported.input,
        reported.cached,
        reported.output,
        reported.reasoning,
      ]);
      expect(sum(data.map(({ input_tokens }) => input_tokens))).toBe(reported.input);
    }
  });

  it('includes names', async () => {
    const { data } = await usageBy(relay, 'node');
    expect(data.map(({ name }) => name)).toEqual(['metered-desk', null]);
    expect((await usageBy(relay, 'model')).data.map(({ name }) => name)).toEqual(['fake', null]);
  });

  it('stores no content in any table', async () => {
    await relay.process.stop();
    const database = relay.serveEnv['DATABASE_URL'];
    const holds = (text: string): Promise<boolean> =>
      database === undefined ? folderHolds(path.join(relay.dataDirectory, 'relay'), text) : serverHolds(database, text);
    // Proves that the search finds existing content.
    expect(await holds('metered-desk')).toBe(true);
    expect([await holds(QUESTION), await holds(RESPONSE)]).toEqual([false, false]);
    expect(relay.process.stdout + relay.process.stderr).not.toMatch(new RegExp(`${QUESTION}|${RESPONSE}|${ERROR}`));
  });
});

/** Tables, indexes and the write-ahead log of the embedded database are not compressed or encrypted. */
async function folderHolds(folder: string, text: string): Promise<boolean> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile() && (await readFile(path.join(entry.parentPath, entry.name))).includes(text)) return true;
  }
  return false;
}

async function serverHolds(url: string, text: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const tables = await client.query<{ name: string }>(
      `SELECT quote_ident(table_name) AS name FROM information_schema.tables WHERE table_schema = 'public'`,
    );
    for (const { name } of tables.rows) {
      const found = await client.query(`SELECT 1 FROM ${name} AS row WHERE row::text LIKE $1 LIMIT 1`, [`%${text}%`]);
      if (found.rows.length > 0) return true;
    }
    return false;
  } finally {
    await client.end();
  }
}

describe('the built-in engine', () => {
  let relay: RelayClient;
  let node: TestNode;

  shareRelay(async (tenant) => {
    relay = tenant;
    node = await TestNode.start(relay);
  });

  afterAll(() => node.stop(), 30_000);

  const question = 'Count to 100.';
  /** The completions route applies no template. */
  const promptOf = (dialect: Dialect): string =>
    dialect === 'completions' ? `<|im_start|>user\n${question}<|im_end|>\n<|im_start|>assistant\n` : question;
  /** Long enough for a client to disconnect in the middle. */
  const long = { model: 'tiny', temperature: 0, max_tokens: 300, max_output_tokens: 300 };
  const fieldsOf = (dialect: Dialect): object => {
    const { max_tokens, max_output_tokens, ...fields } = long;
    return { ...fields, ...(dialect === 'responses' ? { max_output_tokens } : { max_tokens }) };
  };

  it('the built-in engine is metered exactly, even when clients disconnect', async () => {
    let sent = 0;
    const outcomes: string[] = [];
    for (const dialect of dialects) {
      const response = await post(relay, dialect, bodyOf(dialect, promptOf(dialect), fieldsOf(dialect)));
      const { usage } = (await response.json()) as { usage: Record<string, number> };
      const whole = (await logOf(relay, (sent += 1)))[0];
      expect(whole).toMatchObject({
        dialect,
        outcome: 'completed',
        source: 'engine',
        output_tokens: usage['completion_tokens'] ?? usage['output_tokens'],
      });

      const client = new AbortController();
      const body = bodyOf(dialect, promptOf(dialect), { ...fieldsOf(dialect), stream: true });
      const stream = await post(relay, dialect, body, client.signal);
      for await (const { text } of eventsOf(stream)) if (/delta|"text"/.test(text)) break;
      client.abort();
      const stopped = (await logOf(relay, (sent += 1)))[0];
      // The same prompt and the same choices of tokens: equal input, and at most the output of the complete response.
      expect(stopped).toMatchObject({ dialect, stream: true, source: 'engine', input_tokens: whole?.input_tokens });
      expect(stopped?.output_tokens).toBeGreaterThanOrEqual(1);
      expect(stopped?.output_tokens).toBeLessThanOrEqual(whole?.output_tokens ?? 0);
      outcomes.push(stopped?.outcome ?? '');
    }
    // On a fast computer a small model may finish before a disconnect is noticed, but not always.
    expect(outcomes).toContain('cancelled');
    expect(new Set([...outcomes, 'completed'])).toEqual(new Set(['cancelled', 'completed']));
    expect((await usageBy(relay, 'dialect')).totals).toMatchObject({ requests: sent, estimated_requests: 0 });
  }, 120_000);
});
