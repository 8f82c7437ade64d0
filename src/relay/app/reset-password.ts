/** `ferry users reset-password` and `create-owner`: set a password on the relay's computer, whether the relay runs or not. */
import { Logger, Module, type DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FerryError } from '../../kernel/errors/ferry-error.js';
import { InstanceLockedError } from '../../kernel/instance-lock.js';
import { systemClock } from '../../kernel/clock.js';
import { ApiModule } from '../platform/api/api.module.js';
import { ClustersModule } from '../clusters/clusters.module.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { requireAcceptablePassword } from '../accounts/passwords/password.js';
import { PasswordHasher } from '../accounts/passwords/password-hasher.js';
import { temporaryPassword } from '../accounts/passwords/temporary-password.js';
import { normalEmail } from '../accounts/users/email.js';
import { proveLocalReset, type LocalReset } from '../accounts/passwords/local-reset.js';
import { LocalOwnersService } from '../accounts/passwords/local-owners.service.js';
import { PasswordsService } from '../accounts/passwords/passwords.service.js';
import { ensureRelaySecret } from '../platform/config/relay-secret.js';
import type { RelaySettings } from '../platform/config/relay-settings.js';
import { loadRelaySettings, relayDirectory, type Environment } from '../platform/config/resolve-relay-config.js';
import { DatabaseModule } from '../platform/database/database.module.js';
import { DrainRegistry } from '../platform/lifecycle/drain-registry.js';
import { PlatformModule } from '../platform/platform.module.js';
import { requireDatabase } from '../backup/relay-data.js';
import { openRelayState, type RelayState } from './relay-state.js';

export interface ResetPasswordOptions {
  readonly env: Environment;
  /** Default: `reset`. `create-owner` makes a new owner of the first account. */
  readonly purpose?: LocalReset['purpose'];
  readonly email: string;
  /** The chosen password, 10 to 128 characters; absent: one is generated that is valid for an hour. */
  readonly password?: string;
}

export interface ResetPasswordResult {
  readonly email: string;
  /** To be handed over; absent when the password was given. */
  readonly temporaryPassword: string | undefined;
  /** Seconds since 1970 until which it is good; null when the password was given. */
  readonly expiresAt: number | null;
}

const TEMPORARY_MS = 3_600_000;
const RESPONSE_TIMEOUT_MS = 15_000;

/**
 * A reset ends every session and command line of the user, and enables a disabled one.
 * @throws SettingsError · FerryError `not_found` (nobody has the address), `invalid_request` (the password) · Error with one line
 * when there is no relay in this data directory, or it does not answer
 */
export async function resetPassword({
  env,
  purpose = 'reset',
  email,
  password,
}: ResetPasswordOptions): Promise<ResetPasswordResult> {
  // Nest logs to stdout before a program sets its own logger, and stdout must have nothing but the password.
  Logger.overrideLogger(false);
  const { values: settings } = loadRelaySettings(env);
  const directory = relayDirectory(env);
  await requireDatabase(settings, directory);
  if (password !== undefined) requireAcceptablePassword(password, 'password');
  const made = password === undefined ? temporaryPassword() : undefined;
  const issuedAtMs = systemClock.wallMs();
  const reset: LocalReset = {
    purpose,
    email: normalEmail(email),
    passwordHash: await new PasswordHasher().hash(password ?? made ?? ''),
    lifetimeMs: made === undefined ? null : TEMPORARY_MS,
    issuedAtMs,
  };
  await carryOut(settings, directory, reset);
  return {
    email: reset.email,
    temporaryPassword: made,
    expiresAt: made === undefined ? null : Math.floor((issuedAtMs + TEMPORARY_MS) / 1_000),
  };
}

async function carryOut(settings: RelaySettings, directory: string, reset: LocalReset): Promise<void> {
  let state: RelayState;
  try {
    state = await openRelayState({ settings, dataDirectory: directory, purpose: 'maintain' });
  } catch (error) {
    const address = error instanceof InstanceLockedError ? addressOf(error.holder) : undefined;
    if (address === undefined) throw error;
    return queryRunningRelay(address, settings.secret ?? (await ensureRelaySecret(directory)), reset);
  }
  try {
    const context = await NestFactory.createApplicationContext(ResetPasswordModule.forRoot(state), {
      logger: false,
      abortOnError: false,
    });
    try {
      if (reset.purpose === 'create-owner') await context.get(LocalOwnersService, { strict: false }).create(reset);
      else {
        await context
          .get(PasswordsService, { strict: false })
          .resetLocally(reset.email, reset.passwordHash, reset.lifetimeMs);
      }
    } finally {
      await context.close();
    }
  } finally {
    await state.close();
  }
}

/** The modules that a change of a password needs, without a server. */
@Module({})
class ResetPasswordModule {
  static forRoot({ config, database }: RelayState): DynamicModule {
    return {
      module: ResetPasswordModule,
      imports: [
        PlatformModule.forRoot(config, new DrainRegistry()),
        DatabaseModule.forRoot(database),
        ApiModule,
        AccountsModule,
        // Accounts are created with a first cluster.
        ClustersModule,
      ],
    };
  }
}

async function queryRunningRelay(baseUrl: string, secret: string, reset: LocalReset): Promise<void> {
  const response = await fetch(
    `${baseUrl}/api/local/${reset.purpose === 'reset' ? 'reset-password' : 'create-owner'}`,
    {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        email: reset.email,
        password_hash: reset.passwordHash,
        lifetime_ms: reset.lifetimeMs,
        issued_at_ms: reset.issuedAtMs,
        proof: proveLocalReset(secret, reset),
      }),
      redirect: 'error',
      signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
    },
  );
  if (response.ok) return;
  const { code, detail } = (await response.json().catch(() => ({}))) as {
    readonly code?: unknown;
    readonly detail?: unknown;
  };
  // The same response as when the relay does not run: the exit code depends on it.
  if ((code === 'not_found' || code === 'conflict') && typeof detail === 'string') throw new FerryError(code, detail);
  throw new Error(typeof detail === 'string' ? detail : `the relay answered with ${response.status}`);
}

const addressOf = (holder: object | undefined): string | undefined => {
  const address = holder !== undefined && 'base_url' in holder ? holder.base_url : undefined;
  return typeof address === 'string' ? address : undefined;
};
