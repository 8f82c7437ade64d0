/** docs/reference/security.md#when-credentials-end: what each cell of the table says happens, on a relay in this process. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { ADMIN, callOrThrow, credentialKinds, type Made } from '../support/relay/credential-kinds.js';
import { CredentialsHarness, type Subject } from '../support/relay/credentials.harness.js';
import type { Role } from '../../src/relay/platform/access/principal.js';
import type { Person } from '../support/relay/people.harness.js';

// Each cell makes a person with a password, and some hash several passwords.
jest.setTimeout(60_000);

const events = [
  'password change',
  'password reset',
  'sign out everywhere',
  'lower role',
  'disabled',
  'removed',
  'revoked',
  'expired',
] as const;
type Event = (typeof events)[number];

const effects = ['ends', 'stays', 'lower role', 'paused', 'nothing', '–'] as const;
type Effect = (typeof effects)[number];

let relay: CredentialsHarness;

const credentials: Readonly<Record<string, (subject: Subject) => Promise<Made>>> = Object.fromEntries(
  Object.entries(credentialKinds).map(([name, make]) => [name, (subject) => make(relay, subject)]),
);

const call = (by: Person, method: string, where: string, body?: object): Promise<Record<string, unknown>> =>
  callOrThrow(relay, by, method, where, body);

/** Done by the person where a person does it, else by an owner. */
const happen: Readonly<Record<Event, (subject: Subject, made: Made) => Promise<unknown>>> = {
  'password change': ({ browser, password }) =>
    call(browser, 'POST', 'password', { current_password: password, new_password: 'another long password' }),
  'password reset': ({ id }) => call(relay.owner, 'POST', `users/${id}/reset-password`),
  'sign out everywhere': ({ browser }) => call(browser, 'POST', 'sign-out-everywhere'),
  'lower role': ({ id }) => call(relay.owner, 'PATCH', `users/${id}`, { role: 'member' }),
  disabled: ({ id }) => call(relay.owner, 'PATCH', `users/${id}`, { disabled: true }),
  removed: ({ id }) => call(relay.owner, 'DELETE', `users/${id}`),
  revoked: (_subject, made) => made.revoke?.() ?? Promise.reject(new Error('it cannot be revoked')),
  expired: (_subject, made) => made.expire?.() ?? Promise.reject(new Error('it does not expire')),
};

const refused = async (by: Person, where: string, body: object, status: number): Promise<void> => {
  expect((await by.call('POST', where, body, relay.elsewhere())).status).toBe(status);
};

/** A decided code waits for no other decision. */
const denyDecided = async (): Promise<void> => {
  const [{ user_code: code } = { user_code: '' }] = (await relay.sql(
    'SELECT user_code FROM device_login ORDER BY created_at DESC LIMIT 1',
  )) as { user_code: string }[];
  expect((await relay.decideDeviceLogin(relay.owner, code, 'deny')).status).toBe(404);
};

/** Of the cells with –, by event, or by credential and event: how it does not happen. */
const impossible: Readonly<Record<string, (subject: Subject) => Promise<void>>> = {
  'OpenID connection: password change': ({ browser, password }) =>
    refused(browser, 'password', { current_password: password, new_password: 'another long password' }, 400),
  'OpenID connection: password reset': ({ id }) => refused(relay.owner, `users/${id}/reset-password`, {}, 409),
  'device login, approved: revoked': denyDecided,
  'device login, denied: revoked': denyDecided,
  /** Nothing of the API takes a password or a connection away and leaves the person. */
  revoked: async ({ id }) => {
    for (const what of ['password', 'reset-password', 'openid', 'oidc'])
      expect((await relay.owner.call('DELETE', `users/${id}/${what}`)).status).toBe(404);
  },
  /** They have no end that could come. */
  expired: async ({ id }) => {
    const ends = await relay.sql('SELECT password_expires_at AS at FROM "user" WHERE id = $1', [id]);
    const ofRelay = await relay.sql(`SELECT DISTINCT expires_at AS at FROM cli_token WHERE bootstrap`);
    expect([ends, ofRelay]).toEqual([[{ at: null }], [{ at: null }]]);
  },
};

