/**
 * The page "A VPS with Caddy in ten minutes", executed: all its commands but the installation of packages. Caddy has a certificate of a
 * self-made authority, sudo and systemd are stand-ins (page-server.ts), and the node joins with `ferry node join` instead of the
 * installer, which test/e2e/headless-node.spec.ts runs.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '../support/clock/eventually.js';
import { FakeEngine } from '../support/engine/fake-engine.js';
import { repositoryRoot } from '../support/process/ferry-process.js';
import { AddressClient, type Credentials } from '../support/process/relay-client.js';
import { TestNode } from '../support/process/test-node.js';
import { PASSWORD, Person } from '../support/relay/people.harness.js';
import { PageServer } from './support/page-server.js';

const EMAIL = 'owner@example.com';

let server: PageServer;
let engine: FakeEngine;
let node: TestNode | undefined;

beforeAll(async () => {
  server = await PageServer.start();
  engine = await FakeEngine.start({ models: ['tiny'] });
}, 120_000);

afterAll(async () => {
  await node?.stop();
  await engine.stop();
  await server.stop();
}, 120_000);

async function blocksOfPage(): Promise<readonly string[]> {
  const page = await readFile(path.join(repositoryRoot, 'docs/operate/deployment.md'), 'utf8');
  const [, section = ''] = /^## A VPS with Caddy in ten minutes$(.*?)^## /ms.exec(page) ?? [];
  return [...section.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, code = '']) => code);
}

const isReady = (): Promise<true> =>
  eventually('the relay is ready', async () => (await fetch(`${server.url}/readyz`)).ok || undefined, 60_000);

it('leads to a relay with users, keys and nodes, which survive a restart and the loss of the database', async () => {
  const blocks = await blocksOfPage();
  expect(blocks).toHaveLength(10);
  const [
    ,
    database = '',
    service = '',
    caddy = '',
    account = '',
    computer = '',
    ask = '',
    restart = '',
    backup = '',
    restore = '',
  ] = blocks;
  await server.run(database);
  await server.run(service);
  await server.run(caddy);
  await isReady();

  const invite = await server.run(account);
  const [, token = ''] = /#(\S+)/.exec(invite) ?? [];
  const person = new Person(server.url);
  expect(await person.call('POST', 'invites/accept', { token, email: EMAIL, password: PASSWORD })).toMatchObject({
    status: 201,
  });

  expect(await server.run(computer)).toMatch(/^ferry-join-\S+\n$/);
  const bootstrap = await readFile(path.join(server.folder, 'var/lib/ferry/bootstrap.json'), 'utf8');
  const relay = new AddressClient(JSON.parse(bootstrap) as Credentials);
  node = await TestNode.start(relay, {
    name: 'first',
    engines: [{ kind: 'openai-compatible', base_url: engine.url, slots: 2 }],
    env: { FERRY_CA_FILE: server.authorityFile },
  });

  const joined = node;
  const expectEverything = async (): Promise<void> => {
    await isReady();
    await eventually('the node is online', async () => (await joined.status()).online, 60_000);
    expect((await new Person(server.url).call('POST', 'sign-in', { email: EMAIL, password: PASSWORD })).status).toBe(
      200,
    );
    // The key that the page has created.
    const { data } = await relay.manage<{ data: { name: string }[] }>('GET', '/keys');
    expect(data.map(({ name }) => name)).toContain('laptop');
    expect(await server.run(ask.replace(/^KEY=.*\n/, ''))).toMatch(/Hello from the fake engine[^]*data: \[DONE\]/);
  };
  expect(await server.run(ask)).toMatch(/Hello from the fake engine[^]*data: \[DONE\]/);
  await expectEverything();
  await server.run(restart);
  await expectEverything();
  await server.run(backup);
  await server.run(restore);
  await expectEverything();
}, 400_000);
