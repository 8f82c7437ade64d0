import type { IncomingMessage } from 'node:http';
import { Body, Get, Header, HttpCode, Inject, Param, Post, Req } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiParam, ApiProperty, ApiResponse } from 'nest-swagger';
import { deviceAuthorizationRecord, shownUserCode } from './device-authorization.js';
import { DeviceLoginsService } from './device-logins.service.js';
import type { PendingDeviceLogin } from './device-logins.store.js';
import { Requires, Public } from '../../platform/access/access.js';
import { CurrentPrincipal, type Principal } from '../../platform/access/request-principal.js';
import { RELAY_CONFIG, type RelayConfig } from '../../platform/config/relay-config.js';
import { ClientOrigins } from '../../platform/http/client-origin.js';
import { websiteUrl } from '../../platform/http/public-url.js';
import { unixSeconds } from '../../platform/api/list-response.js';
import { ManagementController } from '../../platform/api/management-controller.js';
import { userRecord, UserRecord } from '../users/user-record.js';
import { ApproveDeviceLoginDto, DeviceTokenDto, StartDeviceLoginDto, UserCodeDto } from './device-login.dto.js';
import { ApiErrors } from '../../platform/openapi/responses.js';

export class StartedDeviceLoginRecord {
  @ApiProperty({ description: 'Secret of the command line, to poll for the token.', example: '…' })
  readonly device_code: string;
  @ApiProperty({ description: 'Code that the user enters.' })
  readonly user_code: string;
  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'Page on which the user approves the code.',
    example: 'https://relay.example/console/device',
  })
  readonly verification_uri: string | null;
  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'The same page with the code filled in.',
    example: 'https://relay.example/console/device?code=BCDF-GHJK',
  })
  readonly verification_uri_complete: string | null;
  @ApiProperty({
    description: 'Command that approves the code, on a computer where `ferry` is signed in.',
    example: 'ferry login approve BCDF-GHJK',
  })
  readonly approve_command: string;
  @ApiProperty({ type: 'integer', description: 'Lifetime of the codes, in seconds.', example: 600 })
  readonly expires_in: number;
  @ApiProperty({ type: 'integer', description: 'Minimum polling interval, in seconds.', example: 5 })
  readonly interval: number;
}

export class DeviceLoginTokenRecord {
  @ApiProperty({ description: 'The token. It cannot be retrieved again.', example: '…' })
  readonly cli_token: string;
  @ApiProperty()
  readonly account_id: string;
  @ApiProperty({ type: () => UserRecord, description: 'User whom the token signs in.' })
  readonly user: UserRecord;
}

export class DeviceLoginRecord {
  @ApiProperty({ enum: ['device_login'] })
  readonly object: 'device_login';
  @ApiProperty()
  readonly user_code: string;
  @ApiProperty({ enum: ['pending', 'approved', 'denied'] })
  readonly state: 'pending' | 'approved' | 'denied';
  @ApiProperty({
    description: 'Name that the command line reports. Deny a request that is not yours.',
    example: 'build-server',
  })
  readonly client_name: string;
  @ApiProperty({ type: 'string', nullable: true, description: 'IP address of the request.', example: '203.0.113.7' })
  readonly client_address: string | null;
  @ApiProperty({ type: 'integer', description: 'Start, in seconds since 1970.' })
  readonly created: number;
  @ApiProperty({ type: 'integer', description: 'Expiry, in seconds since 1970.' })
  readonly expires: number;
}

const UNNAMED = 'command line';

/** Sign-in of a command line on a computer without a browser (RFC 8628). */
@ManagementController('device-login', 'Device sign-in')
export class DeviceLoginController {
  constructor(
    private readonly logins: DeviceLoginsService,
    private readonly origins: ClientOrigins,
    @Inject(RELAY_CONFIG) private readonly config: RelayConfig,
  ) {}

