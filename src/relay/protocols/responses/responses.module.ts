import { Module } from '@nestjs/common';
import { ProtocolsModule } from '../protocols.module.js';
import { ResponsesController } from './responses.controller.js';

@Module({ imports: [ProtocolsModule], controllers: [ResponsesController] })
export class ResponsesModule {}