interface Cell {
  readonly credential: string;
  readonly event: Event;
  readonly effect: Effect;
}

const page = await readFile(path.resolve(import.meta.dirname, '../../docs/reference/security.md'), 'utf8');
const section = page.split('## When credentials end')[1]?.split('\n## ')[0] ?? '';
const [heading = [], , ...lines] = section
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
const cells: readonly Cell[] = lines.flatMap(([credential = '', ...row]) =>
  row.map((effect, column) => ({ credential, event: heading[column + 1] as Event, effect: effect as Effect })),
);

beforeAll(async () => {
  relay = await CredentialsHarness.start();
}, 120_000);

afterAll(async () => {
  await relay.stop();
});

/** `true` for what has no role of its own. */
const full = (works: boolean | string): boolean => works === true || works === ADMIN;

describe('the table of credentials', () => {
  it('the table of credentials has every credential, every event and known effects only', () => {
    expect(heading.slice(1)).toEqual([...events]);
    expect(lines.map(([credential]) => credential)).toEqual(Object.keys(credentials));
    expect(cells.filter(({ effect }) => !effects.includes(effect))).toEqual([]);
  });

  it.each(Object.keys(credentials))(
    '%s opens something before anything happens, unless it was denied',
    async (name) => {
      const made = await credentials[name]!(await relay.subject('admin', name === 'OpenID connection'));
      expect(full(await made.works())).toBe(name !== 'device login, denied');
    },
  );

  describe.each(events)('%s', (event) => {
    it.each(cells.filter((cell) => cell.event === event && cell.effect !== '–'))(
      '$credential: $effect',
      async ({ credential, effect }) => {
        const subject = await relay.subject('admin', credential === 'OpenID connection');
        const made = await credentials[credential]!(subject);
        if (made.isReusable === true) expect(full(await made.works())).toBe(true);
        await happen[event](subject, made);
        if (effect === 'ends' || effect === 'paused') {
          const later = event === 'disabled' || event === 'lower role';
          // What works once must be refused after the person is back, too, and not be used up before.
          if (later && effect === 'ends')
            await call(relay.owner, 'PATCH', `users/${subject.id}`, { disabled: false, role: 'admin' });
          expect(await made.works()).toBe(false);
          if (effect === 'ends') return;
          await call(relay.owner, 'PATCH', `users/${subject.id}`, { disabled: false });
          expect(await made.works()).toBe(ADMIN);
          return;
        }
        const works = await made.works();
        if (effect === 'stays') expect(full(works)).toBe(true);
        else expect(works).toBe(effect === 'lower role' ? 'member' : false);
      },
    );
  });

  /** Members make no invites and no join tokens; the others are nobody's. */
  const ofEverybody = Object.keys(credentials).filter((name) => !/relay|invite|join|link|pending|denied/.test(name));
  const sameForAll = events.filter((event) => !['lower role', 'revoked', 'expired'].includes(event));

  describe.each<{ role: Role; made: readonly string[]; happening: readonly Event[] }>([
    { role: 'member', made: ofEverybody, happening: sameForAll },
    { role: 'owner', made: [...ofEverybody, 'invite', 'join token'], happening: [...sameForAll, 'lower role'] },
  ])('of a person with the role $role', ({ role, made, happening }) => {
    it.each(
      cells.filter(
        ({ credential, event, effect }) => made.includes(credential) && happening.includes(event) && effect !== '–',
      ),
    )('$event: $credential: $effect', async ({ credential, event, effect }) => {
      const subject = await relay.subject(role, credential === 'OpenID connection');
      const theirs = await credentials[credential]!(subject);
      if (theirs.isReusable === true) expect([true, role]).toContain(await theirs.works());
      await happen[event](subject, theirs);
      const works = await theirs.works();
      if (effect === 'stays') expect([true, role]).toContain(works);
      else expect(works).toBe(effect === 'lower role' ? 'member' : false);
    });
  });

  describe('of a member who becomes an admin', () => {
    it.each<[string, boolean | string]>([
      ['session', false],
      ['CLI token of a person', 'member'],
      ['device login, approved', 'member'],
      ['API key', true],
      ['password', ADMIN],
    ])('%s: opens no more than it was made for', async (name, after) => {
      const subject = await relay.subject('member');
      const made = await credentials[name]!(subject);
      if (made.isReusable === true) expect([true, 'member']).toContain(await made.works());
      await call(relay.owner, 'PATCH', `users/${subject.id}`, { role: ADMIN });
      expect(await made.works()).toBe(after);
    });
  });

  describe('of an owner who becomes an admin', () => {
    const inviteOf = (role: string) => async (by: Subject) => {
      const { invite_token: token } = await call(by.browser, 'POST', 'invites', { role });
      return { works: async () => (await relay.acceptInvite(String(token))).status === 201 };
    };

    it.each<[string, (subject: Subject) => Promise<Made>, boolean | string]>([
      ['session', credentials['session']!, false],
      ['CLI token of a person', credentials['CLI token of a person']!, ADMIN],
      ['device login, approved', credentials['device login, approved']!, ADMIN],
      ['password', credentials['password']!, ADMIN],
      ['temporary password', credentials['temporary password']!, ADMIN],
      ['join token', credentials['join token']!, true],
      ['invite of an owner', inviteOf('owner'), false],
      ['invite of an admin', inviteOf('admin'), true],
    ])('%s: opens what an admin may', async (_name, make, after) => {
      const subject = await relay.subject('owner');
      const made = await make(subject);
      if (made.isReusable === true) expect(await made.works()).toBe('owner');
      await call(relay.owner, 'PATCH', `users/${subject.id}`, { role: 'admin' });
      expect(await made.works()).toBe(after);
    });
  });

  describe('the token of the relay signs itself out', () => {
    it.each(['CLI token of the relay', 'invite, made by the relay', 'join token, made by the relay', 'console link'])(
      '%s: ends',
      async (credential) => {
        const made = await credentials[credential]!(await relay.subject());
        await call(relay.root, 'POST', 'sign-out');
        const works = await made.works();
        // Only now: a new token of the relay ends all of this, too.
        await relay.renewRoot();
        expect(works).toBe(false);
      },
    );
  });

  describe('what the database still has, as a change at the same time may leave it', () => {
    const changes = {
      'may not give it': `role = 'member'`,
      'is disabled': 'disabled_at = now()',
    } as const;

    it.each(['invite', 'join token'].flatMap((credential) => Object.keys(changes).map((why) => [credential, why])))(
      '%s: is refused where its creator %s',
      async (credential = '', why = '') => {
        const subject = await relay.subject();
        const made = await credentials[credential]!(subject);
        const change = changes[why as keyof typeof changes];
        await relay.sql(`UPDATE "user" SET ${change} WHERE id = $1`, [subject.id]);
        expect(await made.works()).toBe(false);
      },
    );
  });

  it('needs a recent sign-in of a session for a join token, which lets a computer in', async () => {
    const { id, browser } = await relay.subject();
    await relay.sql(`UPDATE session SET created_at = now() - interval '16 minutes' WHERE user_id = $1`, [id]);
    expect(await browser.call('POST', 'join-tokens', {})).toMatchObject({
      status: 403,
      body: { code: 'recent_sign_in_needed' },
    });
    expect((await relay.root.call('POST', 'join-tokens', {})).status).toBe(201);
  });

  describe('what cannot happen', () => {
    it.each(cells.filter(({ effect }) => effect === '–').map(({ credential, event }) => `${credential}: ${event}`))(
      '%s',
      async (cell) => {
        const [credential = '', event = ''] = cell.split(': ');
        const attempt = impossible[cell] ?? impossible[event];
        const subject = await relay.subject('admin', credential === 'OpenID connection');
        const made = await credentials[credential]!(subject);
        await attempt?.(subject);
        expect(attempt).toBeDefined();
        expect(full(await made.works())).toBe(credential !== 'device login, denied');
      },
    );
  });
});
