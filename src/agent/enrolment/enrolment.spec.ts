import { createHash, createPublicKey, verify } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createCredential } from '../../kernel/credential.js';
import { createNodeId } from '../../kernel/ids.js';
import { joinCluster, type JoinError } from './join-cluster.js';
import { linkAuthorization } from './link-authorization.js';
import { identityFile, NodeIdentityError, readIdentity } from './node-identity.js';
import { createNodeKey, importNodeKey } from './node-key.js';
import { isLoopback, parseRelayAddress, RelayAddressError, relayPath } from '../connection/relay-address.js';

const nodeId = createNodeId();
const accepted = {
  node_id: nodeId,
  cluster_id: 'cl_12345678',
  account_id: 'acc_1',
  relay_url: 'https://relay.example',
};

let dataDirectory: string;
let server: Server;
let seen: { request: IncomingMessage; body: string }[];
let result: { status: number; body: string };

beforeEach(async () => {
  dataDirectory = await mkdtemp(path.join(os.tmpdir(), 'ferry-join-'));
  seen = [];
  result = { status: 201, body: JSON.stringify(accepted) };
  server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      seen.push({ request, body });
      response.writeHead(result.status, { 'content-type': 'application/json' }).end(result.body);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await rm(dataDirectory, { recursive: true, force: true });
});

const relayUrl = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const token = createCredential('join-token').text;
const join = (options: Partial<Parameters<typeof joinCluster>[0]> = {}) =>
  joinCluster({ relayUrl: relayUrl(), joinToken: token, name: 'desk', dataDirectory, ...options });
const refusalOf = async (options: Partial<Parameters<typeof joinCluster>[0]> = {}): Promise<JoinError> =>
  join(options).then(
    () => {
      throw new Error('joined');
    },
    (error: unknown) => error as JoinError,
  );

const isSignedBy = (publicKey: string, message: Buffer, signature: string): boolean =>
  verify(
    null,
    message,
    createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: publicKey }, format: 'jwk' }),
    Buffer.from(signature, 'base64url'),
  );

describe('joining a cluster', () => {
  it('sends a public key and proves that it has the private one, bound to the token', async () => {
    expect(await join()).toEqual({
      nodeId,
      nodeName: 'desk',
      clusterId: 'cl_12345678',
      accountId: 'acc_1',
      relayUrl: relayUrl(),
    });
    const { request, body } = seen[0]!;
    expect([request.method, request.url]).toEqual(['POST', '/link/enrol']);
    const sent = JSON.parse(body) as Record<string, string>;
    expect(sent).toMatchObject({
      join_token: token,
      node_name: 'desk',
      platform: `${process.platform}-${process.arch}`,
    });
    expect(Buffer.from(sent['public_key']!, 'base64url')).toHaveLength(32);
    const proven = Buffer.concat([Buffer.from('ferry-node-enrol-v1\0'), createHash('sha256').update(token).digest()]);
    expect(isSignedBy(sent['public_key']!, proven, sent['signature']!)).toBe(true);
  });

  it('stores the identity in a file for its owner only, and never the token', async () => {
    await join();
    const file = identityFile(dataDirectory);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(path.dirname(file))).mode & 0o777).toBe(0o700);
    expect(await readdir(path.dirname(file))).toEqual(['identity.json']);
    expect(await readFile(file, 'utf8')).not.toContain(token);
    const identity = (await readIdentity(dataDirectory))!;
    expect(identity).toMatchObject({ node_id: nodeId, relay_url: relayUrl(), relay_host: 'relay.example' });
    const sent = JSON.parse(seen[0]!.body) as Record<string, string>;
    expect(importNodeKey(identity.private_key).publicKey).toBe(sent['public_key']);
  });

  it('keeps an earlier identity unless forced', async () => {
    await join();
    const refused = await refusalOf();
    expect(refused.reason).toBe('already_joined');
    expect(refused.advice).toContain('ferry node run');
    expect(seen).toHaveLength(1);
    await join({ replace: true });
    expect(seen).toHaveLength(2);
  });

  it.each([
    [401, /does not accept this join token.* ferry nodes join-token.* once and for 15 minutes$/],
    [404, /without \/v1/],
    [429, /wait/],
    [500, /refused \(500\)/],
    [400, /refused \(400\): node_name is too odd/],
  ])('gives advice after a %s, and writes nothing', async (status, advice) => {
    result = { status, body: JSON.stringify({ error: { message: 'node_name is too odd' } }) };
    const refused = await refusalOf();
    expect(refused).toMatchObject({ name: 'JoinError', reason: 'refused' });
    expect(`${refused.message}\n${String(refused.advice)}`.replace('\n', ' ')).toMatch(advice);
    expect(refused.message).not.toContain(token);
    expect(await readIdentity(dataDirectory)).toBeUndefined();
  });

  it('repeats what a relay without its database says, and to try again', async () => {
    const problem = { status: 503, code: 'overloaded', detail: 'The relay cannot reach its database.' };
    result = { status: 503, body: JSON.stringify(problem) };
    expect(await refusalOf()).toMatchObject({
      message: 'the relay cannot enrol computers now: The relay cannot reach its database.',
      advice: 'again in a minute, with the same join token',
    });
  });

  it('repeats why the relay does not accept the token', async () => {
    result = { status: 401, body: JSON.stringify({ detail: 'Who made this join token has left.' }) };
    expect((await refusalOf()).message).toMatch(/ \(it says: Who made this join token has left\.\)$/);
  });

  it('recognises an address that is no relay', async () => {
    result = { status: 201, body: '<html>hello</html>' };
    expect((await refusalOf()).advice).toContain('is it a Ferry relay');
    expect(await refusalOf({ relayUrl: 'http://127.0.0.1:1' })).toMatchObject({ reason: 'unreachable' });
    expect(await refusalOf({ relayUrl: 'relay.example' })).toMatchObject({ reason: 'usage' });
  });

  it('rejects a truncated token before sending it', async () => {
    expect(await refusalOf({ joinToken: token.slice(0, -1) })).toMatchObject({ reason: 'usage' });
    expect(seen).toEqual([]);
  });

  it('refuses to send a token over a network without encryption', async () => {
    expect((await refusalOf({ relayUrl: 'http://relay.example' })).advice).toContain('--force-insecure');
    expect(seen).toEqual([]);
  });
});

