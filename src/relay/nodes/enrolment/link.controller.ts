import {
  Body,
  Controller,
  Get,
  Header,
  HttpCode,
  Inject,
  Post,
  Req,
  UseFilters,
  UseInterceptors,
} from '@nestjs/common';
import type { Request } from 'express';
import { Public } from '../../platform/access/access.js';
import { RELAY_CONFIG, type RelayConfig } from '../../platform/config/relay-config.js';
import { ClientOrigins } from '../../platform/http/client-origin.js';
import { ManagementErrorFilter } from '../../platform/http/errors/error-filters.js';
import { publicUrl } from '../../platform/http/public-url.js';
import { LinkNonces } from '../handshake/link-nonce.js';
import { EnrolmentBodyInterceptor } from './enrolment-body.interceptor.js';
import { parseEnrolmentRequest } from './enrolment-request.js';
import { EnrolmentService } from './enrolment.service.js';

interface Challenge {
  readonly nonce: string;
  readonly expires_in_ms: number;
}

interface EnrolledResponse {
  readonly node_id: string;
  readonly cluster_id: string;
  readonly account_id: string;
  /** The link URL to which the node connects; its signatures include the host. */
  readonly relay_url: string;
}

const UPGRADE_REQUIRED =
  'Nodes connect here by WebSocket, and this request had no "Upgrade: websocket" header.\n' +
  'If a node gets this response, a proxy in front of the relay removes the header: configure it to forward Upgrade and Connection for /link.\n';

/** HTTP routes of the link (docs/reference/security.md#nodes). Public, because they check a join token or a signature themselves. */
@Controller('link')
@Public()
@UseFilters(ManagementErrorFilter)
export class LinkController {
  constructor(
    private readonly nonces: LinkNonces,
    private readonly enrolments: EnrolmentService,
    private readonly origins: ClientOrigins,
    @Inject(RELAY_CONFIG) private readonly config: RelayConfig,
  ) {}

  /** Reached only without an `Upgrade` header: by a browser, or by a node behind a proxy that removes the header. */
  @Get()
  @HttpCode(426)
  @Header('upgrade', 'websocket')
  @Header('connection', 'upgrade')
  @Header('content-type', 'text/plain; charset=utf-8')
  @Header('cache-control', 'no-store')
  upgradeRequired(): string {
    return UPGRADE_REQUIRED;
  }

  @Get('challenge')
  @Header('cache-control', 'no-store')
  challenge(): Challenge {
    return { nonce: this.nonces.issue(), expires_in_ms: this.nonces.lifetimeMs };
  }

  @Post('enrol')
  @Header('cache-control', 'no-store')
  @UseInterceptors(EnrolmentBodyInterceptor)
  async enrol(@Body() body: unknown, @Req() request: Request): Promise<EnrolledResponse> {
    const address = this.origins.of(request).ip;
    const { nodeId, clusterId, accountId } = await this.enrolments.enrol(parseEnrolmentRequest(body), address);
    return {
      node_id: nodeId,
      cluster_id: clusterId,
      account_id: accountId,
      relay_url: publicUrl(this.config, request),
    };
  }
}
