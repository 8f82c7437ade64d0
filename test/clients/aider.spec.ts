/** aider, a program for the terminal that edits files, through one turn each without a person at it. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/clock/eventually.js';
import { cutMidway, neverEnding, startClientNode } from '../support/client/client-node.js';
import { FakeEngine } from '../support/engine/fake-engine.js';
import { FerryProcess } from '../support/process/ferry-process.js';
import { shareRelay } from '../support/process/shared-deployment.js';
import type { Tenant } from '../support/process/tenant.js';
import type { TestNode } from '../support/process/test-node.js';
import { INSTALL_WITHIN_MS, pythonWith } from './client-command.js';

/** It loads thousands of modules and then tries the network before it asks. */
const TURN_MS = 240_000;

const edited = `hello.py
\`\`\`python
def hello():
    return "changed by the engine"
\`\`\`
`;

describe('aider', () => {
  let relay: Tenant;
  let engine: FakeEngine;
  let node: TestNode;
  let program: string;
  let project: string;
  let aider: FerryProcess | undefined;

  shareRelay(async (shared) => {
    relay = shared;
    engine = await FakeEngine.start();
    node = await startClientNode(relay, engine);
  });

  beforeAll(async () => {
    const python = await pythonWith(path.join(import.meta.dirname, 'aider/requirements.txt'));
    program = path.join(path.dirname(python), 'aider');
  }, INSTALL_WITHIN_MS);

  beforeEach(async () => {
    project = await mkdtemp(path.join(tmpdir(), 'ferry-aider-'));
    await writeFile(path.join(project, 'hello.py'), 'def hello():\n    return "hello"\n');
  });

  afterEach(async () => {
    if (aider?.running === true) aider.child.kill('SIGKILL');
    await aider?.exited;
    aider = undefined;
    await rm(project, { recursive: true, force: true });
  });

  afterAll(async () => {
    await node.stop();
    await engine.stop();
  }, 60_000);

  /** The settings of the page, and what keeps it from asking a person, from its own services and from wrapping its lines. */
  function start(model: string, message: string): FerryProcess {
    const quiet = ['--no-check-update', '--no-show-release-notes', '--no-show-model-warnings', '--analytics-disable'];
    const alone = ['--no-git', '--yes-always', '--no-pretty', '--no-fancy-input', '--no-detect-urls'];
    const args = ['--model', `openai/${model}`, '--edit-format', 'whole', ...quiet, ...alone, '--message', message];
    aider = FerryProcess.startProgram(program, [...args, 'hello.py'], project, {
      OPENAI_API_BASE: `${relay.baseUrl}/v1`,
      OPENAI_API_KEY: relay.apiKey,
      HOME: project,
      COLUMNS: '500',
      LITELLM_LOCAL_MODEL_COST_MAP: 'True',
    });
    return aider;
  }

  /** @returns what it printed */
  async function turn(model: string, message: string): Promise<string> {
    const { exited, stdout } = await ended(start(model, message));
    expect(exited).toBe(0);
    return stdout;
  }

  const ended = async (run: FerryProcess): Promise<{ exited: number | NodeJS.Signals; stdout: string }> => ({
    exited: await run.exited,
    stdout: run.stdout,
  });

  const printed = (run: FerryProcess, words: string): Promise<unknown> =>
    eventually(`aider prints: ${words}`, () => run.stdout.includes(words), TURN_MS / 2);

  it(
    'finishes a turn with the built-in model, and shows the usage',
    async () => {
      expect(await turn('tiny', 'Hello')).toMatch(/Tokens: [\d.k]+ sent, [\d.k]+ received/);
    },
    TURN_MS,
  );

  it(
    'streams an answer, shows its reasoning and edits the file as it says',
    async () => {
      engine.respond = (call) => {
        expect(call.streaming).toBe(true);
        call.startStream();
        call.chunk({ reasoning_content: 'The text must change.' });
        for (const chunk of edited.match(/.{1,7}/gs) ?? []) call.chunk({ content: chunk });
        call.finish();
      };
      const stdout = await turn('fake', 'Change the text.');
      expect(stdout).toContain('THINKING');
      expect(stdout).toContain('The text must change.');
      expect(stdout).toContain('Applied edit to hello.py');
      expect(await readFile(path.join(project, 'hello.py'), 'utf8')).toContain('changed by the engine');
    },
    TURN_MS,
  );

  it(
    'says in its error that there is no such model',
    async () => {
      const { stdout } = await ended(start('absent', 'Hello'));
      expect(stdout).toContain("There is no model 'absent'.");
    },
    TURN_MS,
  );

  it(
    'says why a stream failed midway, and edits nothing',
    async () => {
      engine.respond = cutMidway('the graphics card has run out of memory');
      // It tries again for a minute.
      await printed(start('fake', 'Change the text.'), 'the graphics card has run out of memory');
      expect(await readFile(path.join(project, 'hello.py'), 'utf8')).toContain('return "hello"');
    },
    TURN_MS,
  );

  it(
    'ends the work of the engine when a person interrupts it',
    async () => {
      const arrived = engine.nextCall();
      engine.respond = neverEnding;
      const run = start('fake', 'Change the text.');
      await printed(run, 'word word');
      run.child.kill('SIGINT');
      await (
        await arrived
      ).aborted;
    },
    TURN_MS,
  );
});
