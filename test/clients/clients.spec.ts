/**
 * Client libraries and frameworks in other languages, each in a program that uses it as its users do, against the built-in engine and a scripted
 * one, through relay, link and node.
 */
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cutMidway, neverEnding, startClientNode } from '../support/client/client-node.js';
import { ClientProgram } from '../support/client/client-program.js';
import { FakeEngine } from '../support/engine/fake-engine.js';
import { shareRelay } from '../support/process/shared-deployment.js';
import type { Tenant } from '../support/process/tenant.js';
import type { TestNode } from '../support/process/test-node.js';
import { INSTALL_WITHIN_MS, prepareClient } from './client-command.js';
import { testExtensions } from './extension-cases.js';
import { extensionClients, libraries, type CaseName } from './libraries.js';

const TEST_WITHIN_MS = 60_000;

let relay: Tenant;
let engine: FakeEngine;
let node: TestNode;

shareRelay(async (shared) => {
  relay = shared;
  engine = await FakeEngine.start();
  node = await startClientNode(relay, engine);
});

afterAll(async () => {
  await node.stop();
  await engine.stop();
}, 60_000);

describe.each([...libraries, ...extensionClients])('$title ($language)', (library) => {
  let client: ClientProgram | undefined;
  const folder = path.join(import.meta.dirname, library.language);
  const lacks = library.lacks ?? {};

  beforeAll(async () => {
    const env = { PYTHONDONTWRITEBYTECODE: '1', PYTHONPATH: folder };
    client = ClientProgram.start(await prepareClient(library, folder), relay, { env });
  }, INSTALL_WITHIN_MS);

  afterAll(() => client?.stop(), 60_000);

  const started = (): ClientProgram => {
    if (client === undefined) throw new Error('the program was not made');
    return client;
  };

  /** A case that the library has not is no test. */
  const test = (name: CaseName, title: string, body: (program: ClientProgram) => Promise<void>): void => {
    if (lacks[name] !== undefined) return;
    it(title, () => body(started()), TEST_WITHIN_MS);
  };

  const hello = { model: 'tiny', prompt: 'Hello' };

  test('chat', 'gets an answer', async (program) => {
    expect(await program.result({ case: 'chat', ...hello })).toMatchObject({
      text: 'Hello! How can I help you today?',
    });
  });

  test('stream', 'streams an answer in pieces', async (program) => {
    const { text, pieces } = await program.result({ case: 'stream', model: 'tiny', prompt: 'Count to 8' });
    expect(text).toBe('1, 2, 3, 4, 5, 6, 7, 8');
    expect(pieces).toBeGreaterThan(3);
  });

  test('tools', 'calls a tool and continues with its result', async (program) => {
    const { asked, text } = await program.result({
      case: 'tools',
      model: 'tiny',
      prompt: 'What is the weather in Paris?',
    });
    expect(asked).toEqual(['Paris']);
    expect(text).toMatch(/\w/);
  });

  test('structured', 'gets an object that follows a schema', async (program) => {
    const { city } = await program.result({ case: 'structured', model: 'tiny', prompt: 'Give me a city as JSON.' });
    expect(['Oslo', 'Paris']).toContain(city);
  });

  test('reasoning', 'gets reasoning apart from the text', async (program) => {
    const response = await program.result({ case: 'reasoning', model: 'tiny', prompt: 'Hello /think' });
    expect(response['reasoning']).toMatch(/\w/);
    expect(response['text']).not.toContain('<think>');
  });

  test('usage', 'gets the usage', async (program) => {
    const { usage } = await program.result({ case: 'usage', ...hello });
    const { input, output } = usage as { input: number; output: number };
    expect(input).toBeGreaterThan(0);
    expect(output).toBeGreaterThan(0);
  });

  test('error', 'says in its error that there is no such model', async (program) => {
    const { message } = await program.failure({ case: 'error', ...hello, model: 'absent' });
    expect(message).toContain("There is no model 'absent'.");
  });

  test('cut', 'takes a stream that fails midway for a failure', async (program) => {
    const words = 'the graphics card has run out of memory';
    engine.respond = cutMidway(words);
    const { message } = await program.failure({ case: 'stream', model: 'fake', prompt: 'hi' });
    expect(message).toContain(library.cutShows ?? words);
  });

  test('cancel', 'ends the work of the engine when it leaves a stream', async (program) => {
    const arrived = engine.nextCall();
    engine.respond = neverEnding;
    await program.result({ case: 'cancel', model: 'fake', prompt: 'hi' });
    await (
      await arrived
    ).aborted;
  });

  testExtensions(library, () => ({ relay, engine, program: started() }));
});
