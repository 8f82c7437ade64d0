/**
 * Whatever a bad engine sends, on whatever route, no client of this suite takes it for a complete answer
 * (docs/reference/stream-transport.md#misbehaving-engines has the table).
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ClientProgram } from '../support/client/client-program.js';
import { findPython } from '../support/client/find-python.mjs';
import { inferenceRoutes, type InferenceRoute } from '../support/client/heard-answer.js';
import { keptBytecode, pythonEnvironment } from '../support/client/python-environment.mjs';
import { javascriptClients, pythonClient, type TierOneClient } from '../support/client/tier-one-clients.js';
import type { FakeCall, FakeEngine } from '../support/engine/fake-engine.js';
import {
  chunkText,
  done,
  event,
  raises,
  sends,
  TEXT,
  whole,
  words,
  type Script,
} from '../support/engine/misbehaviours.js';
import { shareFakeEngine, wholeOf } from '../support/engine/shared-fake-engine.js';
import type { Tenant } from '../support/process/tenant.js';

const page = path.resolve(import.meta.dirname, '../../docs/reference/stream-transport.md');
const folder = path.join(import.meta.dirname, 'python');
const environments = ['openai-3-anthropic-2', 'openai-2-anthropic-1', 'openai-1-anthropic-0'] as const;
const INSTALL_WITHIN_MS = 300_000;
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

// Its warnings are about settings that this suite leaves to the default.
globalThis.AI_SDK_LOG_WARNINGS = false;

describe('of an engine that misbehaves', () => {
  let relay: Tenant;
  let engine: FakeEngine;
  let clients: readonly TierOneClient[];
  const programs: ClientProgram[] = [];
  const python = findPython();

  shareFakeEngine((tenant, started) => {
    relay = tenant;
    engine = started;
  });

  beforeAll(async () => {
    const others: TierOneClient[] = [];
    for (const environment of python === undefined ? [] : environments) {
      const interpreter = await pythonEnvironment(python!, path.join(folder, `requirements-${environment}.txt`));
      const env = keptBytecode(interpreter);
      const program = ClientProgram.start([interpreter, path.join(folder, 'client.py')], relay, { env });
      programs.push(program);
      const [, major, , other] = environment.split('-');
      others.push(pythonClient(`Python: \`openai\` ${major}, \`anthropic\` ${other}`, program));
    }
    clients = [...javascriptClients(relay), ...others];
    // They load their packages with the first question.
    for (const { routes } of others) await routes.chat?.(false);
  }, INSTALL_WITHIN_MS);

  afterAll(async () => {
    for (const program of programs) await program.stop();
  });

  /** What the clients call complete, of one answer of the engine. */
  async function completed(script: Script, stream: boolean): Promise<readonly string[]> {
    engine.answer = (call) => script(speaking(call));
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

  it('the documentation has the table', async () => {
    if (python === undefined) return;
    const cells = (routes: TierOneClient['routes']): string =>
      inferenceRoutes
        .map((route: InferenceRoute) => (routes[route] === undefined ? '–' : `0 of ${bad.length * 2}`))
        .join(' | ');
    const rows = clients.map(({ name, routes }) => `| ${name} | ${cells(routes)} |`);
    const plain = (text: string): string => text.replace(/ +/g, ' ').replace(/-+/g, '-');
    expect(plain(await readFile(page, 'utf8'))).toContain(
      plain([`| Client | ${inferenceRoutes.join(' | ')} |`, '| - | - | - | - | - |', ...rows].join('\n')),
    );
  });
});
