import type { IncomingMessage } from 'node:http';
import { Body, HttpCode, Inject, Post, Req } from '@nestjs/common';
import { ApiOperation, ApiResponse } from 'nest-swagger';
import { systemClock } from '../../../kernel/clock.js';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import { AddressLimits } from '../../platform/limits/address-limits.js';
import { isLocalReset, type LocalReset } from './local-reset.js';
import { LocalOwnersService } from './local-owners.service.js';
import { PasswordsService } from './passwords.service.js';
import { Public } from '../../platform/access/access.js';
import { RELAY_CONFIG, type RelayConfig } from '../../platform/config/relay-config.js';
import { ClientOrigins } from '../../platform/http/client-origin.js';
import { ManagementController } from '../../platform/api/management-controller.js';
import { LocalResetDto } from './local-reset.dto.js';
import { userRecord, UserRecord } from '../users/user-record.js';
import { ApiErrors } from '../../platform/openapi/responses.js';

/** Serves `ferry users reset-password` and `create-owner` while the relay has its embedded database open. */
@ManagementController('local', 'Account')
export class LocalResetController {
  constructor(
    private readonly passwords: PasswordsService,
    private readonly owners: LocalOwnersService,
    private readonly limits: AddressLimits,
    private readonly origins: ClientOrigins,
    @Inject(RELAY_CONFIG) private readonly config: RelayConfig,
  ) {}

  /** Authenticated by the proof in the body, which is computed with the relay's secret. */
  @Post('reset-password')
  @Public()
  @HttpCode(200)
  @ApiOperation({
    operationId: 'resetPasswordLocally',
    summary: 'Reset the password of an owner from the server',
    description:
      'Sent by `ferry users reset-password` on the server. The proof is computed with the secret of the relay.',
  })
  @ApiResponse({ status: 200, description: 'The user whose password was set.', type: UserRecord })
  @ApiErrors('invalid_credential', 'not_found')
  async reset(@Req() request: IncomingMessage, @Body() body: LocalResetDto): Promise<UserRecord> {
    const { email, passwordHash, lifetimeMs } = this.proven('reset', request, body);
    return userRecord(await this.passwords.resetLocally(email, passwordHash, lifetimeMs));
  }

  /** Authenticated like `reset`. */
  @Post('create-owner')
  @Public()
  @HttpCode(200)
  @ApiOperation({
    operationId: 'createOwnerLocally',
    summary: 'Create an owner of the first account from the server',
    description:
      'Sent by `ferry users create-owner` on the server. The proof is computed with the secret of the relay.',
  })
  @ApiResponse({ status: 200, description: 'The new owner.', type: UserRecord })
  @ApiErrors('invalid_credential', 'conflict')
  async createOwner(@Req() request: IncomingMessage, @Body() body: LocalResetDto): Promise<UserRecord> {
    return userRecord(await this.owners.create(this.proven('create-owner', request, body)));
  }

  private proven(purpose: LocalReset['purpose'], request: IncomingMessage, body: LocalResetDto): LocalReset {
    this.limits.count('sign-in', this.origins.of(request).ip);
    const { email, password_hash: passwordHash, issued_at_ms: issuedAtMs, proof } = body;
    const reset = { purpose, email, passwordHash, lifetimeMs: body.lifetime_ms ?? null, issuedAtMs };
    if (isLocalReset(this.config.secret, reset, proof, systemClock.wallMs())) return reset;
    throw new FerryError('invalid_credential', 'The proof is not from this relay, or too old.');
  }
}
