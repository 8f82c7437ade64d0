/** How models and engines are named in commands that change something. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CommandLine } from '../../../../test/support/cli/command-line.js';

const JOB = `op_${'1'.repeat(32)}`;
const job = {
  id: JOB,
  kind: 'load',
  node_name: 'desk',
  engine: null,
  model: 'qwen3:8b',
  source: null,
  state: 'queued',
};

let line: CommandLine;
beforeEach(async () => {
  line = await CommandLine.start();
});
afterEach(() => line.stop());

const OPERATIONS = 'POST /api/operations';
const bodies = (): Record<string, unknown>[] =>
  line.received
    .filter(({ route }) => route === OPERATIONS)
    .map(({ body }) => JSON.parse(body) as Record<string, unknown>);

describe('a model that is loaded, unloaded or removed', () => {
  beforeEach(() => {
    line.handle(OPERATIONS, (_request, response, body) => {
      const { model } = JSON.parse(body) as { model: string };
      const isKnown = model === 'mdl_1';
      response
        .writeHead(isKnown ? 202 : 404, { 'content-type': 'application/json' })
        .end(JSON.stringify(isKnown ? job : { code: 'model_not_found', detail: `"${model}" is not installed there.` }));
    });
    line.list(
      'GET /api/models',
      { id: 'qwen3:8b', selector: 'mdl_1', display_name: 'Qwen3 8B' },
      { id: 'gemma3:4b', selector: 'mdl_2', display_name: 'gemma3:4b' },
    );
  });

  it.each(['qwen', 'QWEN3:8B', '8b'])(
    'a model that is loaded, unloaded or removed is named by a part, in any case: %s',
    async (name) => {
      expect(await line.ferry(`models load ${name} --detach`)).toMatchObject({ code: 0, stdout: `${JOB}\n` });
      expect(bodies().map(({ model }) => model)).toEqual([name, 'mdl_1']);
    },
  );

  it('a model that is loaded, unloaded or removed is not guessed between several', async () => {
    expect(await line.ferry('models load 3 --detach')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('several models match "3": qwen3:8b, gemma3:4b'),
    });
  });

  it('a model that is loaded, unloaded or removed is named as a whole when it is removed', async () => {
    expect(await line.ferry('models remove qwen --yes --detach')).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('Did you mean qwen3:8b?'),
    });
    expect((await line.ferry('models remove QWEN3:8B --yes --detach')).code).toBe(0);
  });

  it('a model that is loaded, unloaded or removed is not asked for again where it is, but not there', async () => {
    expect(await line.ferry('models load gemma3:4b --detach')).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('is not installed there'),
    });
    expect(bodies()).toHaveLength(1);
  });
});

describe('an engine', () => {
  const engines = [
    { name: 'llamacpp', kind: 'llamacpp' },
    { name: 'ollama-11434', kind: 'ollama' },
  ];
  beforeEach(() => {
    line.list('GET /api/nodes', { node_id: 'nd_1', name: 'desk', engines });
    line.respond(OPERATIONS, job, 202);
  });

  it.each([
    ['ollama', 'ollama-11434'],
    ['OLLAMA', 'ollama-11434'],
    ['11434', 'ollama-11434'],
    ['built-in', 'llamacpp'],
  ])('an engine may be called %s', async (given, name) => {
    expect((await line.ferry(`models install qwen3:8b --detach --engine ${given}`)).code).toBe(0);
    expect(bodies()).toMatchObject([{ engine: name }]);
  });

  it.each([
    ['vllm', 'ferry node doctor'],
    ['olama', 'Did you mean ollama?'],
  ])('an engine that no computer has, such as %s, is refused before anything begins', async (given, hint) => {
    const { code, stderr } = await line.ferry(`models install qwen3:8b --detach --engine ${given}`);
    expect({ code, begun: bodies() }).toEqual({ code: 5, begun: [] });
    expect(stderr).toContain(`no computer has an engine "${given}"; there is llamacpp, ollama-11434`);
    expect(stderr).toContain(hint);
  });
});
