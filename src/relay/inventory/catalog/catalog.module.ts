import { Module } from '@nestjs/common';
import { CatalogController } from './catalog.controller.js';
import { HubClient } from './hub-client.js';

@Module({ controllers: [CatalogController], providers: [HubClient] })
export class CatalogModule {}
