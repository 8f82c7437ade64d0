/**
 * Qwen Code as `ferry connect qwen` sets it up, through a whole turn: it is asked, calls a tool, and ends with the response to its result. The engine
 * is scripted: `tiny` seldom calls the tool that it should.
 */
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { FakeEngine, type FakeCall } from '../support/engine/fake-engine.js';
import { ferry, FerryProcess } from '../support/process/ferry-process.js';
import { shareRelay } from '../support/process/shared-deployment.js';
import type { Tenant } from '../support/process/tenant.js';
import { TestNode } from '../support/process/test-node.js';
import { installAgent, type AgentProgram } from './installed-agents.js';

const INSTALL_MS = 300_000;
const TURN_MS = 240_000;

interface Message {
  readonly role: string;
  readonly content?: unknown;
}

interface AgentEvent {
  readonly type?: string;
  readonly is_error?: boolean;
  readonly result?: string;
}

const messagesOf = (call: FakeCall): readonly Message[] => call.body['messages'] as readonly Message[];

describe('Qwen Code, connected by `ferry connect`', () => {
  let relay: Tenant;
  let engine: FakeEngine;
  let node: TestNode;
  let home: string;
  let agent: AgentProgram;

  shareRelay(async (shared) => {
    relay = shared;
    engine = await FakeEngine.start();
    node = await TestNode.start(relay, {
      engines: [{ kind: 'openai-compatible', base_url: engine.url, slots: 4 }],
    });
    home = await mkdtemp(path.join(tmpdir(), 'ferry-qwen-'));
    await mkdir(path.join(home, 'project'));
  });

  beforeAll(() => {
    agent = installAgent('qwen');
  }, INSTALL_MS);

  afterAll(async () => {
    await node.stop();
    await engine.stop();
    await rm(home, { recursive: true, force: true });
  }, 60_000);

  const environment = () => ({
    HOME: home,
    FERRY_DATA_DIR: relay.dataDirectory,
    FERRY_CONFIG_DIR: path.join(home, 'ferry'),
    XDG_CONFIG_HOME: undefined,
    QWEN_HOME: undefined,
    OPENAI_API_KEY: undefined,
    OPENAI_BASE_URL: undefined,
  });

  /** @returns the events that it printed */
  async function run(
    prompt: string,
  ): Promise<{ readonly code: number | NodeJS.Signals; readonly events: readonly AgentEvent[] }> {
    const words = ['--yolo', '--output-format', 'stream-json', prompt];
    const child = FerryProcess.startProgram(
      agent.program,
      [...agent.args, ...words],
      path.join(home, 'project'),
      environment(),
    );
    const limit = setTimeout(() => child.child.kill('SIGKILL'), TURN_MS);
    const code = await child.exited;
    clearTimeout(limit);
    const lines = child.stdout.split('\n').filter((line) => line.startsWith('{'));
    if (lines.length === 0) throw new Error(`it printed nothing: ${child.ending}`);
    return { code, events: lines.map((line) => JSON.parse(line) as AgentEvent) };
  }

  it(
    'finishes a turn in which it calls a tool',
    async () => {
      const connected = await ferry(['connect', 'qwen', '--model', 'fake', '--yes', '--default'], environment());
      expect({ code: connected.code, stderr: connected.code === 0 ? '' : connected.stderr }).toEqual({
        code: 0,
        stderr: '',
      });
      const file = path.join(home, 'project', 'made.txt');
      const asked: FakeCall[] = [];
      engine.respond = (call) => {
        asked.push(call);
        call.startStream();
        // It also asks without tools, such as for a title.
        if (call.body['tools'] === undefined || messagesOf(call).some(({ role }) => role === 'tool')) {
          call.chunk({ content: 'The file is written.' });
          call.finish();
          return;
        }
        const written = JSON.stringify({ file_path: file, content: 'by the engine' });
        const write = { name: 'write_file', arguments: written };
        call.chunk({ tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: write }] });
        call.finish('tool_calls');
      };
      const { code, events } = await run('Write the file made.txt.');
      expect({ code, last: events.at(-1) }).toMatchObject({
        code: 0,
        last: { type: 'result', is_error: false, result: 'The file is written.' },
      });
      expect(await readFile(file, 'utf8')).toBe('by the engine');
      const afterTool = asked.map(messagesOf).find((messages) => messages.some(({ role }) => role === 'tool'));
      expect(JSON.stringify(afterTool)).toContain('made.txt');
    },
    TURN_MS * 2,
  );

  it(
    'shows the words of a failure',
    async () => {
      engine.respond = (call) => call.json(400, { error: { message: 'this engine refuses it', code: 'refused' } });
      const { events } = await run('Hello');
      expect(JSON.stringify(events)).toContain('this engine refuses it');
    },
    TURN_MS * 2,
  );
});
