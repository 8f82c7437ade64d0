/** How a credential of each kind is made on a running relay, tried, revoked and ended. */
import type { CredentialsHarness, Subject } from './credentials.harness.js';
import type { Person } from './people.harness.js';

/** The role that a subject has at first. */
export const ADMIN = 'admin';

/** A credential that was made for a person or by the relay. */
export interface Made {
  /** Whether it opens something, or with which role. Uses it up where it works once. */
  readonly works: () => Promise<boolean | string>;
  /** It can be used again, so that it is, before something happens: caches have it then. */
  readonly isReusable?: true;
  readonly revoke?: () => Promise<unknown>;
  readonly expire?: () => Promise<unknown>;
}

/** @returns the body of the response */
export const callOrThrow = async (
  relay: CredentialsHarness,
  by: Person,
  method: string,
  where: string,
  body: object = {},
): Promise<Record<string, unknown>> => {
  const response = await by.call(method, where, method === 'GET' ? undefined : body, relay.elsewhere());
  if (response.status >= 300)
    throw new Error(`${method} ${where}: ${String(response.status)} ${JSON.stringify(response.body)}`);
  return response.body;
};

const bearer = (relay: CredentialsHarness, token: string): Made['works'] => {
  const person = relay.somebody(token);
  return async () => (await relay.roleOf(person)) ?? false;
};

async function madeInvite(
  relay: CredentialsHarness,
  by: Person,
  revoke: (id: string) => Promise<unknown>,
): Promise<Made> {
  const { invite_token: token, invite_id: id } = await callOrThrow(relay, by, 'POST', 'invites', { role: 'admin' });
  return {
    works: async () => (await relay.acceptInvite(String(token))).status === 201,
    revoke: () => revoke(String(id)),
    expire: () => relay.sql(`UPDATE invite SET expires_at = now() - interval '1 second' WHERE id = $1`, [id]),
  };
}

async function madeJoinToken(
  relay: CredentialsHarness,
  by: Person,
  revoke: (id: string) => Promise<unknown>,
): Promise<Made> {
  const { join_token: token, join_token_id: id } = await callOrThrow(relay, by, 'POST', 'join-tokens');
  return {
    works: async () => (await relay.enrol(String(token))).status === 201,
    revoke: () => revoke(String(id)),
    expire: () => relay.sql(`UPDATE join_token SET expires_at = now() - interval '1 second' WHERE id = $1`, [id]),
  };
}

/** An owner revokes the token of the relay, which makes another one at its next start. */
async function endRoot(relay: CredentialsHarness, root: Person): Promise<void> {
  const { credential } = await callOrThrow(relay, root, 'GET', 'whoami');
  await callOrThrow(relay, relay.owner, 'DELETE', `cli-tokens/${(credential as { id: string }).id}`);
  await relay.renewRoot();
}

type Make = (relay: CredentialsHarness, subject: Subject) => Promise<Made>;

