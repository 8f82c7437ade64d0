/** Downloads from a web server that does what web servers do: redirects, breaks off, changes its mind, has nothing. */
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ConnectProxy } from '../../../../../test/support/network/connect-proxy.js';
import { Loopback } from '../../../../../test/support/network/loopback.js';
import { OperationFailure, type OperationProgress } from '../../engine-management.js';
import { ModelInstaller, type ModelInstallerOptions } from './model-installer.js';

const file = Buffer.concat([Buffer.from('GGUF'), randomBytes(300_000)]);
const digestOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const plenty = 10 ** 12;

let directory: string;
let server: Loopback;
let requests: { method: string; url: string; range: string | undefined; authorization: string | undefined }[];
let result: (request: IncomingMessage, response: ServerResponse) => void;
let reports: OperationProgress[];
let ready: string[];

beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'ferry-install-'));
  requests = [];
  reports = [];
  ready = [];
  result = serving(file, '"v1"');
  server = await Loopback.start((request, response) => {
    const { method = '', url = '', headers } = request;
    requests.push({ method, url, range: headers.range, authorization: headers.authorization });
    result(request, response);
  });
});

afterEach(async () => {
  await server.close();
  await rm(directory, { recursive: true });
});

/** As a file server does it: ranges, and the whole file where If-Range does not fit. @param stopAfter bytes; then nothing more comes */
function serving(bytes: Buffer, etag: string | null, stopAfter = Infinity) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    const { range, 'if-range': ifRange } = request.headers;
    const from = Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0);
    const isPartial = from > 0 && (ifRange === undefined || ifRange === etag);
    if (isPartial && from >= bytes.length) {
      response.writeHead(416, { 'content-range': `bytes */${bytes.length}` }).end();
      return;
    }
    const body = isPartial ? bytes.subarray(from) : bytes;
    response.writeHead(isPartial ? 206 : 200, {
      'content-length': body.length,
      ...(etag !== null && { etag }),
      ...(isPartial && { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` }),
    });
    if (request.method === 'HEAD') response.end();
    else if (body.length <= stopAfter) response.end(body);
    else response.write(body.subarray(0, stopAfter));
  };
}

const installer = (options: Partial<ModelInstallerOptions> = {}): ModelInstaller =>
  new ModelInstaller({
    directory,
    env: {},
    userAgent: 'ferry-node/test',
    installSources: 'private',
    maxModelBytes: plenty,
    freeDiskBytes: () => Promise.resolve(plenty),
    retryBackoff: { baseMs: 1, maxMs: 1 },
    inspect: () => Promise.resolve(),
    onReady: (name) => {
      ready.push(name);
      return Promise.resolve();
    },
    ...options,
  });

const install = (source: string, options: Partial<ModelInstallerOptions> = {}, signal = new AbortController().signal) =>
  installer(options).install(source, { signal, report: (progress) => reports.push(progress) }, () => false);

async function failure(work: Promise<unknown>): Promise<OperationFailure> {
  const error: unknown = await work.then(
    () => 'it went well',
    (reason: unknown) => reason,
  );
  if (error instanceof OperationFailure) return error;
  throw error instanceof Error ? error : new Error(String(error));
}

const installed = (name = 'x.gguf') => readFile(path.join(directory, name));
const address = (name = 'x.gguf') => `${server.url}/models/${name}`;
/** As a computer that lost its power leaves it. */
async function leftOver(bytes: Buffer, sidecar: object): Promise<void> {
  await writeFile(path.join(directory, 'x.gguf.part'), bytes);
  await writeFile(path.join(directory, 'x.gguf.part.json'), JSON.stringify(sidecar));
}

describe('installing a model', () => {
  it('downloads the file, counting bytes, and leaves nothing else behind', async () => {
    expect(await install(address('Some-Model-Q4_K_M.gguf'))).toBe('Some-Model-Q4_K_M');
    expect(await installed('Some-Model-Q4_K_M.gguf')).toEqual(file);
    expect(await readdir(directory)).toEqual(['Some-Model-Q4_K_M.gguf']);
    expect(ready).toEqual(['Some-Model-Q4_K_M']);
    expect(reports.at(-1)).toEqual({
      phase: 'downloading',
      completedBytes: file.length,
      totalBytes: file.length,
    });
  });

  it('resumes after broken connections as long as bytes arrive', async () => {
    let current: ServerResponse | undefined;
    result = (request, response) => {
      current = response;
      serving(file, '"v1"', 40_000)(request, response);
    };
    const report = (progress: OperationProgress): void => {
      reports.push(progress);
      if ((progress.completedBytes ?? 0) % 40_000 === 0) current?.destroy();
    };
    await installer().install(address(), { signal: new AbortController().signal, report }, () => false);
    expect(await installed()).toEqual(file);
    expect(requests.map(({ range }) => range).slice(0, 3)).toEqual([undefined, 'bytes=40000-', 'bytes=80000-']);
    expect(reports.some(({ phase }) => phase === 'waiting for the network')).toBe(true);
  });

  it('resumes the download of an earlier process', async () => {
    const source = address();
    await leftOver(file.subarray(0, 100_000), { source, etag: '"v1"', sha256: null, total_bytes: file.length });
    await install(source);
    expect(await installed()).toEqual(file);
    expect(requests).toEqual([expect.objectContaining({ method: 'GET', range: 'bytes=100000-' })]);
  });

  it('starts over when the remote file has changed', async () => {
    const source = address();
    const old = Buffer.concat([Buffer.from('GGUF'), Buffer.alloc(100_000, 1)]);
    await leftOver(old, { source, etag: '"v0"', sha256: null, total_bytes: 200_000 });
    await install(source);
    expect(await installed()).toEqual(file);
  });

  it('starts over when the file has no validator', async () => {
    const source = address();
    result = serving(file, null);
    await leftOver(file.subarray(0, 100_000), { source, etag: null, sha256: null, total_bytes: file.length });
    await install(source);
    expect(requests.map(({ range }) => range)).toEqual([undefined]);
    expect(await installed()).toEqual(file);
  });

  it('installing a model does not resume a download from another source', async () => {
    await leftOver(file.subarray(0, 100_000), { source: 'elsewhere', etag: '"v1"', sha256: null, total_bytes: null });
    await install(address());
    expect(requests.map(({ range }) => range)).toEqual([undefined]);
  });

  it('completes a download that lacks only its last step', async () => {
    const source = address();
    await leftOver(file, { source, etag: '"v1"', sha256: null, total_bytes: null });
    await install(source);
    expect(await installed()).toEqual(file);
  });

  it('discards a file with a wrong digest', async () => {
    const wrong = 'a'.repeat(64);
    const refused = await failure(install(`${address()}#sha256=${wrong}`));
    expect(refused).toMatchObject({ code: 'checksum_mismatch', message: expect.stringContaining(digestOf(file)) });
    expect(await readdir(directory)).toEqual([]);
    expect(await install(`${address()}#sha256=${digestOf(file)}`)).toBe('x');
    expect(reports.at(-1)).toMatchObject({ phase: 'verifying', completedBytes: file.length });
  });

  it('keeps the partial file when it is cancelled', async () => {
    const controller = new AbortController();
    result = (_request, response) => {
      response.writeHead(200, { 'content-length': file.length, etag: '"v1"' });
      response.write(file.subarray(0, 50_000));
    };
    const job = installer().install(
      address(),
      {
        signal: controller.signal,
        report: ({ completedBytes }) => {
          if (completedBytes === 50_000) controller.abort(new Error('cancelled'));
        },
      },
      () => false,
    );
    await expect(job).rejects.toThrow('cancelled');
    expect((await stat(path.join(directory, 'x.gguf.part'))).size).toBe(50_000);
    result = serving(file, '"v1"');
    await install(address());
    expect(requests.at(-1)?.range).toBe('bytes=50000-');
    expect(await installed()).toEqual(file);
  });

  it('gives up on a stalled server, and says how to resume', async () => {
    result = (request, response) => {
      // All that it will ever send, whatever is asked for.
      if (request.headers.range !== undefined) return;
      response.writeHead(200, { 'content-length': file.length, etag: '"v1"' });
      response.write(file.subarray(0, 50_000));
    };
    const stalled = await failure(install(address(), { stallTimeoutMs: 50 }));
    expect(stalled).toMatchObject({ code: 'network', message: expect.stringContaining('install again') });
    expect((await stat(path.join(directory, 'x.gguf.part'))).size).toBe(50_000);
  });

  it('refuses a file without the GGUF magic at its first bytes', async () => {
    result = serving(Buffer.from('<!doctype html>'), '"page"');
    expect(await failure(install(address()))).toMatchObject({ code: 'invalid_source' });
    expect(await readdir(directory)).not.toContain('x.gguf');
  });

  it.each([
    [404, 'unknown_model'],
    [403, 'unknown_model'],
    [400, 'invalid_source'],
    [503, 'network'],
  ])('explains a %i of the server', async (status, code) => {
    result = (_request, response) => response.writeHead(status).end();
    expect(await failure(install(address()))).toMatchObject({ code });
  });

  it('goes through the proxy of the environment', async () => {
    const proxy = await ConnectProxy.start({ '127.0.0.1': server.port });
    try {
      await install(address(), { env: { HTTP_PROXY: `http://${proxy.host}` } });
      expect(proxy.tunnels).toEqual([`127.0.0.1:${server.port}`]);
      await install(address('y.gguf'), { env: { HTTP_PROXY: `http://${proxy.host}`, NO_PROXY: '127.0.0.1' } });
      expect(proxy.tunnels).toHaveLength(1);
      expect(await installed('y.gguf')).toEqual(file);
    } finally {
      await proxy.stop();
    }
  });

  it('reports an unreachable server', async () => {
    expect(await failure(install('http://127.0.0.1:1/x.gguf'))).toMatchObject({ code: 'network' });
  });
});

