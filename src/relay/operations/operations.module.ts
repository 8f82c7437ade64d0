import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { NodesModule } from '../nodes/nodes.module.js';
import { OperationEntity } from './operation.entity.js';
import { OperationsService } from './operations.service.js';
import { OperationsStore } from './operations.store.js';

@Module({
  imports: [TypeOrmModule.forFeature([OperationEntity]), NodesModule],
  providers: [OperationsStore, OperationsService],
  exports: [OperationsService],
})
export class OperationsModule {}
