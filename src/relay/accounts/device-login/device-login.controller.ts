import type { IncomingMessage } from 'node:http';
import { Body, Get, Header, HttpCode, Inject, Param, Post, Req } from '@nestjs/common';
import { DEVICE_LOGIN_INTERVAL_SECONDS, DeviceLoginsService } from './device-logins.service.js';
import type { PendingDeviceLogin } from './device-logins.store.js';
import { shownUserCode } from './user-code.js';
import { Management, Public } from '../../platform/access/access.js';
import { CurrentManager, type Manager } from '../../platform/access/identities.js';
import { RELAY_CONFIG, type RelayConfig } from '../../platform/config/relay-config.js';
import { ClientOrigins } from '../../platform/http/client-origin.js';
import { unixSeconds } from '../../api/list-answer.js';
import { ManagementController } from '../../api/management-controller.js';
import { userRecord, type UserRecord } from '../users/user-record.js';
import { ApproveDeviceLoginDto, DeviceTokenDto, StartDeviceLoginDto, UserCodeDto } from './device-login.dto.js';

interface StartedAnswer {
  readonly device_code: string;
  readonly user_code: string;
  /** null: this relay serves no page for it. */
  readonly verification_uri: null;
  readonly verification_uri_complete: null;
  /** What approves it, where `ferry` is signed in. */
  readonly approve_command: string;
  /** Seconds. */
  readonly expires_in: number;
  readonly interval: number;
}

interface TokenAnswer {
  /** The token itself, this once. */
  readonly cli_token: string;
  readonly account_id: string;
  readonly user: UserRecord | null;
}

interface DeviceLoginRecord {
  readonly object: 'device_login';
  readonly user_code: string;
  readonly state: 'pending' | 'approved' | 'denied';
  /** What the command line calls itself, and where it asked from: not yours? Then deny it. */
  readonly client_name: string;
  readonly client_address: string | null;
  readonly created: number;
  readonly expires: number;
}

const UNNAMED = 'command line';

/** How a command line on a machine without a browser is signed in (RFC 8628). */
@ManagementController('device-login')
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
  async start(@Req() request: IncomingMessage, @Body() { name }: StartDeviceLoginDto): Promise<StartedAnswer> {
    const { deviceCode, userCode } = await this.logins.start(name ?? UNNAMED, this.origins.of(request));
    return {
      device_code: deviceCode,
      user_code: shownUserCode(userCode),
      verification_uri: null,
      verification_uri_complete: null,
      approve_command: `ferry login approve ${shownUserCode(userCode)}`,
      expires_in: Math.floor(this.config.settings.deviceLoginLifetimeMs / 1_000),
      interval: DEVICE_LOGIN_INTERVAL_SECONDS,
    };
  }

  /** 400 with the code `authorization_pending` or `slow_down` until somebody decides. */
  @Post('token')
  @Public()
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  async token(@Req() request: IncomingMessage, @Body() { device_code }: DeviceTokenDto): Promise<TokenAnswer> {
    const { accountId, text, user } = await this.logins.token(device_code, this.origins.of(request));
    return { cli_token: text, account_id: accountId, user: user === undefined ? null : userRecord(user) };
  }

  @Post('approve')
  @HttpCode(200)
  @Management('member')
  async approve(
    @CurrentManager() manager: Manager,
    @Req() request: IncomingMessage,
    @Body() { user_code, role }: ApproveDeviceLoginDto,
  ): Promise<DeviceLoginRecord> {
    const decision = { approve: true, role: role ?? null } as const;
    return record(await this.logins.decide(manager, user_code, decision, this.origins.of(request)), 'approved');
  }

  @Post('deny')
  @HttpCode(200)
  @Management('member')
  async deny(
    @CurrentManager() manager: Manager,
    @Req() request: IncomingMessage,
    @Body() { user_code }: UserCodeDto,
  ): Promise<DeviceLoginRecord> {
    return record(await this.logins.decide(manager, user_code, { approve: false }, this.origins.of(request)), 'denied');
  }

  /** To be looked at before it is approved. */
  @Get(':userCode')
  @Management('member')
  async show(
    @CurrentManager() manager: Manager,
    @Req() request: IncomingMessage,
    @Param('userCode') userCode: string,
  ): Promise<DeviceLoginRecord> {
    return record(await this.logins.show(manager, userCode, this.origins.of(request)), 'pending');
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