describe('the address of a relay', () => {
  const parse = (text: string, allowInsecure = false): string => parseRelayAddress(text, { allowInsecure }).href;

  it('the address of a relay is stored normalised', () => {
    expect(parse('https://Relay.example:443/v1/?x=1#y')).toBe('https://relay.example/');
    expect(relayPath(new URL(parse('https://relay.example/ferry/v1')), '/link').href).toBe(
      'https://relay.example/ferry/link',
    );
  });

  it('needs TLS except for loopback or with --insecure', () => {
    for (const local of ['http://127.0.0.1:8787', 'http://localhost', 'http://[::1]:1', 'http://127.9.9.9'])
      parse(local);
    for (const foreign of ['http://192.168.1.2', 'http://localhost.example', 'http://128.0.0.1']) {
      expect(() => parse(foreign)).toThrow(RelayAddressError);
      parse(foreign, true);
    }
    for (const bad of ['', 'relay', 'ftp://x', 'https://user:pass@x', 'file:///etc']) {
      expect(() => parse(bad, true)).toThrow(RelayAddressError);
    }
    expect(isLoopback('127.0.0.1.example')).toBe(false);
  });
});

describe('the identity of a node', () => {
  it('the identity of a node is absent before it joined', async () => {
    expect(await readIdentity(dataDirectory)).toBeUndefined();
  });

  it('gets its file mode restored', async () => {
    await join();
    await chmod(identityFile(dataDirectory), 0o644);
    await readIdentity(dataDirectory);
    expect((await stat(identityFile(dataDirectory))).mode & 0o777).toBe(0o600);
  });

  it.each(['', '{', '{"version":2}', JSON.stringify({ ...accepted, version: 1, private_key: 'SECRET' })])(
    'gives advice when it is damaged, without quoting it: %j',
    async (text) => {
      await join();
      await writeFile(identityFile(dataDirectory), text);
      const error = await readIdentity(dataDirectory).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(NodeIdentityError);
      expect((error as NodeIdentityError).advice).toContain('join again');
      expect((error as Error).message).not.toContain('SECRET');
    },
  );
});

describe('the authorization of a link', () => {
  it('signs the host, the nonce and the node with the key of the identity', () => {
    const key = importNodeKey(createNodeKey().exportPrivateKey());
    const header = linkAuthorization({ nodeId, nonce: 'abc.def', host: 'relay.example:8443', key });
    const match = /^FerryNode id=(nd_[0-9a-f]{32}),nonce=(\S+),sig=([\w-]{86})$/.exec(header);
    expect(match?.slice(1, 3)).toEqual([nodeId, 'abc.def']);
    const message = `ferry-node-link-v1\0relay.example:8443\0abc.def\0${nodeId}`;
    expect(isSignedBy(key.publicKey, Buffer.from(message), match![3]!)).toBe(true);
    expect(isSignedBy(key.publicKey, Buffer.from(message.replace('8443', '8444')), match![3]!)).toBe(false);
  });
});
