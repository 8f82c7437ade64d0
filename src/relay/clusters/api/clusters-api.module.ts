import { Module } from '@nestjs/common';
import { ClustersModule } from '../clusters.module.js';
import { ClustersController } from './clusters.controller.js';
import { JoinTokensController } from './join-tokens.controller.js';

/** Of their own module: the others that need clusters do without nodes. */
@Module({
  imports: [ClustersModule],
  controllers: [ClustersController, JoinTokensController],
})
export class ClustersApiModule {}
