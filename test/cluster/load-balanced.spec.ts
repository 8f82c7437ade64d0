/** Three relays behind nginx without stickiness: official clients, people and computers use one address, and any relay serves them. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import Anthropic from '@anthropic-ai/sdk';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { allEvents, eventsOf } from '../support/client/event-stream.js';
import { eventually } from '../support/clock/eventually.js';
import { FakeEngine } from '../support/engine/fake-engine.js';
import { SlowFiles } from '../support/engine/slow-files.js';
import { ferry, repositoryRoot } from '../support/process/ferry-process.js';
import { TestNode } from '../support/process/test-node.js';
import type { RelayClient } from '../support/process/relay-client.js';
import { PASSWORD, Person } from '../support/relay/people.harness.js';
import { RelayCluster } from '../support/replicas/relay-cluster.js';

const BODY_LIMIT_BYTES = 16_777_216;
/** As many requests as nginx needs to have used every relay. */
const ROUNDS = 12;

/** Of progress, between the relay of the operation and the others: it is stored every 2 s. */
const PROGRESS_WITHIN_MS = 5_000;

interface Explanation {
  readonly id: string;
  readonly decisions: readonly unknown[];
}

describe('three relays behind a load balancer', () => {
  let cluster: RelayCluster;
  let engine: FakeEngine;
  let builtIn: TestNode;
  let faked: TestNode;
  let openai: OpenAI;
  let anthropic: Anthropic;

  beforeAll(async () => {
    cluster = await RelayCluster.start({ env: { FERRY_LINK_UPGRADES_PER_MINUTE: '1000' } });
    engine = await FakeEngine.start();
    builtIn = await TestNode.start(cluster.front, { name: 'built-in', env: { FERRY_NODE_INSTALL_SOURCES: 'private' } });
    faked = await TestNode.start(cluster.front, {
      name: 'faked',
      engines: [{ kind: 'openai-compatible', base_url: engine.url, slots: 8 }],
    });
    const { baseUrl, apiKey } = cluster.front;
    openai = new OpenAI({ apiKey, baseURL: `${baseUrl}/v1`, maxRetries: 0 });
    anthropic = new Anthropic({ authToken: apiKey, apiKey: null, baseURL: baseUrl, maxRetries: 0 });
    for (const relay of cluster.relays)
      await eventually(
        `${relay.name} has both nodes`,
        async () => {
          const { data } = await relay.manage<{ data: { online: boolean }[] }>('GET', '/nodes');
          return data.filter(({ online }) => online).length === 2;
        },
        60_000,
      );
  }, 180_000);

  afterAll(async () => {
    await builtIn.stop();
    await faked.stop();
    await engine.stop();
    await cluster.stop();
  }, 120_000);

  const commandLine = (words: readonly string[]) =>
    ferry(words, { FERRY_BASE_URL: cluster.front.baseUrl, FERRY_TOKEN: cluster.front.credentials.cli_token });

  it('three relays behind a load balancer answer the official OpenAI client, whole and streamed', async () => {
    const ask = { model: 'tiny', max_tokens: 20, messages: [{ role: 'user' as const, content: 'Hello' }] };
    for (let round = 0; round < ROUNDS; round += 1) {
      const response = await openai.chat.completions.create(ask);
      expect(response.choices[0]?.message.content).toContain('Hello!');
      const words: string[] = [];
      for await (const chunk of await openai.chat.completions.create({ ...ask, stream: true }))
        words.push(chunk.choices[0]?.delta.content ?? '');
      expect(words.join('')).toBe(response.choices[0]?.message.content);
    }
  }, 60_000);

  it('three relays behind a load balancer answer the official Anthropic client, whole and streamed', async () => {
    const ask = { model: 'tiny', max_tokens: 20, messages: [{ role: 'user' as const, content: 'Hello' }] };
    for (let round = 0; round < ROUNDS; round += 1) {
      const message = await anthropic.messages.create(ask);
      expect(message.content).toMatchObject([{ type: 'text' }]);
      expect((await anthropic.messages.stream(ask).finalMessage()).content).toEqual(message.content);
    }
  }, 60_000);

  it('three relays behind a load balancer continue a response that another relay began', async () => {
    let previous: string | null = null;
    for (const relay of [...cluster.relays, ...cluster.relays]) {
      const own = new OpenAI({ apiKey: relay.apiKey, baseURL: `${relay.baseUrl}/v1`, maxRetries: 0 });
      const response: OpenAI.Responses.Response = await own.responses.create({
        model: 'tiny',
        max_output_tokens: 20,
        input: 'Hello',
        previous_response_id: previous,
      });
      expect(response).toMatchObject({ status: 'completed', previous_response_id: previous });
      previous = response.id;
    }
    for (let round = 0; round < ROUNDS; round += 1) {
      const response: OpenAI.Responses.Response = await openai.responses.create({
        model: 'tiny',
        max_output_tokens: 20,
        input: 'Hello',
        previous_response_id: previous,
      });
      previous = response.id;
    }
  }, 60_000);

  it('three relays behind a load balancer pass on each event when it comes', async () => {
    const arrived = engine.nextCall();
    engine.respond = () => undefined;
    const response = cluster.front.chat({ model: 'fake', stream: true, messages: [{ role: 'user', content: 'hi' }] });
    const call = await arrived;
    call.startStream();
    call.chunk({ role: 'assistant', content: 'one' });
    const events = eventsOf(await response);
    expect((await events.next()).value).toMatchObject({ text: expect.stringContaining('one') });
    call.chunk({ content: 'two' });
    expect((await events.next()).value).toMatchObject({ text: expect.stringContaining('two') });
    call.finish();
    const rest: string[] = [];
    for await (const { text } of events) rest.push(text);
    expect(rest.at(-1)).toBe('data: [DONE]');
  });

  it('three relays behind a load balancer take a body of 16 MiB, and answer a larger one themselves', async () => {
    engine.respond = (call) => call.completion(String(call.raw.byteLength));
    const send = async (bytes: number): Promise<Response> => {
      const frame = JSON.stringify({ model: 'fake', messages: [{ role: 'user', content: '' }] });
      return cluster.front.fetch('/v1/chat/completions', {
        method: 'POST',
        body: frame.replace('""', `"${'x'.repeat(bytes - frame.length)}"`),
      });
    };
    const responded = await send(BODY_LIMIT_BYTES);
    expect(responded.status).toBe(200);
    expect(Number(((await responded.json()) as OpenAI.ChatCompletion).choices[0]?.message.content)).toBeGreaterThan(
      BODY_LIMIT_BYTES - 1_000,
    );
    const refused = await send(BODY_LIMIT_BYTES + 1);
    expect(refused.status).toBe(413);
    expect(await refused.json()).toMatchObject({ error: { type: 'invalid_request_error' } });
  }, 60_000);

  it('know a person who signed in at one of them, until the session ends at another', async () => {
    const invite = await cluster.front.manage<{ invite_token: string }>('POST', '/invites', { role: 'owner' });
    const person = new Person(cluster.front.baseUrl);
    const email = 'owner@example.com';
    await person.call('POST', 'invites/accept', { token: invite.invite_token, email, password: PASSWORD });
    expect((await person.call('POST', 'sign-in', { email, password: PASSWORD })).status).toBe(200);
    const statuses = async (): Promise<number[]> =>
      Promise.all(
        cluster.relays.map(async (relay) => {
          const there = new Person(relay.baseUrl);
          there.cookie = person.cookie;
          return (await there.call('GET', 'whoami')).status;
        }),
      );
    expect(await statuses()).toEqual([200, 200, 200]);
    const session = person.cookie;
    expect((await person.call('POST', 'sign-out')).status).toBeLessThan(300);
    person.cookie = session;
    expect(await statuses()).toEqual([401, 401, 401]);
  });

  it('three relays behind a load balancer tell a page that is open at one of what was changed at another', async () => {
    const [first, second] = cluster.relays;
    const leaving = new AbortController();
    const feed = await fetch(`${second!.baseUrl}/api/events`, {
      headers: { authorization: `Bearer ${second!.credentials.cli_token}` },
      signal: leaving.signal,
    });
    expect(feed.status).toBe(200);
    const seen: string[] = [];
    const reading = (async () => {
      for await (const { text } of eventsOf(feed)) seen.push(text);
    })().catch(() => undefined);
    const { id } = await first!.manage<{ id: string }>('POST', '/operations', {
      kind: 'unload',
      model: 'tiny',
      node_id: await builtIn.id(),
    });
    await eventually('the feed tells of the operation', () => seen.some((text) => text.includes(id)), 15_000);
    leaving.abort();
    await reading;
    await eventually(
      'it is done',
      async () => (await second!.manage<{ state: string }>('GET', `/operations/${id}`)).state === 'succeeded',
    );
    await first!.manage('POST', '/operations', { kind: 'load', model: 'tiny', node_id: await builtIn.id() });
    for (const relay of cluster.relays)
      await eventually(
        `${relay.name} has the model again`,
        async () =>
          (
            await relay.chat({
              model: 'tiny',
              max_tokens: 5,
              messages: [{ role: 'user', content: 'Hello' }],
            })
          ).ok,
      );
  }, 60_000);

  it('explain a request of another, also to the command line', async () => {
    engine.respond = (call) => call.completion('Hello.');
    const [first] = cluster.relays;
    const responded = await first!.chat({ model: 'fake', messages: [{ role: 'user', content: 'hi' }] });
    const id = responded.headers.get('x-request-id') ?? '';
    for (const relay of cluster.relays) {
      const explained = await relay.manage<Explanation>('GET', `/requests/${id}`);
      expect(explained).toMatchObject({ id, outcome: 'completed', missing: null });
      expect(explained.decisions).toHaveLength(1);
    }
    const shown = await commandLine(['explain', id]);
    expect(shown).toMatchObject({ code: 0, stdout: expect.stringContaining('faked') });
  }, 60_000);

  it('three relays behind a load balancer serve the command line', async () => {
    for (let round = 0; round < cluster.relays.length; round += 1) {
      const { code, stdout } = await commandLine(['nodes', 'list', '--json']);
      expect([code, ...['built-in', 'faked'].map((name) => stdout.includes(`"${name}"`))]).toEqual([0, true, true]);
    }
    const created = await commandLine(['keys', 'create', 'from-the-command-line']);
    expect(created.code).toBe(0);
    const key = created.stdout.trim();
    for (const relay of cluster.relays)
      expect((await relay.fetch('/v1/models', { headers: { authorization: `Bearer ${key}` } })).status).toBe(200);
  }, 60_000);

  it('three relays behind a load balancer show an installation with its progress, wherever it is asked for', async () => {
    const files = await SlowFiles.start(await readFile(path.join(repositoryRoot, 'engines/models/tiny.gguf')));
    try {
      const { id } = await cluster.front.manage<{ id: string }>('POST', '/operations', {
        kind: 'install',
        source: files.url('another.gguf'),
        node_id: await builtIn.id(),
      });
      const feeds = cluster.relays.map(async (relay) =>
        allEvents(
          await fetch(`${relay.baseUrl}/api/operations/${id}/events`, {
            headers: { authorization: `Bearer ${relay.credentials.cli_token}` },
          }),
        ),
      );
      const showsBytes = async (relay: RelayClient): Promise<boolean> => {
        const { completed_bytes: bytes } = await relay.manage<{ completed_bytes: number | null }>(
          'GET',
          `/operations/${id}`,
        );
        return (bytes ?? 0) > 0;
      };
      await eventually('one shows bytes', async () =>
        (await Promise.all(cluster.relays.map(showsBytes))).includes(true),
      );
      await Promise.all(
        cluster.relays.map((relay) =>
          eventually(`${relay.name} shows bytes`, () => showsBytes(relay), PROGRESS_WITHIN_MS),
        ),
      );
      files.openGate();
      for (const events of await Promise.all(feeds)) {
        const shown = events.filter((text) => text.startsWith('event: operation'));
        expect(shown.at(-1)).toContain('"succeeded"');
      }
    } finally {
      await files.close();
    }
  }, 60_000);
});
