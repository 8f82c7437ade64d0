import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createCredential } from '../../../kernel/credential.js';
import { createNodeId } from '../../../kernel/ids.js';
import { ensureEnrolled } from './ensure-enrolled.js';

let server: Server;
let localUrl: string;
let directory: string;
/** What the relay believes: its nodes, its public address; and what it was asked to do. */
let nodes: { node_id: string; status: string }[];
let publicUrl: string;
let asked: string[];

beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'ferry-enrol-'));
  nodes = [];
  asked = [];
  server = createServer((req, res) => {
    const route = `${String(req.method)} ${String(req.url)}`;
    asked.push(route);
    req.resume();
    const response = (status: number, body: object): void => {
      res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    if (route === 'GET /api/nodes') response(200, { object: 'list', data: nodes });
    else if (route === 'POST /api/join-tokens') response(201, { join_token: createCredential('join-token').text });
    else if (route === 'POST /link/enrol') {
      const node = { node_id: createNodeId(), status: 'active' };
      nodes.push(node);
      response(201, { node_id: node.node_id, cluster_id: 'cl_12345678', account_id: 'acc_1', relay_url: publicUrl });
    } else if (req.method === 'DELETE') {
      nodes = nodes.filter(({ node_id }) => !String(req.url).endsWith(node_id));
      response(200, {});
    } else response(404, {});
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  localUrl = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  publicUrl = localUrl;
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
  await rm(directory, { recursive: true, force: true });
});

const enrol = (): Promise<string> =>
  ensureEnrolled({
    directory,
    localUrl,
    publicUrl,
    token: 'ferry-cli-x',
    clusterId: 'cl_12345678',
  });

const enrolments = (): number => asked.filter((route) => route === 'POST /link/enrol').length;

describe('the node of ferry up', () => {
  it('the node of ferry up is enrolled on the first start, and keeps its identity', async () => {
    const first = await enrol();
    expect(JSON.parse(await readFile(path.join(directory, 'node', 'identity.json'), 'utf8'))).toMatchObject({
      node_id: first,
    });
    expect(await enrol()).toBe(first);
    expect(enrolments()).toBe(1);
  });

  it('the node of ferry up is enrolled again when it was revoked or is unknown to the relay', async () => {
    const first = await enrol();
    nodes = [{ node_id: first, status: 'revoked' }];
    const second = await enrol();
    expect(second).not.toBe(first);
    nodes = [];
    expect(await enrol()).not.toBe(second);
    expect(enrolments()).toBe(3);
  });

  it('keeps its identity when the relay uses another port', async () => {
    const first = await enrol();
    publicUrl = 'http://localhost:1';
    expect(await enrol()).toBe(first);
  });

  it('the node of ferry up is enrolled again when the public address of the relay has changed', async () => {
    const first = await enrol();
    publicUrl = 'https://relay.example';
    const second = await enrol();
    expect(second).not.toBe(first);
    expect(asked).toContain(`DELETE /api/nodes/${first}`);
    expect(nodes).toEqual([{ node_id: second, status: 'active' }]);
    expect(await enrol()).toBe(second);
  });
});
