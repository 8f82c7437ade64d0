/** What lives in the database holds at every relay on it: a request may be repeated or continued at another one. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { eventually } from '../support/clock/eventually.js';
import { RelayPair } from '../support/process/relay-pair.js';
import { servedWithin } from '../support/replicas/served-extension.js';
import { TestNode } from '../support/process/test-node.js';
import type { TestRelay } from '../support/process/test-relay.js';
import { PASSWORD, Person } from '../support/relay/people.harness.js';

describe('two relays on one database', () => {
  let relays: RelayPair;
  let node: TestNode;

  beforeAll(async () => {
    relays = await RelayPair.start();
    node = await TestNode.start(relays.first);
  }, 120_000);

  afterAll(async () => {
    await node.stop();
    await relays.stop();
  }, 60_000);

  const owner = async (email: string, at: TestRelay): Promise<Person> => {
    const invite = await relays.first.manage<{ invite_token: string }>('POST', '/invites', { role: 'owner' });
    const person = new Person(at.baseUrl);
    await person.call('POST', 'invites/accept', { token: invite.invite_token, email, password: PASSWORD });
    return person;
  };

  it('recognise a repeated request by its idempotency key', async () => {
    const key = randomUUID();
    const create = async (relay: TestRelay): Promise<unknown> => {
      const response = await fetch(`${relay.baseUrl}/api/keys`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${relay.credentials.cli_token}`,
          'content-type': 'application/json',
          'idempotency-key': key,
        },
        body: JSON.stringify({ name: 'once' }),
      });
      expect(response.status).toBe(201);
      return response.json();
    };
    expect(await create(relays.second)).toEqual(await create(relays.first));
  });

  it('sign a command line in that began at one and was approved at the other', async () => {
    const person = await owner('owner@example.com', relays.second);
    const commandLine = new Person(relays.first.baseUrl);
    const { body } = await commandLine.call('POST', 'device-login', { name: 'laptop' });
    const approved = await person.call('POST', 'device-login/approve', { user_code: body['user_code'] });
    expect(approved.status).toBe(200);
    const redeem = () => commandLine.call('POST', 'device-login/token', { device_code: body['device_code'] });
    const granted = await redeem();
    expect(granted.status).toBe(200);
    const atOther = new Person(relays.second.baseUrl, String(granted.body['cli_token']));
    expect((await atOther.call('GET', 'whoami')).status).toBe(200);
    expect((await redeem()).status).not.toBe(200);
  });

  it('two relays on one database count wrong passwords together', async () => {
    await owner('guessed@example.com', relays.first);
    const guess = async (relay: TestRelay, password = 'not the password of anybody'): Promise<number> =>
      (await new Person(relay.baseUrl).call('POST', 'sign-in', { email: 'guessed@example.com', password })).status;
    let tries = 0;
    while ((await guess(relays.first)) !== 429 && tries < 50) tries += 1;
    expect(tries).toBeLessThan(50);
    expect(await guess(relays.second, PASSWORD)).toBe(429);
  }, 60_000);

  it('two relays on one database without a bus serve an extension within 2 s of its switch at one of them', async () => {
    for (const enabled of [true, false, true, false])
      expect(await servedWithin(relays.first, [relays.first, relays.second], enabled)).toBeLessThan(2_000);
  }, 60_000);

  it('two relays on one database show the usage of both, and keep learned speeds over a restart', async () => {
    const response = await relays.first.chat({
      model: 'tiny',
      stream: true,
      max_tokens: 32,
      messages: [{ role: 'user', content: 'Count to one hundred, please.' }],
    });
    expect(await response.text()).toContain('[DONE]');
    const id = response.headers.get('x-request-id') ?? '';
    await eventually('the request is in the log of the other relay', async () => {
      const { status } = await new Person(relays.second.baseUrl, relays.second.credentials.cli_token).call(
        'GET',
        `usage/requests/${id}`,
      );
      return status === 200;
    });
    await relays.first.process.stop();
    const client = new pg.Client({ connectionString: relays.database.env['DATABASE_URL'] });
    await client.connect();
    const { rows } = await client.query<{ node_id: string; rates: { decode: unknown } }>('SELECT * FROM learned_rate');
    await client.end();
    expect(rows).toMatchObject([{ node_id: await node.id(), rates: { decode: { observations: 1 } } }]);
    await relays.first.restart();
  }, 60_000);
});