describe('disk space for a model', () => {
  it('disk space for a model is checked before anything is written', async () => {
    const full = await failure(install(address(), { freeDiskBytes: () => Promise.resolve(file.length) }));
    expect(full).toMatchObject({
      code: 'disk_full',
      message: expect.stringMatching(/300\.0 KB more .* 300\.0 KB are free/),
    });
    expect(await readdir(directory)).toEqual([]);
  });

  it('disk space for a model is limited by the setting', async () => {
    expect(await failure(install(address(), { maxModelBytes: 1_000 }))).toMatchObject({
      code: 'unsupported',
      message: expect.stringContaining('max_model_bytes'),
    });
    result = (_request, response) => {
      // Says nothing of its size.
      response.writeHead(200, { etag: '"v1"' }).end(file);
    };
    expect(await failure(install(address(), { maxModelBytes: 1_000 }))).toMatchObject({ code: 'unsupported' });
  });
});

describe('installing over an existing model', () => {
  it('succeeds when it is the same file, and is refused when it is another one', async () => {
    await install(address());
    expect(await install(`${address()}#sha256=${digestOf(file)}`)).toBe('x');
    expect(requests).toHaveLength(1);
    expect(await failure(install(`${address()}#sha256=${'a'.repeat(64)}`))).toMatchObject({
      code: 'unsupported',
      message: expect.stringContaining('remove it first'),
    });
    expect(await failure(install(address()))).toMatchObject({ code: 'unsupported' });
    expect(await installed()).toEqual(file);
  });

  it('installing over an existing model is refused while the same model is being installed, and when a bundled model has its name', async () => {
    const one = installer();
    const context = { signal: new AbortController().signal, report: () => undefined };
    const first = one.install(address(), context, () => false);
    expect(await failure(one.install(address(), context, () => false))).toMatchObject({ code: 'model_busy' });
    await first;
    expect(await failure(one.install(address('y.gguf'), context, (name) => name === 'y'))).toMatchObject({
      code: 'unsupported',
    });
  });

  it('discards a file that the engine cannot load', async () => {
    const inspect = () => Promise.reject(new OperationFailure('invalid_source', 'no model of its own'));
    expect(await failure(install(address(), { inspect }))).toMatchObject({ message: 'no model of its own' });
    expect(await readdir(directory)).toEqual([]);
    expect(ready).toEqual([]);
  });
});

