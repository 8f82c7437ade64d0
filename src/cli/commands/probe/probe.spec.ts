import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CommandLine } from '../../../../test/support/cli/command-line.js';
import { probeShape } from './probe.shape.js';

let line: CommandLine;

beforeEach(async () => {
  line = await CommandLine.start();
});

afterEach(() => line.stop());

const probe = (words = '') => line.ferry(`probe --once --json --key k${words}`);

const models = (...loaded: string[]): void => {
  line.respond('GET /v1/models', {
    object: 'list',
    data: [...loaded.map((id) => ({ id, loaded: true })), { id: 'installed', loaded: false }],
  });
};

/** Answers with one token, except for the model `broken`. */
function serveChat(): void {
  line.handle('POST /v1/chat/completions', (_request, response, body) => {
    if (body.includes('"broken"')) {
      response
        .writeHead(503, { 'content-type': 'application/json', 'x-request-id': 'req_2' })
        .end('{"error":{"code":"engine_error","message":"out of memory"},"request_id":"req_2"}');
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream', 'x-request-id': 'req_1' });
    response.end('data: {"choices":[{"delta":{"content":"Hi"},"finish_reason":"length"}]}\n\ndata: [DONE]\n\n');
  });
}

describe('ferry probe --once', () => {
  it('asks every loaded model for one token, and no other', async () => {
    models('one', 'two');
    serveChat();
    const { code, stdout } = await probe();
    expect(code).toBe(0);
    probeShape.parse(JSON.parse(stdout));
    expect(JSON.parse(stdout)).toMatchObject({
      object: 'probe',
      up: true,
      models: [
        { model: 'one', up: true, first_token_ms: expect.any(Number), error: null, request_id: 'req_1' },
        { model: 'two', up: true },
      ],
    });
    const asked = line.received.filter(({ route }) => route.startsWith('POST')).map(({ body }) => body);
    expect(asked).toHaveLength(2);
    for (const body of asked) expect(JSON.parse(body)).toMatchObject({ max_tokens: 1, stream: true });
  });

  it('ends with 1 when a model fails, and says why', async () => {
    models('one', 'broken');
    serveChat();
    const { code, stdout } = await probe();
    expect(code).toBe(1);
    const error = { code: 'engine_error', message: 'out of memory' };
    expect(JSON.parse(stdout)).toMatchObject({
      up: false,
      models: [{ up: true }, { model: 'broken', up: false, first_token_ms: null, error, last_error: error }],
    });
  });

  it('counts an answer that does not end in time as down', async () => {
    models('one');
    line.handle('POST /v1/chat/completions', (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {"choices":[{"delta":{"content":"Hi"}}]}\n\n');
    });
    const { code, stdout } = await probe(' --timeout 1');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ models: [{ up: false, error: { code: 'timeout' } }] });
  });

  it('ends with 6 when no model is loaded', async () => {
    models();
    expect((await probe()).code).toBe(6);
  });
});

describe('ferry probe', () => {
  it('prints a line for every round, also while no model is loaded, until it is stopped', async () => {
    const rounds = [() => models(), () => models('one'), () => line.respond('GET /v1/models', {}, 503)];
    serveChat();
    rounds[0]?.();
    let asked = 0;
    const next = setInterval(() => {
      const seen = line.received.filter(({ route }) => route === 'GET /v1/models').length;
      if (seen === asked) return;
      asked = seen;
      rounds[asked]?.();
      if (asked === rounds.length) process.emit('SIGINT');
    }, 20);
    const { stdout } = await line.ferry('probe --json --key k --interval 1');
    clearInterval(next);
    const printed = stdout
      .trimEnd()
      .split('\n')
      .map((text) => probeShape.parse(JSON.parse(text)));
    expect(printed.slice(0, 2)).toMatchObject([
      { up: false, models: [], error: { code: 'no_model_loaded' } },
      { up: true, models: [{ model: 'one' }], error: null },
    ]);
  }, 20_000);
});
