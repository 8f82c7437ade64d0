import { Module } from '@nestjs/common';
import { ProtocolsModule } from '../protocols.module.js';
import { MessagesController } from './messages.controller.js';

@Module({ imports: [ProtocolsModule], controllers: [MessagesController] })
export class MessagesModule {}