describe('installing from the hub', () => {
  let store: Loopback;
  let storeRequests: IncomingMessage[];
  const env = () => ({ HF_ENDPOINT: server.url, HF_TOKEN: 'hf_secret' });

  beforeEach(async () => {
    storeRequests = [];
    store = await Loopback.start((request, response) => {
      storeRequests.push(request);
      serving(file, '"an etag of the store"')(request, response);
    });
    result = (_request, response) => {
      const headers = { location: `${store.url}/blob?signature=1`, 'x-linked-etag': `"${digestOf(file)}"` };
      response.writeHead(302, headers).end();
    };
  });

  afterEach(async () => {
    await store.close();
  });

  it('checks the digest from the hub, and sends its token to the hub only', async () => {
    expect(await install('hf:owner/repo/x.gguf', { env: env() })).toBe('x');
    expect(await installed()).toEqual(file);
    expect(requests).toEqual([
      expect.objectContaining({ url: '/owner/repo/resolve/main/x.gguf', authorization: 'Bearer hf_secret' }),
    ]);
    expect(storeRequests.map(({ headers }) => headers.authorization)).toEqual([undefined]);
    expect(reports.at(-1)).toMatchObject({ phase: 'verifying' });
    // The digest is known without a download: it is the same file.
    expect(await install('hf:owner/repo/x.gguf', { env: env() })).toBe('x');
    expect(requests.at(-1)?.method).toBe('HEAD');
    expect(storeRequests.filter(({ method }) => method === 'GET')).toHaveLength(1);
  });

  it('detects a corrupt file', async () => {
    result = (_request, response) => {
      const headers = { location: `${store.url}/blob`, 'x-linked-etag': `"${'b'.repeat(64)}"` };
      response.writeHead(302, headers).end();
    };
    expect(await failure(install('hf:owner/repo/x.gguf', { env: env() }))).toMatchObject({ code: 'checksum_mismatch' });
  });

  it('never follows a redirect to plain http', async () => {
    result = (_request, response) => response.writeHead(302, { location: 'http://example.com/x.gguf' }).end();
    expect(await failure(install('hf:owner/repo/x.gguf', { env: env() }))).toMatchObject({
      code: 'invalid_source',
      message: expect.stringContaining('not https'),
    });
  });

  it('stops at a redirect loop', async () => {
    result = (request, response) => response.writeHead(302, { location: request.url }).end();
    expect(await failure(install('hf:owner/repo/x.gguf', { env: env() }))).toMatchObject({ code: 'invalid_source' });
    expect(requests.length).toBeLessThan(10);
  });

  it('gives advice for a gated model', async () => {
    result = (_request, response) => response.writeHead(401).end();
    const refused = await failure(install('hf:owner/repo/x.gguf', { env: { HF_ENDPOINT: server.url } }));
    expect(refused).toMatchObject({ code: 'unknown_model', message: expect.stringContaining('set HF_TOKEN') });
  });
});
