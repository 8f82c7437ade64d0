import { Module } from '@nestjs/common';
import { ProtocolsModule } from '../protocols.module.js';
import { ChatController } from './chat.controller.js';

@Module({ imports: [ProtocolsModule], controllers: [ChatController] })
export class ChatModule {}
