import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Agent } from 'undici';
import { systemClock } from '../../kernel/clock.js';
import { engineKinds } from '../engines/engine-kinds.js';
import { readEntry } from '../engines/engines-file.js';
import { checkDisk } from './check-disk.js';
import { checkEngines, type CheckEnginesOptions } from './check-engines.js';
import { checkModels, checkProcess } from './check-identity.js';
import { checkNode } from './check-identity.js';
import { checkClock, checkRelay } from './check-relay.js';
import type { Finding } from './finding.js';

const GIBIBYTE = 1_024 ** 3;
const short = ({ check, verdict }: Finding): string => `${check} ${verdict}`;

describe('Node', () => {
  it.each([
    ['18.20.0', 'fail'],
    ['20.18.3', 'fail'],
    ['20.19.0', 'ok'],
    ['24.0.0', 'ok'],
  ])('%s is %s', (version, verdict) => {
    expect(checkNode(version).verdict).toBe(verdict);
  });
});

describe('disk space', () => {
  it.each([
    [50 * GIBIBYTE, 'ok'],
    [GIBIBYTE, 'warn'],
    [1_000, 'fail'],
  ])('disk space with %s bytes free is %s', async (free, verdict) => {
    const finding = await checkDisk('disk_data', '/data', () => Promise.resolve(free));
    expect(finding).toMatchObject({ check: 'disk_data', verdict, facts: { free_bytes: free } });
  });

  it('disk space is that of the parent folder while the folder does not exist', async () => {
    const finding = await checkDisk('disk_models', '/data/models', (directory) =>
      directory === '/data'
        ? Promise.resolve(9 * GIBIBYTE)
        : Promise.reject(Object.assign(new Error('none'), { code: 'ENOENT' })),
    );
    expect(finding).toMatchObject({ verdict: 'ok', facts: { directory: '/data/models' } });
  });

  it('disk space that cannot be read fails', async () => {
    const finding = await checkDisk('disk_data', '/data', () => Promise.reject(new Error('forbidden')));
    expect(finding).toMatchObject({ verdict: 'fail', summary: expect.stringContaining('forbidden') });
  });
});

it.each([
  [undefined, 'warn'],
  [{ pid: 1, connected: false }, 'fail'],
  [{ pid: 1, connected: true }, 'ok'],
])('the process of a node, %j, is %s', (status, verdict) => {
  expect(checkProcess(status).verdict).toBe(verdict);
});

it('a model that a running node could not load fails', () => {
  const models = [
    { display_name: 'tiny', state: 'loaded' },
    { display_name: 'half', state: 'failed' },
  ];
  expect(checkModels({ models }).map(short)).toEqual(['model fail']);
  expect(checkModels(undefined)).toEqual([]);
});

describe('clock skew', () => {
  const date = 'Thu, 20 Nov 2025 10:00:00 GMT';
  const at = Date.parse(date);
  it.each([
    [at + 5_000, 'ok', 5],
    [at - 600_000, 'warn', -600],
  ])('%s ms against the relay is %s', (wallMs, verdict, difference) => {
    expect(checkClock({ date, wallMs })).toMatchObject({ verdict, facts: { difference_seconds: difference } });
  });

  it('clock skew is not checked against a relay that does not send the time', () => {
    expect(checkClock({ date: undefined, wallMs: at }).verdict).toBe('ok');
  });
});

