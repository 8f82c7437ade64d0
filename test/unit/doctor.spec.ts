/** `ferry doctor URL` against a whole relay: directly, and behind proxies and certificates as they are misconfigured. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import { request } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { diagnoseRelay, type Finding } from '../../src/agent/main.js';
import { CommandLine } from '../support/cli/command-line.js';
import { shapeProblems } from '../support/cli/shape-problems.js';
import { FaultyProxy, type ProxyFaults } from '../support/network/faulty-proxy.js';
import { Loopback } from '../support/network/loopback.js';
import { createTestAuthority, type TestAuthority } from '../support/network/tls.js';
import { RelayHarness } from '../support/relay/relay.harness.js';

const DAY_MS = 86_400_000;
let relay: RelayHarness;
let line: CommandLine;
let authority: TestAuthority;
let caFile: string;
let directory: string;
const stopAfter: (() => Promise<void>)[] = [];

beforeAll(async () => {
  relay = await RelayHarness.start();
  line = await CommandLine.start();
  authority = await createTestAuthority();
  directory = await mkdtemp(path.join(os.tmpdir(), 'ferry-doctor-'));
  caFile = path.join(directory, 'authority.pem');
  await writeFile(caFile, authority.certificate);
}, 120_000);
afterEach(async () => {
  for (const stop of stopAfter.splice(0)) await stop();
});
afterAll(async () => {
  await line.stop();
  await relay.stop();
  await rm(directory, { recursive: true });
});

const diagnose = (url: string, env: Readonly<Record<string, string>> = {}): Promise<readonly Finding[]> =>
  diagnoseRelay({ env, relay: new URL(url) });

const verdicts = (findings: readonly Finding[]): string[] =>
  findings.map(({ check, verdict }) => `${check} ${verdict}`);

const problems = (findings: readonly Finding[]): readonly Finding[] =>
  findings.filter(({ verdict }) => verdict !== 'ok');

const behindProxy = async (faults: ProxyFaults): Promise<string> => {
  const proxy = await FaultyProxy.start(relay.url, faults);
  stopAfter.push(() => proxy.stop());
  return proxy.url;
};

/** @returns the address by the name `localhost` */
const behindTls = async (options: ServerOptions): Promise<string> => {
  const server = createTlsServer(options, (incoming, outgoing) => {
    const { hostname, port } = new URL(relay.url);
    incoming.pipe(
      request({ hostname, port, path: incoming.url, headers: { host: incoming.headers.host } }, (response) => {
        outgoing.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(outgoing);
      }),
    );
  });
  const loopback = await Loopback.start(server);
  stopAfter.push(() => loopback.close());
  return `https://localhost:${loopback.port}`;
};

describe('a relay that is in order', () => {
  it('passes every check, directly and behind a well-behaved proxy', async () => {
    for (const url of [relay.url, await behindProxy({})]) {
      const findings = await diagnose(url);
      expect(verdicts(findings)).toEqual([
        'relay_tcp ok',
        'relay_http ok',
        ...(verdicts(findings).includes('relay_version ok') ? ['relay_version ok'] : []),
        'clock ok',
        'relay_websocket ok',
        'relay_stream ok',
      ]);
      expect(findings.find(({ check }) => check === 'relay_websocket')?.facts).toEqual({ status: 101 });
    }
  });

  it('a relay that is in order is one line per check on the command line, and exit code 0', async () => {
    const { code, stdout, stderr } = await line.run(['doctor', `${relay.url}/v1`]);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: `Checking ${relay.url} from this computer\neverything is in order\n`,
    });
    expect(stdout).toMatch(/^✓ relay websocket {2}a WebSocket to \/link opens, as nodes need it$/m);
    expect(stdout.split('\n').every((text) => text === '' || text.startsWith('✓ '))).toBe(true);
    const json = await line.run(['doctor', relay.url, '--json']);
    expect(shapeProblems('doctor', JSON.parse(json.stdout))).toEqual([]);
  });
});

describe('a proxy in front of the relay', () => {
  it('a proxy in front of the relay that drops Upgrade is named, with what to do', async () => {
    const url = await behindProxy({ dropsUpgrade: true });
    const [finding, ...others] = problems(await diagnose(url));
    expect(others).toEqual([]);
    expect(finding).toMatchObject({
      check: 'relay_websocket',
      verdict: 'fail',
      summary: expect.stringContaining('removes the header Upgrade'),
      next: expect.stringContaining('Upgrade and Connection'),
    });
    const { code, stdout, stderr } = await line.run(['doctor', url]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^✗ relay websocket {2}a proxy .*Upgrade.*\n {19}try: configure the proxy/m);
    expect(stderr).toContain('1 of ');
  });

  it('a proxy in front of the relay that buffers is named, with both times', async () => {
    const [finding, ...others] = problems(await diagnose(await behindProxy({ buffers: true })));
    expect(others).toEqual([]);
    expect(finding).toMatchObject({
      check: 'relay_stream',
      verdict: 'fail',
      summary: expect.stringMatching(/buffers streams: events sent 750 ms apart arrive \d+ ms apart/),
      facts: { sent_apart_ms: 750 },
    });
  });

  it('a proxy in front of the relay that answers /link itself is distinguished from one that drops Upgrade', async () => {
    const [finding] = problems(await diagnose(await behindProxy({ answers: ['/link', 404] })));
    expect(finding).toMatchObject({
      check: 'relay_websocket',
      summary: '/link does not reach the relay: it is answered with 404',
    });
  });

  it('a proxy in front of the relay that does not know /api/stream-check is reported as an older relay', async () => {
    const [finding, ...others] = problems(await diagnose(await behindProxy({ answers: ['/api/stream-check', 404] })));
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ check: 'relay_stream', verdict: 'warn' });
  });
});

