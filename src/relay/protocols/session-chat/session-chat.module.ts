import { Module } from '@nestjs/common';
import { AccountsModule } from '../../accounts/accounts.module.js';
import { ProtocolsModule } from '../protocols.module.js';
import { SessionChatController } from './session-chat.controller.js';

@Module({ imports: [AccountsModule, ProtocolsModule], controllers: [SessionChatController] })
export class SessionChatModule {}
