import { Controller, Get, Header, Inject, UseFilters } from '@nestjs/common';
import { Public } from '../platform/access/access.js';
import { RELAY_CONFIG, type RelayConfig } from '../platform/config/relay-config.js';
import { ManagementErrorFilter } from '../platform/http/errors/error-filters.js';
import { managementDocument } from './management/management-document.js';
import { ApiOperation, ApiResponse, ApiTags } from '../platform/openapi/decorators.js';

/** The OpenAPI document of the management API of this relay, with its own name and address. */
@Controller('api')
@ApiTags('Description')
@Public()
@UseFilters(ManagementErrorFilter)
export class ManagementDocumentController {
  private json: string | undefined;

  constructor(@Inject(RELAY_CONFIG) private readonly config: RelayConfig) {}

  /** Made at the first request: the address is not known before the relay listens. */
  @Get('openapi.json')
  @Header('content-type', 'application/json; charset=utf-8')
  @Header('cache-control', 'no-cache')
  @ApiOperation({ operationId: 'describe', summary: 'Get this document' })
  @ApiResponse({
    status: 200,
    description: 'OpenAPI 3.1, with the name and address of this relay.',
    schema: { type: 'object', description: 'An OpenAPI document.' },
  })
  asJson(): string {
    return (this.json ??= `${JSON.stringify(managementDocument(this.config), null, 2)}\n`);
  }
}
