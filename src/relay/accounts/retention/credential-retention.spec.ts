import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CredentialsHarness } from '../../../../test/support/relay/credentials.harness.js';
import { CredentialRetention } from './credential-retention.js';

let relay: CredentialsHarness;

beforeAll(async () => {
  relay = await CredentialsHarness.start();
}, 120_000);

afterAll(async () => {
  await relay.stop();
});

const tables = ['session', 'cli_token', 'invite', 'join_token', 'console_link', 'device_login'] as const;

const counts = async (): Promise<Record<string, number>> => {
  const found: Record<string, number> = {};
  for (const table of tables) {
    const [row] = (await relay.sql(`SELECT count(*)::int AS rows FROM ${table}`)) as [{ rows: number }];
    found[table] = row.rows;
  }
  return found;
};

const prune = (): Promise<void> => relay.relay.app.get(CredentialRetention, { strict: false }).prune();

describe('what is stored of credentials', () => {
  it('goes a day after they have ended, and not before', async () => {
    const { browser } = await relay.subject();
    await relay.commandLine(browser);
    await browser.call('POST', 'invites', {});
    await browser.call('POST', 'join-tokens', {});
    await relay.root.call('POST', 'local/console-link', {});
    await relay.startDeviceLogin();
    await prune();
    const full = await counts();
    expect(full).toEqual({ session: 2, cli_token: 2, invite: 1, join_token: 1, console_link: 1, device_login: 1 });

    const [outcome, ended] = ['23 hours', '25 hours'];
    const age = async (by: string): Promise<void> => {
      await relay.sql(
        `UPDATE session SET last_seen_at = now() - interval '12 hours' - $2::interval WHERE user_id <> $1`,
        [await ownerId(), by],
      );
      await relay.sql(`UPDATE cli_token SET revoked_at = now() - $1::interval WHERE user_id IS NOT NULL`, [by]);
      await relay.sql('UPDATE invite SET used_at = now() - $1::interval', [by]);
      for (const table of ['join_token', 'console_link', 'device_login']) {
        await relay.sql(`UPDATE ${table} SET expires_at = now() - $1::interval`, [by]);
      }
    };
    await age(outcome);
    await prune();
    expect(await counts()).toEqual(full);
    await age(ended);
    await prune();
    // Those that are good stay: the session of the owner, and the token of the relay.
    expect(await counts()).toEqual({
      session: 1,
      cli_token: 1,
      invite: 0,
      join_token: 0,
      console_link: 0,
      device_login: 0,
    });
  }, 60_000);
});

async function ownerId(): Promise<string> {
  const { body } = await relay.owner.call('GET', 'whoami');
  return (body['user'] as { user_id: string }).user_id;
}
