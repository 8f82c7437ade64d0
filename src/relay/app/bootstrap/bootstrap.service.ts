import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import type { AccountId } from '../../../kernel/ids.js';
import { AccountsStore } from '../../accounts/accounts.store.js';
import { CliTokensService } from '../../accounts/cli-tokens.service.js';
import { ClustersService } from '../../clusters/clusters.service.js';
import { hasScope } from '../../platform/access/caller.js';
import { KeyVerifier } from '../../keys/key-verifier.js';
import { KeysService } from '../../keys/keys.service.js';
import { RELAY_CONFIG, type RelayConfig } from '../../platform/config/relay-config.js';
import { ReadinessRegistry } from '../../platform/lifecycle/readiness-registry.js';
import { readCredentialsFile, writeCredentialsFile, type LocalCredentials } from './credentials-file.js';

const ACCOUNT_NAME = 'default';
/** Name of the API key and of the CLI token of the quickstart. */
const QUICKSTART = 'quickstart';

/** Ensures at every start that a first account exists and that the local credentials file is valid for it. */
@Injectable()
export class BootstrapService implements OnModuleInit {
  private done = false;

  constructor(
    private readonly accounts: AccountsStore,
    private readonly clusters: ClustersService,
    private readonly cliTokens: CliTokensService,
    private readonly keys: KeysService,
    private readonly verifier: KeyVerifier,
    private readonly readiness: ReadinessRegistry,
    @Inject(RELAY_CONFIG) private readonly config: RelayConfig,
  ) {}

  /** The relay listens before its address is known, so probes may arrive before the file is written. */
  onModuleInit(): void {
    this.readiness.register({
      name: 'bootstrap',
      check: () =>
        Promise.resolve(
          this.done ? { status: 'up' } : { status: 'down', message: 'the first account is being created' },
        ),
    });
  }

  /** Call it once the relay listens. Does nothing without the setting. */
  async run(): Promise<void> {
    const file = this.config.settings.bootstrapCredentialsFile;
    if (file !== undefined) {
      await writeCredentialsFile(file, await this.ensureFirstAccount(await readCredentialsFile(file)));
    }
    this.done = true;
  }

  /** Keeps valid credentials and replaces those that are missing, unknown, expired or revoked. */
  async ensureFirstAccount(known: LocalCredentials | undefined): Promise<LocalCredentials> {
    const principal = known && (await acceptedOrUndefined(this.cliTokens.verify(known.cli_token)));
    const caller = known && (await acceptedOrUndefined(this.verifier.verify(known.api_key)));
    const accountId = principal?.accountId ?? caller?.accountId ?? (await this.accounts.ensureFirst(ACCOUNT_NAME));
    const home = await this.clusters.home(accountId);
    const keepsToken = principal?.accountId === accountId;
    const keepsKey = caller?.accountId === accountId && hasScope(caller, 'inference');
    return {
      version: 1,
      base_url: this.config.baseUrl,
      account_id: accountId,
      cluster_id: home.id,
      cli_token: known && keepsToken ? known.cli_token : await this.cliTokens.replace(accountId, QUICKSTART),
      api_key: known && keepsKey ? known.api_key : await this.replaceKey(accountId),
    };
  }

  private async replaceKey(accountId: AccountId): Promise<string> {
    await this.keys.revoke(accountId, QUICKSTART, 'system');
    const { text } = await this.keys.create(
      accountId,
      { name: QUICKSTART, scopes: ['inference'], clusterIds: null, lifetimeMs: null },
      'system',
    );
    return text;
  }
}

/** Only a refused credential is replaced, not one that could not be verified because the database is down. */
async function acceptedOrUndefined<Identity>(verification: Promise<Identity>): Promise<Identity | undefined> {
  try {
    return await verification;
  } catch (error) {
    if (error instanceof FerryError && error.status === 401) return undefined;
    throw error;
  }
}
