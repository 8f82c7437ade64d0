/**
 * Client libraries and frameworks in other languages, each in a program that uses it as its users do, against the built-in engine and a scripted
 * one, through relay, link and node. They are installed from lock files into `node_modules/.cache`.
 */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { neverEnding, startClientNode } from '../support/client/client-node.js';
import { ClientProgram } from '../support/client/client-program.js';
import { findPython } from '../support/client/find-python.mjs';
import { pythonEnvironment } from '../support/client/python-environment.js';
import { FakeEngine } from '../support/engine/fake-engine.js';
import { repositoryRoot } from '../support/process/ferry-process.js';
import { shareRelay } from '../support/process/shared-deployment.js';
import type { TestNode } from '../support/process/test-node.js';
import { libraries, type CaseName, type ClientLibrary, type Language } from './libraries.js';

/** @throws with what the program printed: Maven says on stdout what is wrong */
const run = (program: string, words: readonly string[], cwd: string): Promise<unknown> =>
  promisify(execFile)(program, words, { cwd }).catch((error: unknown) => {
    const { message, stdout = '' } = error as Error & { readonly stdout?: string };
    throw new Error(`${message}\n${stdout}`, { cause: error });
  });

/** Of a language's packages, once: compilers and package managers use all that they get. */
const INSTALL_WITHIN_MS = 900_000;

type Command = readonly [string, ...string[]];

/** How a program of the language is made ready to be started. */
const commandOf: Readonly<Record<Language, (library: ClientLibrary, folder: string) => Promise<Command>>> = {
  async python({ program }, folder) {
    const python = findPython();
    if (python === undefined) throw new Error('Python 3.11 with venv is needed (apt-get install python3-venv)');
    return [await pythonEnvironment(python, path.join(folder, 'requirements.txt')), path.join(folder, program)];
  },
  async java({ program }, folder) {
    const built = path.join(repositoryRoot, 'node_modules/.cache/clients/java');
    const listed = path.join(built, 'classpath');
    const goals = ['compile', 'dependency:build-classpath', `-Dmdep.outputFile=${listed}`];
    await run('mvn', ['-q', '-B', `-Dferry.build=${built}`, ...goals], folder);
    const classpath = [path.join(built, 'classes'), (await readFile(listed, 'utf8')).trim()].join(path.delimiter);
    return ['java', '-cp', classpath, path.basename(program, '.java')];
  },
  async go({ id }, folder) {
    const built = path.join(repositoryRoot, 'node_modules/.cache/clients/go', id);
    await run('go', ['build', '-mod=readonly', '-buildvcs=false', '-o', built, `./${id}`], folder);
    return [built];
  },
};

describe.each(libraries)('$title ($language)', (library) => {
  let engine: FakeEngine;
  let node: TestNode;
  let client: ClientProgram;
  let command: Command;
  const folder = path.join(import.meta.dirname, library.language);
  const lacks = library.lacks ?? {};

  beforeAll(async () => {
    command = await commandOf[library.language](library, folder);
  }, INSTALL_WITHIN_MS);

  shareRelay(async (relay) => {
    engine = await FakeEngine.start();
    node = await startClientNode(relay, engine);
    client = ClientProgram.start(command, relay, { env: { PYTHONDONTWRITEBYTECODE: '1', PYTHONPATH: folder } });
  });

  afterAll(async () => {
    await node.stop();
    await engine.stop();
    // Last: it is not there when its program could not be made.
    await client.stop();
  }, 60_000);

  /** A case that the library has not is no test. */
  const test = (name: CaseName, title: string, body: () => Promise<void>): void => {
    if (lacks[name] === undefined) it(title, body, 60_000);
  };

  const hello = { model: 'tiny', prompt: 'Hello' };

  test('chat', 'gets an answer', async () => {
    expect(await client.result({ case: 'chat', ...hello })).toMatchObject({ text: 'Hello! How can I help you today?' });
  });

  test('stream', 'streams an answer in pieces', async () => {
    const { text, pieces } = await client.result({ case: 'stream', model: 'tiny', prompt: 'Count to 8' });
    expect(text).toBe('1, 2, 3, 4, 5, 6, 7, 8');
    expect(pieces).toBeGreaterThan(3);
  });

  test('tools', 'calls a tool and continues with its result', async () => {
    const { asked, text } = await client.result({
      case: 'tools',
      model: 'tiny',
      prompt: 'What is the weather in Paris?',
    });
    expect(asked).toEqual(['Paris']);
    expect(text).toMatch(/\w/);
  });

  test('structured', 'gets an object that follows a schema', async () => {
    const { city } = await client.result({ case: 'structured', model: 'tiny', prompt: 'Give me a city as JSON.' });
    expect(['Oslo', 'Paris']).toContain(city);
  });

  test('reasoning', 'gets reasoning apart from the text', async () => {
    const answer = await client.result({ case: 'reasoning', model: 'tiny', prompt: 'Hello /think' });
    expect(answer['reasoning']).toMatch(/\w/);
    expect(answer['text']).not.toContain('<think>');
  });

  test('usage', 'gets the usage', async () => {
    const { usage } = await client.result({ case: 'usage', ...hello });
    const { input, output } = usage as { input: number; output: number };
    expect(input).toBeGreaterThan(0);
    expect(output).toBeGreaterThan(0);
  });

  test('error', 'says in its error that there is no such model', async () => {
    const { message } = await client.failure({ case: 'error', ...hello, model: 'absent' });
    expect(message).toContain("There is no model 'absent'.");
  });

  test('cancel', 'ends the work of the engine when it leaves a stream', async () => {
    const arrived = engine.nextCall();
    engine.answer = neverEnding;
    await client.result({ case: 'cancel', model: 'fake', prompt: 'hi' });
    await (
      await arrived
    ).aborted;
  });
});