export const credentialKinds: Readonly<Record<string, Make>> = {
  session: async (relay, { email, password }) => {
    const browser = await relay.signedIn(email, password);
    const { credential } = await callOrThrow(relay, browser, 'GET', 'whoami');
    const { id } = credential as { id: string };
    const { cookie } = browser;
    return {
      isReusable: true,
      works: async () => {
        const same = relay.somebody();
        same.cookie = cookie;
        return (await relay.roleOf(same)) ?? false;
      },
      revoke: () => callOrThrow(relay, browser, 'DELETE', `sessions/${id}`),
      expire: () => relay.sql(`UPDATE session SET last_seen_at = now() - interval '1 day' WHERE id = $1`, [id]),
    };
  },
  'CLI token of a person': async (relay, { browser }) => {
    const token = await relay.commandLine(browser);
    const id = `cli_${token.slice('ferry-cli-'.length, 'ferry-cli-'.length + 12)}`;
    return {
      isReusable: true,
      works: bearer(relay, token),
      revoke: () => callOrThrow(relay, relay.owner, 'DELETE', `cli-tokens/${id}`),
      expire: () => relay.sql(`UPDATE cli_token SET expires_at = now() - interval '1 second' WHERE id = $1`, [id]),
    };
  },
  'CLI token of the relay': async (relay) => {
    await relay.renewRoot();
    const { root } = relay;
    return {
      isReusable: true,
      works: async () => ((await relay.roleOf(root)) === 'owner' ? ADMIN : false),
      revoke: () => endRoot(relay, root),
    };
  },
  'device login, pending': async (relay) => {
    const { device, code } = await relay.startDeviceLogin();
    return {
      works: async () => {
        await relay.decideDeviceLogin(relay.owner, code);
        return (await relay.poll(device)).status === 200;
      },
      revoke: () => relay.decideDeviceLogin(relay.owner, code, 'deny'),
      expire: () => relay.sql(`UPDATE device_login SET expires_at = now() - interval '1 second'`),
    };
  },
  'device login, approved': async (relay, { browser }) => {
    const { device, code } = await relay.startDeviceLogin();
    await relay.decideDeviceLogin(browser, code);
    return {
      works: async () => {
        const { status, body } = await relay.poll(device);
        return status === 200 && bearer(relay, String(body['cli_token']))();
      },
      expire: () => relay.sql(`UPDATE device_login SET expires_at = now() - interval '1 second'`),
    };
  },
  'device login, denied': async (relay, { browser }) => {
    const { device, code } = await relay.startDeviceLogin();
    await relay.decideDeviceLogin(browser, code, 'deny');
    return {
      works: async () => (await relay.poll(device)).status === 200,
      expire: () => relay.sql(`UPDATE device_login SET expires_at = now() - interval '1 second'`),
    };
  },
  invite: (relay, { browser }) =>
    madeInvite(relay, browser, (id) => callOrThrow(relay, relay.owner, 'DELETE', `invites/${id}`)),
  'join token': (relay, { browser }) =>
    madeJoinToken(relay, browser, (id) => callOrThrow(relay, relay.owner, 'DELETE', `join-tokens/${id}`)),
  'invite, made by the relay': (relay) => madeInvite(relay, relay.root, () => relay.renewRoot()),
  'join token, made by the relay': (relay) => madeJoinToken(relay, relay.root, () => relay.renewRoot()),
  'console link': async (relay) => {
    const { root } = relay;
    const { url } = await callOrThrow(relay, root, 'POST', 'local/console-link');
    const token = String(url).split('#')[1];
    return {
      works: async () =>
        (await relay.somebody().call('POST', 'sign-in/link', { token }, relay.elsewhere())).status === 200,
      revoke: () => endRoot(relay, root),
      expire: () => relay.sql(`UPDATE console_link SET expires_at = now() - interval '1 second'`),
    };
  },
  'API key': async (relay, { browser, email }) => {
    const { key, key_id: id } = await callOrThrow(relay, browser, 'POST', 'keys', { name: email });
    const ask = () => fetch(`${relay.relay.url}/v1/models`, { headers: { authorization: `Bearer ${String(key)}` } });
    return {
      isReusable: true,
      works: async () => (await ask()).status === 200,
      revoke: () => callOrThrow(relay, relay.owner, 'DELETE', `keys/${String(id)}`),
      expire: async () => {
        // A verified key knows its own end, which this has moved.
        await relay.sql(`UPDATE api_key SET expires_at = now() - interval '1 second' WHERE id = $1`, [id]);
        relay.forgetKey(String(id));
      },
    };
  },
  password: (relay, { email, password }) =>
    Promise.resolve({
      isReusable: true,
      works: async () => {
        const { status, body } = await relay.signIn(email, password);
        return status === 200 && String(body['role']);
      },
    }),
  'temporary password': async (relay, subject) => {
    const { id, email } = subject;
    const { temporary_password: text } = await callOrThrow(relay, relay.owner, 'POST', `users/${id}/reset-password`);
    (subject as { password: string }).password = String(text);
    await relay.signIn(email, String(text), subject.browser);
    return {
      isReusable: true,
      works: async () => {
        const { status, body } = await relay.signIn(email, String(text));
        return status === 200 && String(body['role']);
      },
      expire: () =>
        relay.sql(`UPDATE "user" SET password_expires_at = now() - interval '1 second' WHERE id = $1`, [id]),
    };
  },
  'OpenID connection': (relay, subject) =>
    Promise.resolve({ isReusable: true, works: async () => (await relay.signInByOpenId(subject)) ?? false }),
};
