import { Module } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { DatabaseReadiness } from '../platform/database/database-readiness.js';
import { HealthController } from './health.controller.js';

@Module({
  // Its own log line per failed probe would repeat what the answer says.
  imports: [TerminusModule.forRoot({ logger: false })],
  controllers: [HealthController],
  providers: [DatabaseReadiness],
})
export class HealthModule {}
