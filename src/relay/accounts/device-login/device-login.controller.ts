import type { IncomingMessage } from 'node:http';
import { Body, Get, Header, HttpCode, Inject, Param, Post, Req } from '@nestjs/common';
import { deviceAuthorizationRecord, shownUserCode } from './device-authorization.js';
import { DeviceLoginsService } from './device-logins.service.js';
import type { PendingDeviceLogin } from './device-logins.store.js';
import { Management, Public } from '../../platform/access/access.js';
import { CurrentPrincipal, type Principal } from '../../platform/access/request-principal.js';
import { RELAY_CONFIG, type RelayConfig } from '../../platform/config/relay-config.js';
import { ClientOrigins } from '../../platform/http/client-origin.js';
import { websiteUrl } from '../../platform/http/public-url.js';
import { unixSeconds } from '../../api/list-answer.js';
import { ManagementController } from '../../api/management-controller.js';
import { userRecord, UserRecord } from '../users/user-record.js';
import { ApproveDeviceLoginDto, DeviceTokenDto, StartDeviceLoginDto, UserCodeDto } from './device-login.dto.js';
import { ApiBody, ApiOperation, ApiParam, ApiProperty, ApiResponse } from '../../platform/openapi/decorators.js';
import { ApiErrors } from '../../platform/openapi/answers.js';

export class StartedDeviceLoginRecord {
  @ApiProperty({ description: 'For the command line alone.', example: '…' })
  readonly device_code: string;
  @ApiProperty({ description: 'For the person.' })
  readonly user_code: string;
  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'The page on which it is approved.',
    example: 'https://relay.example/console/device',
  })
  readonly verification_uri: string | null;
  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'The same with the code filled in.',
    example: 'https://relay.example/console/device?code=BCDF-GHJK',
  })
  readonly verification_uri_complete: string | null;
  @ApiProperty({
    description: 'What approves it, on a computer where `ferry` is signed in.',
    example: 'ferry login approve BCDF-GHJK',
  })
  readonly approve_command: string;
  @ApiProperty({ type: 'integer', description: 'Seconds.', example: 600 })
  readonly expires_in: number;
  @ApiProperty({ type: 'integer', description: 'Seconds between two questions.', example: 5 })
  readonly interval: number;
}

export class DeviceLoginTokenRecord {
  @ApiProperty({ description: 'The token itself, this once.', example: '…' })
  readonly cli_token: string;
  @ApiProperty()
  readonly account_id: string;
  @ApiProperty({ type: () => UserRecord, nullable: true })
  readonly user: UserRecord | null;
}

export class DeviceLoginRecord {
  @ApiProperty({ enum: ['device_login'] })
  readonly object: 'device_login';
  @ApiProperty()
  readonly user_code: string;
  @ApiProperty({ enum: ['pending', 'approved', 'denied'] })
  readonly state: 'pending' | 'approved' | 'denied';
  @ApiProperty({
    description: 'What the command line calls itself, and where it asked from: not yours? Then deny it.',
    example: 'build-server',
  })
  readonly client_name: string;
  @ApiProperty({ type: 'string', nullable: true, description: 'Where it asked from.', example: '203.0.113.7' })
  readonly client_address: string | null;
  @ApiProperty({ type: 'integer', description: 'When it began. Seconds since 1970.' })
  readonly created: number;
  @ApiProperty({ type: 'integer', description: 'Until when it can be approved. Seconds since 1970.' })
  readonly expires: number;
}

const UNNAMED = 'command line';

/** Sign-in of a command line on a machine without a browser (RFC 8628). */
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
  @ApiOperation({ operationId: 'startDeviceLogin', summary: 'Begin to sign a command line in' })
  @ApiBody({ type: StartDeviceLoginDto, required: false })
  @ApiResponse({
    status: 200,
    description: 'Show the user code, and ask for the token every `interval` seconds.',
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

  /** 400 with the code `authorization_pending` or `slow_down` until it is decided. */
  @Post('token')
  @Public()
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  @ApiOperation({ operationId: 'getDeviceLoginToken', summary: 'Ask whether somebody has approved' })
  @ApiResponse({ status: 200, description: 'The CLI token, shown this once.', type: DeviceLoginTokenRecord })
  @ApiErrors('authorization_pending', 'slow_down', 'expired_token', 'access_denied')
  async token(
    @Req() request: IncomingMessage,
    @Body() { device_code }: DeviceTokenDto,
  ): Promise<DeviceLoginTokenRecord> {
    const { accountId, text, user } = await this.logins.token(device_code, this.origins.of(request));
    return { cli_token: text, account_id: accountId, user: user === undefined ? null : userRecord(user) };
  }

  @Post('approve')
  @HttpCode(200)
  @Management('member')
  @ApiOperation({ operationId: 'approveDeviceLogin', summary: 'Sign a command line in as oneself' })
  @ApiResponse({ status: 200, description: 'Approved.', type: DeviceLoginRecord })
  @ApiErrors('not_found', 'insufficient_role')
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
  @Management('member')
  @ApiOperation({ operationId: 'denyDeviceLogin', summary: 'Refuse a command line' })
  @ApiResponse({ status: 200, description: 'Refused.', type: DeviceLoginRecord })
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

  /** Shown before the approval. */
  @Get(':userCode')
  @Management('member')
  @ApiOperation({ operationId: 'showDeviceLogin', summary: 'Look at a command line that wants to be signed in' })
  @ApiParam({ name: 'userCode', description: 'With or without the dash, in any case.' })
  @ApiResponse({ status: 200, description: 'Not yours? Then deny it.', type: DeviceLoginRecord })
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
