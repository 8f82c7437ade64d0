import { Module } from '@nestjs/common';
import { ProtocolsModule } from '../protocols.module.js';
import { CompletionsController } from './completions.controller.js';

@Module({ imports: [ProtocolsModule], controllers: [CompletionsController] })
export class CompletionsModule {}
