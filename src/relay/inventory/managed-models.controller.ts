import { Get, Header } from '@nestjs/common';
import { Management } from '../platform/access/access.js';
import { CurrentManager, type Manager } from '../platform/access/identities.js';
import { Catalogue } from './catalogue.js';
import { ManagementController } from '../api/management-controller.js';

/** The inventory of the whole account for those who manage it: the list of `GET /v1/models`, under a CLI token. */
@ManagementController('models')
export class ManagedModelsController {
  constructor(private readonly catalogue: Catalogue) {}

  @Get()
  @Management('member')
  @Header('content-type', 'application/json; charset=utf-8')
  list(@CurrentManager() { accountId }: Manager): string {
    return this.catalogue.list(accountId, null);
  }
}
