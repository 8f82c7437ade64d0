/** One credential of each kind, made for a person of a running relay, and whether it still opens anything. */
import { generateKeyPairSync, sign } from 'node:crypto';
import type { AccountId, ApiKeyId, UserId } from '../../../src/kernel/ids.js';
import { AccountEntity } from '../../../src/relay/accounts/account.entity.js';
import { CliTokensService } from '../../../src/relay/accounts/cli-tokens.service.js';
import { OidcSignInService } from '../../../src/relay/accounts/oidc/oidc-sign-in.service.js';
import { UsersStore } from '../../../src/relay/accounts/users/users.store.js';
import { KeyRevocations } from '../../../src/relay/keys/key-revocations.js';
import { enrolmentMessage } from '../../../src/relay/nodes/handshake/node-signature.js';
import type { Role } from '../../../src/relay/platform/access/principal.js';
import { Person, type ApiResponse } from './people.harness.js';
import { QuickPasswordHasher } from './quick-password-hasher.js';
import { RelayHarness } from './relay.harness.js';

const PASSWORD = 'a long enough password';
const ISSUER = 'https://id.test';

/** A person who is an admin at first. */
export interface Subject {
  readonly id: UserId;
  readonly email: string;
  readonly password: string;
  /** Signed in just now. */
  readonly browser: Person;
}

/** Rate limits are no part of these tests. */
const env = {
  FERRY_TRUSTED_PROXIES: '127.0.0.0/8',
  FERRY_MANAGEMENT_PER_CREDENTIAL_PER_MINUTE: '1000000',
  FERRY_MANAGEMENT_PER_ACCOUNT_PER_MINUTE: '1000000',
  FERRY_MANAGEMENT_PER_ADDRESS_PER_MINUTE: '1000000',
  FERRY_MANAGEMENT_FAILED_PER_ADDRESS_PER_MINUTE: '1000000',
};

export class CredentialsHarness {
  readonly accountId = 'acc_credentials' as AccountId;
  /** An owner, who is never the subject. */
  owner!: Person;
  /** With the CLI token of the relay. */
  root!: Person;

  #passwordHash = '';
  #people = 0;
  #addresses = 0;

  private constructor(readonly relay: RelayHarness) {}

  static async start(): Promise<CredentialsHarness> {
    const self = new CredentialsHarness(await RelayHarness.start(env));
    await self.relay.database.manager.insert(AccountEntity, { id: self.accountId, name: 'credentials' });
    self.#passwordHash = await new QuickPasswordHasher().hash(PASSWORD);
    await self.renewRoot();
    self.owner = (await self.subject('owner')).browser;
    return self;
  }

  /** The relay finds no credentials file at its start. */
  async renewRoot(): Promise<void> {
    const tokens = this.relay.app.get(CliTokensService, { strict: false });
    this.root = this.somebody(await tokens.replace(this.accountId, 'quickstart'));
  }

  somebody(cliToken?: string): Person {
    return new Person(this.relay.url, cliToken);
  }

  /** An unused address, so that limits per address do not add up. */
  elsewhere(): Record<string, string> {
    this.#addresses += 1;
    return { 'x-forwarded-for': `198.51.${String(this.#addresses >> 8)}.${String(this.#addresses & 255)}` };
  }

  sql(query: string, parameters: readonly unknown[] = []): Promise<unknown> {
    return this.relay.database.query(query, [...parameters]);
  }

  async subject(role: Role = 'admin', oidc = false): Promise<Subject> {
    this.#people += 1;
    const name = `person-${String(this.#people)}`;
    const email = `${name}@example.com`;
    const user = await this.relay.database.transaction((manager) =>
      this.relay.app.get(UsersStore, { strict: false }).insert(manager, {
        accountId: this.accountId,
        email,
        name,
        role,
        passwordHash: oidc ? null : this.#passwordHash,
        ...(oidc && { oidc: { issuer: ISSUER, subject: name } }),
      }),
    );
    const browser = oidc ? this.somebody() : await this.signedIn(email, PASSWORD);
    if (oidc) await this.signInByOpenId({ email }, browser);
    return { id: user.id, email, password: PASSWORD, browser };
  }

  async signedIn(email: string, password: string): Promise<Person> {
    const person = this.somebody();
    expectStatus(await this.signIn(email, password, person), 200);
    return person;
  }

  signIn(email: string, password: string, person = this.somebody()): Promise<ApiResponse> {
    return person.call('POST', 'sign-in', { email, password }, this.elsewhere());
  }

  /** @returns the role of the session, which the browser gets; undefined when the provider's word is refused */
  async signInByOpenId({ email }: Pick<Subject, 'email'>, browser = this.somebody()): Promise<Role | undefined> {
    const person = { issuer: ISSUER, subject: email.split('@')[0] ?? '', verifiedEmail: email, name: undefined };
    const entered = await this.relay.app
      .get(OidcSignInService, { strict: false })
      .enter(person, { ip: '192.0.2.9', userAgent: null })
      .catch(() => undefined);
    // As its callback sets it, after the visit at the provider.
    if (entered !== undefined) browser.cookie = `${this.owner.cookie?.split('=')[0] ?? ''}=${entered.text}`;
    return entered?.principal.role;
  }

  async startDeviceLogin(): Promise<{ readonly device: string; readonly code: string }> {
    const { body } = await this.somebody().call('POST', 'device-login', { name: 'server' }, this.elsewhere());
    return { device: String(body['device_code']), code: String(body['user_code']) };
  }

  decideDeviceLogin(by: Person, code: string, decision: 'approve' | 'deny' = 'approve'): Promise<ApiResponse> {
    return by.call('POST', `device-login/${decision}`, { user_code: code }, this.elsewhere());
  }

  async poll(device: string): Promise<ApiResponse> {
    await this.sql('UPDATE device_login SET asked_at = NULL');
    return this.somebody().call('POST', 'device-login/token', { device_code: device }, this.elsewhere());
  }

  /** A command line that the person has signed in. */
  async commandLine(by: Person): Promise<string> {
    const { device, code } = await this.startDeviceLogin();
    expectStatus(await this.decideDeviceLogin(by, code), 200);
    return String((await this.poll(device)).body['cli_token']);
  }

  async roleOf(person: Person): Promise<Role | undefined> {
    const { status, body } = await person.call('GET', 'whoami');
    return status === 200 ? (body['role'] as Role) : undefined;
  }

  /** As after a change of it: it is read again. */
  forgetKey(id: string): void {
    const key = { accountId: this.accountId, keyPublicId: id as ApiKeyId };
    this.relay.app.get(KeyRevocations, { strict: false }).announceChange(key);
  }

  acceptInvite(token: string): Promise<ApiResponse> {
    this.#people += 1;
    const newcomer = { token, email: `newcomer-${String(this.#people)}@example.com`, password: PASSWORD };
    return this.somebody().call('POST', 'invites/accept', newcomer, this.elsewhere());
  }

  enrol(joinToken: string): Promise<Response> {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    return fetch(`${this.relay.url}/link/enrol`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...this.elsewhere() },
      body: JSON.stringify({
        join_token: joinToken,
        public_key: publicKey.export({ format: 'jwk' }).x,
        signature: sign(null, enrolmentMessage(joinToken), privateKey).toString('base64url'),
        node_name: 'desk',
        platform: 'linux-x64',
        agent_version: '0.1.0',
      }),
    });
  }

  stop(): Promise<void> {
    return this.relay.stop();
  }
}

function expectStatus({ status, body }: ApiResponse, expected: number): void {
  if (status !== expected) throw new Error(`answered with ${String(status)} ${JSON.stringify(body)}`);
}
