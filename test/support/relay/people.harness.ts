import { DataSource } from 'typeorm';
import type { AccountId } from '../../../src/kernel/ids.js';
import { AccountEntity } from '../../../src/relay/accounts/account.entity.js';
import { CliTokensService } from '../../../src/relay/accounts/cli-tokens.service.js';
import { AuditEventEntity } from '../../../src/relay/accounts/audit/audit-event.entity.js';
import { DeviceLoginController } from '../../../src/relay/accounts/device-login/device-login.controller.js';
import { InvitesController } from '../../../src/relay/accounts/invites/invites.controller.js';
import { OidcController } from '../../../src/relay/accounts/oidc/oidc.controller.js';
import { SessionController } from '../../../src/relay/accounts/sign-in/session.controller.js';
import { SignInController } from '../../../src/relay/accounts/sign-in/sign-in.controller.js';
import { UsersController } from '../../../src/relay/accounts/users/users.controller.js';
import { ResetPasswordController } from '../../../src/relay/accounts/passwords/reset-password.controller.js';
import { WhoAmIController } from '../../../src/relay/accounts/users/whoami.controller.js';
import { startManagementHarness, type ManagementHarness } from './management.harness.js';

export const PASSWORD = 'a long enough password';

/** A user of `/api`: with a cookie like a browser, or with a CLI token. */
export interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

export class Person {
  /** `name=value` of the last session cookie that was set. */
  cookie: string | undefined;

  constructor(
    private readonly url: string,
    private readonly cliToken?: string,
  ) {}

  get sessionText(): string {
    return this.cookie?.split('=')[1] ?? '';
  }

  async call(method: string, path: string, body?: object, headers: Record<string, string> = {}): Promise<ApiResponse> {
    const response = await fetch(`${this.url}/api/${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        'sec-fetch-site': 'same-origin',
        ...(this.cookie === undefined ? {} : { cookie: this.cookie }),
        ...(this.cliToken === undefined ? {} : { authorization: `Bearer ${this.cliToken}` }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    this.#remember(response.headers.getSetCookie()[0]);
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>,
    };
  }

  #remember(setCookie: string | undefined): void {
    const pair = setCookie?.split(';')[0];
    if (pair !== undefined) this.cookie = pair.endsWith('=') ? undefined : pair;
  }
}

/** One account and its users, without nodes and engines. */
export class PeopleHarness {
  readonly accountId = 'acc_0e0b1c2d3e4f5061728394a5b6c7d8e9' as AccountId;
  management!: ManagementHarness;
  /** With the account's own token. */
  root!: Person;

  #addresses = 0;

  static async start(env: Readonly<Record<string, string>> = {}): Promise<PeopleHarness> {
    const self = new PeopleHarness();
    self.management = await startManagementHarness({
      env: { FERRY_TRUSTED_PROXIES: '127.0.0.0/8', ...env },
      controllers: [
        SignInController,
        SessionController,
        WhoAmIController,
        UsersController,
        ResetPasswordController,
        InvitesController,
        DeviceLoginController,
        OidcController,
      ],
    });
    await self.database.manager.insert(AccountEntity, { id: self.accountId, name: 'people' });
    self.root = self.somebody(await self.management.app.get(CliTokensService).replace(self.accountId, 'quickstart'));
    return self;
  }

  get database(): DataSource {
    return this.management.app.get(DataSource);
  }

  somebody(cliToken?: string): Person {
    return new Person(this.management.url, cliToken);
  }

  /** An unused address, so that limits per address do not add up over the tests. */
  elsewhere(): Record<string, string> {
    this.#addresses += 1;
    return { 'x-forwarded-for': `198.51.${String(this.#addresses >> 8)}.${String(this.#addresses & 255)}` };
  }

  signIn(email: string, password: string, from = this.elsewhere(), person = this.somebody()): Promise<ApiResponse> {
    return person.call('POST', 'sign-in', { email, password }, from);
  }

  accept(token: unknown, email: string, person = this.somebody()): Promise<ApiResponse> {
    const newcomer = { token, email, password: PASSWORD, name: email.split('@')[0] };
    return person.call('POST', 'invites/accept', newcomer, this.elsewhere());
  }

  /** A user who was invited and has signed in. */
  async invited(role: string, email: string, by: Person = this.root): Promise<Person> {
    const { body } = await by.call('POST', 'invites', { role });
    const person = this.somebody();
    const { status } = await this.accept(body['invite_token'], email, person);
    if (status !== 201) throw new Error(`the invite was answered with ${String(status)}`);
    return person;
  }

  async idOf(person: Person): Promise<string> {
    return ((await person.call('GET', 'whoami')).body['user'] as { user_id: string }).user_id;
  }

  /** The audit trail, oldest first. */
  async actions(): Promise<string[]> {
    const { accountId } = this;
    const events = await this.database.manager.find(AuditEventEntity, {
      where: { accountId },
      order: { position: 'ASC' },
    });
    return events.map(({ action }) => action);
  }

  close(): Promise<void> {
    return this.management.close();
  }
}
