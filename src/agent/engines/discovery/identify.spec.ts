import { describe, expect, it } from '@jest/globals';
import { identify, problemOf, type Get } from './identify.js';

const list = (...models: object[]) => JSON.stringify({ object: 'list', data: models });

/** A server with these JSON answers, 404 for everything else. */
const server = (responses: Record<string, string>): { get: Get; asked: string[] } => {
  const asked: string[] = [];
  const get: Get = (path) => {
    asked.push(path);
    const text = responses[path];
    return Promise.resolve({
      status: text === undefined ? 404 : 200,
      server: '',
      text: text ?? '{"error":"not found"}',
    });
  };
  return { get, asked };
};
const failing =
  (error: Partial<NodeJS.ErrnoException>): Get =>
  () =>
    Promise.reject(Object.assign(new Error('no'), error));
const responding =
  (status: number, text = ''): Get =>
  () =>
    Promise.resolve({ status, server: '', text });

describe('an address', () => {
  it.each<[string, Record<string, string>, object]>([
    [
      'Ollama',
      { '/v1/models': list({ id: 'a' }), '/api/version': '{"version":"0.33.0"}' },
      { kind: 'ollama', version: '0.33.0', models: 1 },
    ],
    [
      'Ollama without a model',
      { '/v1/models': '{"object":"list","data":null}', '/api/version': '{"version":"0.33.0"}' },
      { kind: 'ollama', models: 0 },
    ],
    [
      'llama-swap, which answers /api/version, too',
      {
        '/v1/models': list({ id: 'a', owned_by: 'llama-swap' }),
        '/api/version': '{"build_date":"unknown","commit":"abcd1234","version":"0"}',
        '/running': '{"running":[{"model":"a","state":"ready"}]}',
      },
      { kind: 'llama-swap' },
    ],
    [
      'a server with a version in another shape than that of Ollama',
      { '/v1/models': list({ id: 'a' }), '/api/version': '{"version":"0.33.0","commit":"a"}' },
      { kind: 'openai-compatible' },
    ],
    ['vLLM', { '/v1/models': list({ id: 'a' }), '/version': '{"version":"0.19"}' }, { kind: 'vllm', version: '0.19' }],
    ['SGLang', { '/v1/models': list({ id: 'a', owned_by: 'sglang' }) }, { kind: 'sglang' }],
    ['an engine that nobody knows', { '/v1/models': list({ id: 'a' }) }, { kind: 'openai-compatible', version: null }],
  ])('an address with %s is recognised with GETs only', async (_, responses, expected) => {
    expect(await identify(server(responses).get)).toMatchObject({ seen: 'engine', ...expected });
  });

  it('an address is not asked for anything that may cost an inference', async () => {
    const { get, asked } = server({ '/v1/models': list({ id: 'gpt-5', owned_by: 'openai' }) });
    expect(await identify(get)).toMatchObject({ kind: 'openai-compatible' });
    expect(asked.length).toBeGreaterThan(5);
    expect(asked.filter((path) => path.startsWith('/health'))).toEqual([]);
  });

  it('an address with another service gets one request only', async () => {
    const { get, asked } = server({ '/': '<html>' });
    expect(await identify(get)).toMatchObject({ seen: 'other' });
    expect(asked).toEqual(['/v1/models']);
  });

  it.each<[string, Get, object]>([
    [
      'a relay, which lists its clusters',
      server({ '/v1/models': list({ id: 'a', clusters: [] }) }).get,
      { seen: 'other', what: 'is a Ferry relay' },
    ],
    ['a relay or an engine that wants a key', responding(401), { seen: 'other', what: 'requires a credential (401)' }],
    ['a web page', responding(200, '<html>'), { seen: 'other' }],
    ['an engine that still loads', responding(503), { seen: 'starting' }],
    ['nothing', failing({ code: 'ECONNREFUSED' }), { seen: 'nothing' }],
    ['nobody who answers', failing({ name: 'TimeoutError' }), { seen: 'silent' }],
    ['nobody who opens', failing({ name: 'ConnectTimeoutError', code: 'UND_ERR_CONNECT_TIMEOUT' }), { seen: 'silent' }],
  ])('an address with %s is no engine', async (_, get, expected) => {
    expect(await identify(get)).toMatchObject(expected);
    expect(await problemOf(get)).toMatchObject(expected);
  });

  it('an address of an engine that stops responding during the probe is not classified as unknown', async () => {
    const { get } = server({ '/v1/models': list({ id: 'a' }) });
    const dying: Get = (path) => (path === '/v1/models' ? get(path) : failing({ name: 'TimeoutError' })(path));
    expect(await identify(dying)).toEqual({ seen: 'silent' });
  });
});
