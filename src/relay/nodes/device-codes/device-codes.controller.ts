import { Body, Controller, Header, HttpCode, Inject, Post, Req, UseFilters, UseInterceptors } from '@nestjs/common';
import type { Request } from 'express';
import { deviceAuthorizationRecord } from '../../accounts/device-login/device-authorization.js';
import { Public } from '../../platform/access/access.js';
import { RELAY_CONFIG, type RelayConfig } from '../../platform/config/relay-config.js';
import { ClientOrigins } from '../../platform/http/client-origin.js';
import { ManagementErrorFilter } from '../../platform/http/errors/error-filters.js';
import { EnrolmentBodyInterceptor } from '../enrolment/enrolment-body.interceptor.js';
import { publicUrl, websiteUrl } from '../../platform/http/public-url.js';
import { parseDeviceCodeRequest, parsePoll } from './device-code-request.js';
import { DEVICE_CODE_LIFETIME_MS, DeviceCodesService } from './device-codes.service.js';

interface EnrolledResponse {
  readonly node_id: string;
  readonly cluster_id: string;
  readonly account_id: string;
  readonly relay_url: string;
}

const OK = 200;

/** Routes for the computer that enrols. Public, because its only credential is its new key. */
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
  async issue(@Body() body: unknown, @Req() request: Request): Promise<ReturnType<typeof deviceAuthorizationRecord>> {
    const address = this.origins.of(request).ip;
    const issued = await this.codes.issue(parseDeviceCodeRequest(body), address);
    const baseUrl = websiteUrl(this.config, request);
    return deviceAuthorizationRecord(issued, DEVICE_CODE_LIFETIME_MS, 'ferry nodes approve', baseUrl);
  }

  @Post('token')
  @HttpCode(OK)
  @Header('cache-control', 'no-store')
  async poll(@Body() body: unknown, @Req() request: Request): Promise<EnrolledResponse> {
    const { nodeId, clusterId, accountId } = await this.codes.poll(parsePoll(body));
    return {
      node_id: nodeId,
      cluster_id: clusterId,
      account_id: accountId,
      relay_url: publicUrl(this.config, request),
    };
  }
}