describe('the certificate of the relay', () => {
  const tlsFinding = async (options: ServerOptions, env: Readonly<Record<string, string>>): Promise<Finding> => {
    const findings = await diagnose(await behindTls(options), env);
    const [finding] = findings.filter(({ check }) => check === 'relay_tls');
    if (finding?.verdict === 'fail') expect(findings.at(-1)).toBe(finding);
    if (finding === undefined) throw new Error('the certificate was not checked');
    return finding;
  };
  const days = (from: number, to: number) => ({
    from: new Date(Date.now() + from * DAY_MS),
    to: new Date(Date.now() + to * DAY_MS),
  });

  it('a certificate of an authority in FERRY_CA_FILE is in order', async () => {
    const finding = await tlsFinding(await authority.issue('localhost'), { FERRY_CA_FILE: caFile });
    expect(finding).toMatchObject({ verdict: 'ok', facts: { issuer: 'Ferry test authority', error: null } });
  });

  it('an expired certificate fails, with the date', async () => {
    const expired = await authority.issueFor(['localhost'], days(-30, -2));
    expect(await tlsFinding(expired, { FERRY_CA_FILE: caFile })).toMatchObject({
      verdict: 'fail',
      summary: expect.stringMatching(/^the certificate expired on .* GMT$/),
      next: expect.stringContaining('renew'),
    });
  });

  it('a certificate that expires within two weeks is a warning', async () => {
    const outcome = await authority.issueFor(['localhost'], days(-80, 5.5));
    expect(await tlsFinding(outcome, { FERRY_CA_FILE: caFile })).toMatchObject({
      verdict: 'warn',
      summary: expect.stringContaining('expires in 5 days'),
    });
  });

  it('a certificate that is not valid yet fails, with advice to check the clock', async () => {
    const coming = await authority.issueFor(['localhost'], days(2, 30));
    expect(await tlsFinding(coming, { FERRY_CA_FILE: caFile })).toMatchObject({
      verdict: 'fail',
      next: expect.stringContaining('clock'),
    });
  });

  it('for another name fails, with that name', async () => {
    const other = await authority.issue('relay.example', 'www.relay.example');
    expect(await tlsFinding(other, { FERRY_CA_FILE: caFile })).toMatchObject({
      verdict: 'fail',
      summary: 'the certificate is not for localhost, but for relay.example, www.relay.example',
    });
  });

  it('a certificate of an unknown authority fails, with its name', async () => {
    expect(await tlsFinding(await authority.issue('localhost'), {})).toMatchObject({
      verdict: 'fail',
      summary: expect.stringContaining('Ferry test authority'),
      next: expect.stringContaining('FERRY_CA_FILE'),
    });
  });

  it('the certificate of the relay is reported missing when the port does not speak TLS', async () => {
    expect(verdicts(await diagnose(relay.url.replace('http:', 'https:')))).toEqual(['relay_tcp ok', 'relay_tls fail']);
  });
});

it('a name that DNS does not know ends the checks', async () => {
  const findings = await diagnose('https://ferry-no-such-host.invalid');
  expect(verdicts(findings)).toEqual(['relay_dns fail']);
  expect(findings[0]?.summary).toContain('ferry-no-such-host.invalid is not known');
}, 30_000);

it('a redirect is reported with its target', async () => {
  const redirecting = await Loopback.start((_request, response) => {
    response.writeHead(301, { location: 'https://relay.example/livez' }).end();
  });
  stopAfter.push(() => redirecting.close());
  expect(problems(await diagnose(redirecting.url))).toMatchObject([
    { check: 'relay_http', next: 'use the address that it redirects to: https://relay.example' },
  ]);
});

describe('ferry doctor', () => {
  it('assumes https for an address without a scheme', async () => {
    const { stderr } = await line.run(['doctor', new URL(relay.url).host]);
    expect(stderr).toContain(`Checking https://${new URL(relay.url).host} `);
  });

  it('checks the relay of the other commands when this computer is not a node', async () => {
    const env = { FERRY_DATA_DIR: directory, FERRY_BASE_URL: relay.url };
    expect((await line.run(['doctor'], env)).stderr).toContain(`Checking ${relay.url} `);
  });

  it('ferry doctor without anything to check is a usage error', async () => {
    const { code, stderr } = await line.run(['doctor'], { FERRY_DATA_DIR: directory });
    expect(code).toBe(2);
    expect(stderr).toContain('try: ferry doctor https://relay.example');
  });

  it.each([[['Error code: 503']], [['Error', 'code:', '503']]])(
    'says what a client’s message means, without a relay: %j',
    async (words) => {
      const { code, stdout } = await line.run(['doctor', ...words], { FERRY_DATA_DIR: directory });
      expect(code).toBe(0);
      const text = stdout.replaceAll(/\s+/g, ' ');
      expect(text).toContain('Ferry answered 503 no node for user');
      expect(text).toContain('Shown so by openai 3.57 (Python)');
      expect(text).toContain('try: ferry models ps');
    },
  );

  it('points to the request that a message names, and ends with 1 for words that it does not know', async () => {
    const id = `req_${'0a'.repeat(16)}`;
    const { code, stdout } = await line.run(['doctor', `Something odd (${id})`, '--json'], {
      FERRY_DATA_DIR: directory,
    });
    expect(code).toBe(1);
    const response = JSON.parse(stdout) as { checks: unknown[] };
    expect(shapeProblems('doctor', response)).toEqual([]);
    expect(response).toMatchObject({ ok: false, checks: [{ check: 'message', next: `ferry explain ${id}` }] });
  });
});
