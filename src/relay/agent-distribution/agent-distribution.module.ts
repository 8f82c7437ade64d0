import { Module } from '@nestjs/common';
import { BUNDLE_DIRECTORY, builtBundle } from './agent-bundle.js';
import { AgentDistributionController } from './agent-distribution.controller.js';

@Module({
  controllers: [AgentDistributionController],
  providers: [{ provide: BUNDLE_DIRECTORY, useValue: builtBundle }],
})
export class AgentDistributionModule {}
