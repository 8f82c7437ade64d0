/** The tests that no client takes anything that a bad engine sends, on whatever route, for a complete response. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { inferenceRoutes, type InferenceRoute } from './received-response.js';
import type { TierOneClient } from './tier-one-clients.js';
import type { FakeCall, FakeEngine } from '../engine/fake-engine.js';
import { chunkText, done, event, raises, sends, TEXT, whole, words, type Script } from '../engine/misbehaviours.js';
import { shareFakeEngine, wholeOf } from '../engine/shared-fake-engine.js';
import type { Tenant } from '../process/tenant.js';

const page = path.resolve(import.meta.dirname, '../../../docs/reference/stream-transport.md');
/** On a busy computer; a client that waits for more of a failed answer is found by it. */
const SETTLES_WITHIN_MS = 30_000;

/** Beside what streams were seen to do: documents, and ends that are none. */
const bad: readonly (readonly [string, Script])[] = [
  ...raises,
  ['a finish reason of "null" and the end', sends(words + event(chunkText({}, 'null')) + done)],
  ['an answer that was given up', (call) => call.json(200, wholeOf(call, 'Half', { finish_reason: 'abort' }))],
  ['a document without choices', (call) => call.json(200, { ...wholeOf(call, ''), choices: [] })],
  ['a document that is cut', (call) => call.respond(200, 'application/json', '{"choices":[{"index":0,"mess')],
  ['an empty 200', (call) => call.respond(200, 'application/json', '')],
  ['a 500', (call) => call.json(500, { error: { message: 'out of memory' } })],
];

/** The text route has `text` in place of `delta`. */
function speaking(call: FakeCall): FakeCall {
  if (call.url.endsWith('/chat/completions')) return call;
  const inText = (text: string | Buffer): string =>
    String(text).replace(/"delta":(\{[^{}]*\})/g, (_, delta: string) => {
      const { content } = JSON.parse(delta) as { content?: string | null };
      return `"text":${JSON.stringify(content ?? '')}`;
    });
  return new Proxy(call, {
    get(target, member) {
      if (member === 'write') return (text: string | Buffer) => target.write(inText(text));
      if (member === 'end') return (text?: string) => target.end(text === undefined ? undefined : inText(text));
      const value: unknown = Reflect.get(target, member, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

/** @param clientsOf of an account of the shared relay. They have loaded their packages. @param withinMs how long that may take */
export function testNoFalseSuccess(
  clientsOf: (relay: Tenant) => readonly TierOneClient[] | Promise<readonly TierOneClient[]>,
  withinMs: number,
): void {
  let relay: Tenant;
  let engine: FakeEngine;
  let clients: readonly TierOneClient[];

  shareFakeEngine((tenant, started) => {
    relay = tenant;
    engine = started;
  });

  beforeAll(async () => {
    clients = await clientsOf(relay);
  }, withinMs);

  /** What the clients call complete, of one response of the engine. */
  async function completed(script: Script, stream: boolean): Promise<readonly string[]> {
    engine.respond = (call) => script(speaking(call));
    const heard = clients.flatMap(({ name, routes }) =>
      Object.entries(routes).map(async ([route, ask]) => {
        const text = await Promise.race([
          ask(stream).catch(() => undefined),
          delay(SETTLES_WITHIN_MS, 'never ended', { ref: false }),
        ]);
        return text === undefined ? [] : [`${name} on ${route}: ${text}`];
      }),
    );
    return (await Promise.all(heard)).flat();
  }

  it.each([true, false])(
    'nothing is wrong with a good answer for any of them (stream: %s)',
    async (stream) => {
      const all = clients.flatMap(({ name, routes }) =>
        Object.keys(routes).map((route) => `${name} on ${route}: ${TEXT}`),
      );
      expect(await completed(sends(whole), stream)).toEqual(all);
    },
    60_000,
  );

  describe.each([true, false])('(stream: %s)', (stream) => {
    it.each(bad)(
      '%s is no answer for any client',
      async (_, script) => {
        expect(await completed(script, stream)).toEqual([]);
      },
      60_000,
    );
  });

  it('the documentation has their rows in its table', async () => {
    const cells = (routes: TierOneClient['routes']): string =>
      inferenceRoutes
        .map((route: InferenceRoute) => (routes[route] === undefined ? '–' : `0 of ${bad.length * 2}`))
        .join(' | ');
    const rows = clients.map(({ name, routes }) => `| ${name} | ${cells(routes)} |`);
    const plain = (text: string): string => text.replace(/ +/g, ' ').replace(/-+/g, '-');
    expect(plain(await readFile(page, 'utf8'))).toContain(plain(rows.join('\n')));
  });
}
