import { Module } from '@nestjs/common';
import { RoutingModule } from '../routing/routing.module.js';
import { InferenceResponder } from './inference-responder.service.js';

/** What the modules of the dialects import; it knows none of them. */
@Module({
  imports: [RoutingModule],
  providers: [InferenceResponder],
  exports: [InferenceResponder],
})
export class ProtocolsModule {}
