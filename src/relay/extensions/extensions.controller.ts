import { Body, Get, Param, Patch } from '@nestjs/common';
import { ApiOperation, ApiResponse } from 'nest-swagger';
import { extensionDefinitions, extensionNames, isExtensionName, type ExtensionName } from '../../kernel/extension.js';
import { FerryError } from '../../kernel/errors/ferry-error.js';
import type { AccountId } from '../../kernel/ids.js';
import { ManagementController } from '../platform/api/management-controller.js';
import { listResponse } from '../platform/api/list-response.js';
import { Requires } from '../platform/access/access.js';
import { CurrentPrincipal, type Principal } from '../platform/access/request-principal.js';
import { ApiErrors } from '../platform/openapi/responses.js';
import { ExtensionState } from './extension-state.js';
import { ChangeExtensionDto, ExtensionList, ExtensionRecord } from './extensions.dto.js';
import { ExtensionsService } from './extensions.service.js';

/** What the public API of the caller's account has beyond the contract. */
@ManagementController('extensions', 'Account')
export class ExtensionsController {
  constructor(
    private readonly extensions: ExtensionsService,
    private readonly state: ExtensionState,
  ) {}

  @Get()
  @Requires('account:read')
  @ApiOperation({
    operationId: 'listExtensions',
    summary: 'List the extensions of the public API',
    description: 'Parts of the public API that its contract does not have, and whether they are on for the account.',
  })
  @ApiResponse({ status: 200, description: 'All extensions that this version has.', type: ExtensionList })
  list(@CurrentPrincipal() { accountId }: Principal): ExtensionList {
    return listResponse(extensionNames.map((name) => this.record(accountId, name)));
  }

  @Patch(':extension')
  @Requires('account:write')
  @ApiOperation({
    operationId: 'changeExtension',
    summary: 'Switch an extension on or off',
    description:
      'For the account only. It is applied without a restart, by every replica of the relay within two seconds.',
  })
  @ApiResponse({ status: 200, description: 'The updated object.', type: ExtensionRecord })
  @ApiErrors('not_found')
  async change(
    @CurrentPrincipal() actor: Principal,
    @Param('extension') name: string,
    @Body() { enabled }: ChangeExtensionDto,
  ): Promise<ExtensionRecord> {
    if (!isExtensionName(name)) {
      throw new FerryError('not_found', `There is no extension of this name; these are: ${extensionNames.join(', ')}.`);
    }
    await this.extensions.choose(actor, name, enabled);
    return this.record(actor.accountId, name);
  }

  private record(accountId: AccountId, name: ExtensionName): ExtensionRecord {
    const { summary, gains } = extensionDefinitions[name];
    return {
      object: 'extension',
      name,
      enabled: this.state.isOn(name, accountId),
      default_enabled: this.state.isDefault(name),
      summary,
      gains,
    };
  }
}
