import { Module } from '@nestjs/common';
import { RoutingModule } from '../routing/routing.module.js';
import { InferenceResponder } from './inference-responder.service.js';

/** Shared providers, imported by the modules of the dialects. */
@Module({
  imports: [RoutingModule],
  providers: [InferenceResponder],
  exports: [InferenceResponder],
})
export class ProtocolsModule {}
