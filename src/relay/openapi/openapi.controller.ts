import { Controller, Get, Header, Inject, UseFilters } from '@nestjs/common';
import { extensionNames, type ExtensionName } from '../../kernel/extension.js';
import { ExtensionState } from '../extensions/extension-state.js';
import { Public } from '../platform/access/access.js';
import { RELAY_CONFIG, type RelayConfig } from '../platform/config/relay-config.js';
import { OpenAiErrorFilter } from '../platform/http/errors/error-filters.js';
import { openApiDocument } from './inference/document.js';
import type { OpenApiDocument } from './inference/openapi-document.js';

/** The OpenAPI document of this relay, with its own name and address (docs/reference/api-behaviour.md#surfaces). */
@Controller()
@Public()
@UseFilters(OpenAiErrorFilter)
export class OpenApiController {
  /** The latest texts, of the same extensions. */
  private texts: { readonly extensions: string; json?: string; yaml?: string } = { extensions: '' };

  constructor(
    @Inject(RELAY_CONFIG) private readonly config: RelayConfig,
    private readonly extensions: ExtensionState,
  ) {}

  /** Created at the first request, because the address is unknown before the relay listens. */
  @Get('openapi.json')
  @Header('content-type', 'application/json; charset=utf-8')
  @Header('cache-control', 'no-cache')
  async asJson(): Promise<string> {
    const texts = this.current();
    return (texts.json ??= `${JSON.stringify(await this.document(), null, 2)}\n`);
  }

  @Get('openapi.yaml')
  @Header('content-type', 'application/yaml; charset=utf-8')
  @Header('cache-control', 'no-cache')
  async asYaml(): Promise<string> {
    // Few ask for it: a relay that starts does not load the package.
    const { stringify } = await import('yaml');
    const texts = this.current();
    return (texts.yaml ??= stringify(await this.document(), { aliasDuplicateObjects: false }));
  }

  private document(): Promise<OpenApiDocument> {
    return openApiDocument(this.config, this.served());
  }

  private served(): readonly ExtensionName[] {
    return extensionNames.filter((name) => this.extensions.isServed(name));
  }

  private current(): typeof this.texts {
    const extensions = this.served().join();
    if (this.texts.extensions !== extensions) this.texts = { extensions };
    return this.texts;
  }
}
