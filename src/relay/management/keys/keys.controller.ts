import { Body, Delete, Get, Header, Param, Post } from '@nestjs/common';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import { CurrentManager, type Manager } from '../../auth/identities.js';
import { KeysService } from '../../keys/keys.service.js';
import { listAnswer, type ListAnswer } from '../list-answer.js';
import { ManagementController } from '../management-controller.js';
import { CreateKeyDto } from './create-key.dto.js';
import { keyRecord, type KeyRecord } from './key-record.js';

interface CreatedKeyRecord extends KeyRecord {
  /** The key itself, this once. */
  readonly key: string;
}

@ManagementController('keys')
export class KeysController {
  constructor(private readonly keys: KeysService) {}

  @Get()
  async list(@CurrentManager() { accountId }: Manager): Promise<ListAnswer<KeyRecord>> {
    return listAnswer((await this.keys.list(accountId)).map(keyRecord));
  }

  @Post()
  @Header('cache-control', 'no-store')
  async create(@CurrentManager() { accountId }: Manager, @Body() body: CreateKeyDto): Promise<CreatedKeyRecord> {
    const { name, scopes, cluster_ids, expires_in_seconds } = body;
    const { key, text } = await this.keys.create(accountId, {
      name,
      scopes: scopes ?? ['inference'],
      clusterIds: cluster_ids ?? null,
      lifetimeMs: expires_in_seconds == null ? null : expires_in_seconds * 1_000,
    });
    return { ...keyRecord(key), key: text };
  }

  @Delete(':idOrName')
  async revoke(@CurrentManager() { accountId }: Manager, @Param('idOrName') idOrName: string): Promise<KeyRecord> {
    const key = await this.keys.revoke(accountId, idOrName);
    if (key === undefined) throw new FerryError('not_found', 'There is no active API key with this id or name.');
    return keyRecord(key);
  }
}
