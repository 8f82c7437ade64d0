import { Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiResponse } from 'nest-swagger';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import { ManagementController } from '../../platform/api/management-controller.js';
import { unixSecondsOrNull } from '../../platform/api/list-response.js';
import { Requires } from '../../platform/access/access.js';
import { CurrentPrincipal, type Principal } from '../../platform/access/request-principal.js';
import { ApiErrors } from '../../platform/openapi/responses.js';
import { CatalogListRecord, CatalogRepositoryRecord, SearchCatalogDto } from './catalog.dto.js';
import { HubClient } from './hub-client.js';

const HUB_NAME = /^(?!\.)[\w.-]{1,96}$/;

/** Models to install, from external catalogues. The relay sends the queries, so that the website needs no other origin. */
@ManagementController('catalog', 'Models and operations')
export class CatalogController {
  constructor(private readonly hub: HubClient) {}

  @Get()
  @Requires('catalog:read')
  @ApiOperation({ operationId: 'searchCatalog', summary: 'Search for models to install' })
  @ApiResponse({ status: 200, description: 'Repositories with GGUF files.', type: CatalogListRecord })
  @ApiErrors('catalog_unavailable')
  async search(
    @CurrentPrincipal() { accountId }: Principal,
    @Query() { q }: SearchCatalogDto,
  ): Promise<CatalogListRecord> {
    const models = await this.hub.search(accountId, q);
    return {
      object: 'list',
      data: models.map(({ id, downloads, likes, gated, updatedAt }) => ({
        object: 'catalog_model',
        id,
        downloads,
        likes,
        gated,
        updated: unixSecondsOrNull(updatedAt),
      })),
    };
  }

  @Get('hf/:owner/:repository')
  @Requires('catalog:read')
  @ApiOperation({ operationId: 'getCatalogRepository', summary: 'Get a repository on Hugging Face with its files' })
  @ApiResponse({ status: 200, description: 'The repository.', type: CatalogRepositoryRecord })
  @ApiErrors('not_found', 'catalog_unavailable')
  async repository(
    @CurrentPrincipal() { accountId }: Principal,
    @Param('owner') owner: string,
    @Param('repository') name: string,
  ): Promise<CatalogRepositoryRecord> {
    if (!HUB_NAME.test(owner) || !HUB_NAME.test(name)) {
      throw new FerryError('not_found', 'The catalogue has no such repository.');
    }
    const { id, gated, contextLength, architecture, files } = await this.hub.repository(accountId, owner, name);
    return {
      object: 'catalog_repository',
      id,
      gated,
      context_length: contextLength,
      architecture,
      files: files.map(({ path, sizeBytes, quantization, split }) => ({
        path,
        source: split ? null : `hf:${id}/${path}`,
        quantization,
        size_bytes: sizeBytes,
      })),
    };
  }
}
