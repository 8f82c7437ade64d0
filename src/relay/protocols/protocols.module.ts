import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { ComposedRoutes } from '../platform/http/fast-path/composed-routes.js';
import { RoutingModule } from '../routing/routing.module.js';
import { InferenceResponder } from './inference-responder.service.js';

/** Shared providers, imported by the modules of the dialects, and the composition of their routes. */
@Module({
  imports: [RoutingModule, DiscoveryModule],
  providers: [InferenceResponder, ComposedRoutes],
  exports: [InferenceResponder],
})
export class ProtocolsModule {}
