import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountEntity } from './account.entity.js';
import { AccountsStore } from './accounts.store.js';
import { CliTokenEntity } from './cli-token.entity.js';
import { CliTokensService } from './cli-tokens.service.js';
import { CliTokensStore } from './cli-tokens.store.js';

@Module({
  imports: [TypeOrmModule.forFeature([AccountEntity, CliTokenEntity])],
  providers: [AccountsStore, CliTokensStore, CliTokensService],
  exports: [AccountsStore, CliTokensService],
})
export class AccountsModule {}