  @Post()
  @Public()
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  @ApiOperation({ operationId: 'startDeviceLogin', summary: 'Start a device sign-in' })
  @ApiBody({ type: StartDeviceLoginDto, required: false })
  @ApiResponse({
    status: 200,
    description: 'The codes. Show the user code, and poll for the token every `interval` seconds.',
    type: StartedDeviceLoginRecord,
  })
  async start(
    @Req() request: IncomingMessage,
    @Body() { name }: StartDeviceLoginDto,
  ): Promise<StartedDeviceLoginRecord> {
    const started = await this.logins.start(name ?? UNNAMED, this.origins.of(request));
    const { deviceLoginLifetimeMs } = this.config.settings;
    const baseUrl = websiteUrl(this.config, request);
    return deviceAuthorizationRecord(started, deviceLoginLifetimeMs, 'ferry login approve', baseUrl);
  }

  /** Fails with 400 `authorization_pending` or `slow_down` until the user has decided. */
  @Post('token')
  @Public()
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  @ApiOperation({ operationId: 'getDeviceLoginToken', summary: 'Poll for the token of a device sign-in' })
  @ApiResponse({
    status: 200,
    description: 'The CLI token. It cannot be retrieved again.',
    type: DeviceLoginTokenRecord,
  })
  @ApiErrors('authorization_pending', 'slow_down', 'expired_token', 'access_denied')
  async token(
    @Req() request: IncomingMessage,
    @Body() { device_code }: DeviceTokenDto,
  ): Promise<DeviceLoginTokenRecord> {
    const { accountId, text, user } = await this.logins.token(device_code, this.origins.of(request));
    return { cli_token: text, account_id: accountId, user: userRecord(user) };
  }

  @Post('approve')
  @HttpCode(200)
  @Requires('sign-ins:write')
  @ApiOperation({
    operationId: 'approveDeviceLogin',
    summary: 'Approve a device sign-in',
    description: 'The token is of the approving user; what the token of the relay approves is of the oldest owner.',
  })
  @ApiResponse({ status: 200, description: 'The approved request.', type: DeviceLoginRecord })
  @ApiErrors('not_found', 'insufficient_role', 'recent_sign_in_needed')
  async approve(
    @CurrentPrincipal() principal: Principal,
    @Req() request: IncomingMessage,
    @Body() { user_code, role }: ApproveDeviceLoginDto,
  ): Promise<DeviceLoginRecord> {
    const decision = { approve: true, role: role ?? null } as const;
    return record(await this.logins.decide(principal, user_code, decision, this.origins.of(request)), 'approved');
  }

  @Post('deny')
  @HttpCode(200)
  @Requires('sign-ins:write')
  @ApiOperation({ operationId: 'denyDeviceLogin', summary: 'Deny a device sign-in' })
  @ApiResponse({ status: 200, description: 'The denied request.', type: DeviceLoginRecord })
  @ApiErrors('not_found')
  async deny(
    @CurrentPrincipal() principal: Principal,
    @Req() request: IncomingMessage,
    @Body() { user_code }: UserCodeDto,
  ): Promise<DeviceLoginRecord> {
    return record(
      await this.logins.decide(principal, user_code, { approve: false }, this.origins.of(request)),
      'denied',
    );
  }

  @Get(':userCode')
  @Requires('sign-ins:write')
  @ApiOperation({ operationId: 'showDeviceLogin', summary: 'Get a pending device sign-in' })
  @ApiParam({ name: 'userCode', description: 'Case-insensitive, with or without the dash.' })
  @ApiResponse({
    status: 200,
    description: 'The pending request. Deny a request that is not yours.',
    type: DeviceLoginRecord,
  })
  async show(
    @CurrentPrincipal() principal: Principal,
    @Req() request: IncomingMessage,
    @Param('userCode') userCode: string,
  ): Promise<DeviceLoginRecord> {
    return record(await this.logins.show(principal, userCode, this.origins.of(request)), 'pending');
  }
}

const record = (login: PendingDeviceLogin, state: DeviceLoginRecord['state']): DeviceLoginRecord => ({
  object: 'device_login',
  user_code: shownUserCode(login.userCode),
  state,
  client_name: login.clientName,
  client_address: login.clientAddress,
  created: unixSeconds(login.createdAt),
  expires: unixSeconds(login.expiresAt),
});
