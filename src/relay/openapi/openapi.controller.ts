import { Controller, Get, Header, Inject, UseFilters } from '@nestjs/common';
import { Public } from '../platform/access/access.js';
import { RELAY_CONFIG, type RelayConfig } from '../platform/config/relay-config.js';
import { OpenAiErrorFilter } from '../platform/http/errors/error-filters.js';
import { openApiDocument } from './inference/document.js';

/** The OpenAPI document of this relay, with its own name and address (docs/reference/api-behaviour.md#surfaces). */
@Controller()
@Public()
@UseFilters(OpenAiErrorFilter)
export class OpenApiController {
  private json: string | undefined;
  private yaml: string | undefined;

  constructor(@Inject(RELAY_CONFIG) private readonly config: RelayConfig) {}

  /** Created at the first request, because the address is unknown before the relay listens. */
  @Get('openapi.json')
  @Header('content-type', 'application/json; charset=utf-8')
  @Header('cache-control', 'no-cache')
  async asJson(): Promise<string> {
    return (this.json ??= `${JSON.stringify(await openApiDocument(this.config), null, 2)}\n`);
  }

  @Get('openapi.yaml')
  @Header('content-type', 'application/yaml; charset=utf-8')
  @Header('cache-control', 'no-cache')
  async asYaml(): Promise<string> {
    // Few ask for it: a relay that starts does not load the package.
    const { stringify } = await import('yaml');
    return (this.yaml ??= stringify(await openApiDocument(this.config), { aliasDuplicateObjects: false }));
  }
}
