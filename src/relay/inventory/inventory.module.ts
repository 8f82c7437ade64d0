import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { NodesModule } from '../nodes/nodes.module.js';
import { Catalogue } from './catalogue.js';
import { KnownModelsStore } from './known-models.store.js';
import { ManagedModelsController, ModelsController } from './models.controller.js';
import { ModelEntity } from './model.entity.js';
import { NodeModelEntity } from './node-model.entity.js';

@Module({
  imports: [TypeOrmModule.forFeature([ModelEntity, NodeModelEntity]), NodesModule],
  controllers: [ModelsController, ManagedModelsController],
  providers: [KnownModelsStore, Catalogue],
  exports: [Catalogue],
})
export class InventoryModule {}