describe('the relay', () => {
  let server: Server | undefined;
  const dispatcher = new Agent();
  afterEach(async () => {
    server?.closeAllConnections();
    server?.close();
    server = undefined;
    await Promise.resolve();
  });
  const serve = async (status: number, version?: string): Promise<URL> => {
    server = createServer((request, response) => {
      if (request.url === '/livez') response.writeHead(status).end('{}');
      else if (version !== undefined && request.url === '/agent/version.json')
        response.end(JSON.stringify({ version }));
      else response.writeHead(404).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  };
  const check = (relay: URL): Promise<Finding[]> =>
    checkRelay({ relay, dispatcher, ca: undefined, proxyHost: undefined, userAgent: 'test', clock: systemClock });

  it('the relay is checked from the port to its answer', async () => {
    const findings = await check(await serve(200, '1.2.3'));
    expect(findings.map(short)).toEqual(['relay_tcp ok', 'relay_http ok', 'relay_version ok', 'clock ok']);
    expect(findings[1]?.facts).toMatchObject({ round_trip_ms: expect.any(Number), proxy: null });
    expect(findings[2]?.facts).toEqual({ relay_version: '1.2.3' });
  });

  it('the relay may omit its version', async () => {
    expect((await check(await serve(200))).map(short)).toEqual(['relay_tcp ok', 'relay_http ok', 'clock ok']);
  });

  it('the relay with another answer is not a relay', async () => {
    expect((await check(await serve(502))).map(short)).toEqual(['relay_tcp ok', 'relay_http fail']);
  });

  it('the relay that does not run fails at its port, and later checks are skipped', async () => {
    const relay = await serve(200);
    server?.closeAllConnections();
    server?.close();
    const [finding, ...others] = await check(relay);
    expect([finding && short(finding), others]).toEqual(['relay_tcp fail', []]);
    expect(finding?.summary).toContain('ECONNREFUSED');
  });
});

describe('engines', () => {
  const responses: Readonly<Record<string, string>> = {
    '127.0.0.1:11434/v1/models': '{"data":[{"id":"a"},{"id":"b"}]}',
    '127.0.0.1:11434/api/version': '{"version":"0.33.0"}',
    '127.0.0.1:1337/v1/models': '{"data":[{"id":"a"},{"id":"b"}]}',
  };
  const get: CheckEnginesOptions['get'] = (base, path) => {
    if (base.host !== '127.0.0.1:11434' && base.host !== '127.0.0.1:1337') {
      return Promise.reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }));
    }
    const text = responses[base.host + path];
    return Promise.resolve({ status: text === undefined ? 404 : 200, server: '', text: text ?? '' });
  };
  const check = (entries: readonly object[], discovers = true): Promise<Finding[]> =>
    checkEngines({
      entries: entries.map((entry) => readEntry(entry, engineKinds, 'test')),
      ports: [11_434, 8_080],
      discovers,
      get,
    });

  it('engines that are found are listed with their kind and models', async () => {
    const [summary, ollama, ...others] = await check([{ kind: 'llamacpp' }]);
    expect(summary).toMatchObject({
      verdict: 'ok',
      facts: { ports_tried: [11_434, 8_080], engines: 1, built_in: true },
    });
    expect(ollama).toMatchObject({
      check: 'engine',
      verdict: 'ok',
      summary: 'ollama at http://127.0.0.1:11434/: version 0.33.0, 2 models',
      facts: { kind: 'ollama', version: '0.33.0', models: 2, configured: false },
    });
    expect(others).toEqual([]);
  });

  it('engines that do not say which of their models are in memory are a warning, until the file names them', async () => {
    const found = await checkEngines({ entries: [], ports: [1_337], discovers: true, get });
    expect(found.at(-1)).toMatchObject({
      verdict: 'warn',
      summary:
        'openai-compatible at http://127.0.0.1:1337/: 2 models; it does not say which are in memory, so none is served',
    });
    const entry = { kind: 'openai-compatible', base_url: 'http://127.0.0.1:1337' };
    expect((await check([entry])).map(short)).toContain('engine warn');
    expect((await check([{ ...entry, resident: ['a'] }])).map(short)).not.toContain('engine warn');
  });

  it('engines that are running but not served are a warning', async () => {
    const findings = await check([{ kind: 'llamacpp' }], false);
    expect(findings.map(short)).toEqual(['engines ok', 'engine warn']);
  });

  it('engines that are configured and away fail, and are probed once', async () => {
    const findings = await check([
      { kind: 'ollama', base_url: 'http://localhost:8080' },
      { kind: 'ollama', base_url: 'http://127.0.0.1:11434' },
    ]);
    expect(findings.map(short)).toEqual(['engines ok', 'engine fail', 'engine ok']);
  });

  it('engines that were found and are away are a warning while their models are listed', async () => {
    const findings = await checkEngines({
      entries: [],
      ports: [11_434, 8_080],
      discovers: true,
      foundBefore: [
        { kind: 'vllm', url: 'http://127.0.0.1:8080/', models: 1 },
        { kind: 'ollama', url: 'http://127.0.0.1:11434/', models: 2 },
      ],
      get,
    });
    expect(findings.map(short)).toEqual(['engines ok', 'engine ok', 'engine warn']);
    expect(findings.at(-1)).toMatchObject({
      summary: 'vllm at http://127.0.0.1:8080/ does not answer; 1 model stays listed as not loaded',
      next: 'restart it',
      facts: { reason: 'engine_unreachable', last_known_models: 1 },
    });
  });

  it('engines are required: a node without any fails the check', async () => {
    const findings = await checkEngines({ entries: [], ports: [8_080], discovers: true, get });
    expect(findings.map(short)).toEqual(['engines warn']);
  });
});
