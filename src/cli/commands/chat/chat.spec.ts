/** One answer of `ferry chat`, against a small server that streams. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CommandLine } from '../../../../test/support/cli/command-line.js';
import { createTerminal } from '../../core/output/terminal.js';
import { ask } from './ask.js';
import { chatResponseShape } from './chat-response.shape.js';
import { InferenceClient } from './inference-client.js';

let line: CommandLine;
beforeEach(async () => {
  line = await CommandLine.start();
});
afterEach(() => line.stop());

const delta = (fields: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ model: 'tiny', choices: [{ index: 0, delta: fields, finish_reason: finish }] })}\n\n`;
const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };

const stream = (...events: string[]): void => {
  line.handle('POST /v1/chat/completions', (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'x-request-id': 'req_1' });
    for (const event of events) response.write(event);
    response.end();
  });
};
const whole = [
  delta({ reasoning_content: 'hm' }),
  delta({ content: 'Hello' }),
  delta({ content: ' world' }, 'stop'),
  `data: ${JSON.stringify({ choices: [], usage })}\n\n`,
  'data: [DONE]\n\n',
];

const chat = (words: string, env: Record<string, string> = {}) =>
  line.ferry(`chat ${words}`, { FERRY_API_KEY: 'sk-ferry-x', ...env });

describe('ferry chat with a prompt', () => {
  it('prints only the answer on stdout, and uses the API key', async () => {
    stream(...whole);
    const { code, stdout, stderr } = await chat('-m tiny say hello');
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: 'Hello world\n', stderr: '' });
    expect(line.received[0]).toMatchObject({ authorization: 'Bearer sk-ferry-x' });
    expect(JSON.parse(line.received[0]?.body ?? '')).toMatchObject({
      model: 'tiny',
      stream: true,
      messages: [{ role: 'user', content: 'say hello' }],
    });
  });

  it('shows reasoning only when asked, and beside the answer', async () => {
    stream(...whole);
    const { stdout, stderr } = await chat('-m tiny --reasoning hi');
    expect({ stdout, stderr }).toEqual({ stdout: 'Hello world\n', stderr: 'hm\n' });
  });

  it('prints one JSON document with --json', async () => {
    stream(...whole);
    const { stdout } = await chat('-m tiny hi --json');
    expect(chatResponseShape.parse(JSON.parse(stdout))).toEqual({
      object: 'chat.answer',
      model: 'tiny',
      content: 'Hello world',
      reasoning: null,
      finish_reason: 'stop',
      cancelled: false,
      usage,
      request_id: 'req_1',
    });
  });

  it('uses the only loaded model, and requires a choice between several', async () => {
    stream(...whole);
    line.list('GET /v1/models', { id: 'tiny', loaded: true }, { id: 'big', loaded: false });
    expect((await chat('hi')).code).toBe(0);
    line.list('GET /v1/models', { id: 'tiny', loaded: true }, { id: 'big', loaded: true });
    expect(await chat('hi')).toMatchObject({ code: 2, stderr: expect.stringContaining('-m MODEL') });
    line.list('GET /v1/models');
    expect((await chat('hi')).code).toBe(6);
  });

  it('takes a part of the name of a model, and suggests one where none has it', async () => {
    const asked: string[] = [];
    line.handle('POST /v1/chat/completions', (_request, response, body) => {
      const { model } = JSON.parse(body) as { model: string };
      asked.push(model);
      if (model === 'qwen3:8b') response.writeHead(200, { 'content-type': 'text/event-stream' }).end(whole.join(''));
      else response.writeHead(404).end('{"error":{"message":"No such model.","code":"model_not_found"}}');
    });
    line.list('GET /v1/models', { id: 'qwen3:8b', loaded: true }, { id: 'gemma3:4b', loaded: true });
    expect(await chat('-m qwen hi')).toMatchObject({ code: 0, stdout: 'Hello world\n' });
    expect(asked).toEqual(['qwen', 'qwen3:8b']);
    expect(await chat('-m qwne3:8b hi')).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('Did you mean qwen3:8b?'),
    });
    expect(await chat('-m 3: hi')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('several models match "3:": qwen3:8b, gemma3:4b'),
    });
  });

  it('takes a cluster by its name', async () => {
    const clusters: (string | string[] | undefined)[] = [];
    line.handle('POST /v1/chat/completions', (request, response) => {
      clusters.push(request.headers['x-cluster-id']);
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(whole.join(''));
    });
    line.list('GET /api/clusters', { cluster_id: 'cl_1', name: 'home' }, { cluster_id: 'cl_2', name: 'lab' });
    for (const given of ['home', 'LA', 'cl_2']) {
      expect((await chat(`-m tiny --cluster ${given} hi`)).code).toBe(0);
    }
    expect(clusters).toEqual(['cl_1', 'cl_2', 'cl_2']);
    expect(await chat('-m tiny --cluster labb hi')).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('Did you mean lab?'),
    });
  });

  it('reports a truncated answer as a failure', async () => {
    stream(delta({ content: 'Hel' }));
    const broken = await chat('-m tiny hi');
    expect(broken).toMatchObject({ code: 1, stdout: 'Hel\n' });
    expect(broken.stderr).toContain('broke off');
    stream(delta({ content: 'Hel' }), 'data: {"error":{"message":"The node left.","code":"node_disconnected"}}\n\n');
    expect((await chat('-m tiny hi')).stderr).toContain('The node left.');
  });

  it('maps failures to exit codes', async () => {
    const refuse = (status: number, body: string): void => {
      line.handle('POST /v1/chat/completions', (_request, response) => void response.writeHead(status).end(body));
    };
    refuse(401, 'missing_or_malformed_credential');
    expect(await chat('-m tiny hi')).toMatchObject({
      code: 4,
      // The body is a word for programs.
      stderr: expect.stringMatching(
        /^error: the relay at \S+ does not accept this API key\n {2}try: another one with --key/,
      ),
    });
    refuse(404, '{"error":{"message":"No such model.","code":"model_not_found"}}');
    expect(await chat('-m nope hi')).toMatchObject({ code: 5, stderr: expect.stringContaining('No such model.') });
    refuse(503, 'no node for user');
    expect((await chat('-m tiny hi')).code).toBe(6);
    expect((await chat('hi', { FERRY_BASE_URL: 'http://127.0.0.1:9' })).code).toBe(3);
    expect(await chat('hi', { FERRY_API_KEY: '' })).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('ferry keys create NAME --save'),
    });
  });
});

it('says what is wrong where something else than a relay answers', async () => {
  line.handle('GET /v1/models', (_request, response) => void response.writeHead(200).end('<html>a router</html>'));
  expect(await chat('hi')).toMatchObject({
    code: 1,
    stderr: `error: ${line.baseUrl} did not answer like a Ferry relay\n  try: check --base-url and FERRY_BASE_URL\n`,
  });
});

describe('an answer that is cancelled', () => {
  it('prints the partial answer, and exits 0', async () => {
    line.handle('POST /v1/chat/completions', (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(delta({ content: 'Hel' }));
    });
    const stop = new AbortController();
    let shown = '';
    const stdout = {
      write: (text: string) => {
        shown += text;
        stop.abort();
      },
    };
    const terminal = createTerminal(stdout, { write: () => true }, {});
    const global = {
      baseUrl: undefined,
      token: undefined,
      profile: undefined,
      dataDir: undefined,
      output: 'table',
      wide: false,
    } as const;
    const response = await ask(
      { terminal, env: {}, global },
      new InferenceClient({ baseUrl: line.baseUrl, apiKey: 'sk-ferry-x' }),
      { model: 'tiny', messages: [], maxTokens: undefined, clusterId: undefined },
      { reasoning: false, signal: stop.signal },
    );
    expect(response).toMatchObject({ cancelled: true, content: 'Hel', finish_reason: null });
    expect(shown).toBe('Hel\n');
  });
});
