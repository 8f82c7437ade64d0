import { Module } from '@nestjs/common';
import { RoutingModule } from '../routing/routing.module.js';
import { InferenceAnswers } from './inference-answers.service.js';

/** What the modules of the dialects import; it knows none of them. */
@Module({
  imports: [RoutingModule],
  providers: [InferenceAnswers],
  exports: [InferenceAnswers],
})
export class ProtocolsModule {}
