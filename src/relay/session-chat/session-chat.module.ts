import { Module } from '@nestjs/common';
import { ProtocolsModule } from '../protocols/protocols.module.js';
import { SessionChatController } from './session-chat.controller.js';

@Module({ imports: [ProtocolsModule], controllers: [SessionChatController] })
export class SessionChatModule {}
