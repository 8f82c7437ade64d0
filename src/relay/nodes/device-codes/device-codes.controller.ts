import { Body, Controller, Header, HttpCode, Inject, Post, Req, UseFilters, UseInterceptors } from '@nestjs/common';
import type { Request } from 'express';
import { Public } from '../../platform/access/access.js';
import { RELAY_CONFIG, type RelayConfig } from '../../platform/config/relay-config.js';
import { ClientOrigins } from '../../platform/http/client-origin.js';
import { ManagementErrorFilter } from '../../platform/http/errors/error-filters.js';
import { EnrolmentBodyInterceptor } from '../enrolment/enrolment-body.interceptor.js';
import { publicUrl } from '../../platform/http/public-url.js';
import { parseDeviceCodeRequest, parsePoll } from './device-code-request.js';
import { DeviceCodesService } from './device-codes.service.js';

interface DeviceCodeAnswer {
  readonly device_code: string;
  readonly user_code: string;
  /** null: this relay serves no page for it. */
  readonly verification_uri: null;
  /** What approves it, where `ferry` is signed in as an admin. */
  readonly approve_command: string;
  readonly expires_in: number;
  readonly interval: number;
}

interface EnrolledAnswer {
  readonly node_id: string;
  readonly cluster_id: string;
  readonly account_id: string;
  readonly relay_url: string;
}

const OK = 200;

/** The side of the asking computer. Public: it has nothing to show yet but its key. */
@Controller('link/device-code')
@Public()
@UseFilters(ManagementErrorFilter)
@UseInterceptors(EnrolmentBodyInterceptor)
export class DeviceCodesController {
  constructor(
    private readonly codes: DeviceCodesService,
    private readonly origins: ClientOrigins,
    @Inject(RELAY_CONFIG) private readonly config: RelayConfig,
  ) {}

  @Post()
  @HttpCode(OK)
  @Header('cache-control', 'no-store')
  async issue(@Body() body: unknown, @Req() request: Request): Promise<DeviceCodeAnswer> {
    const address = this.origins.of(request).ip;
    const issued = await this.codes.issue(parseDeviceCodeRequest(body), address);
    return {
      device_code: issued.deviceCode,
      user_code: issued.userCode,
      verification_uri: null,
      approve_command: `ferry nodes approve ${issued.userCode}`,
      expires_in: issued.expiresInSeconds,
      interval: issued.intervalSeconds,
    };
  }

  @Post('token')
  @HttpCode(OK)
  @Header('cache-control', 'no-store')
  async poll(@Body() body: unknown, @Req() request: Request): Promise<EnrolledAnswer> {
    const { nodeId, clusterId, accountId } = await this.codes.poll(parsePoll(body));
    return {
      node_id: nodeId,
      cluster_id: clusterId,
      account_id: accountId,
      relay_url: publicUrl(this.config, request),
    };
  }
}
