import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountEntity } from '../accounts/account.entity.js';
import { ExtensionChoicesStore } from './extension-choices.store.js';
import { ExtensionState } from './extension-state.js';
import { ExtensionsController } from './extensions.controller.js';
import { ExtensionsService } from './extensions.service.js';

/** Global, because the guard and every route of an extension ask what is on. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([AccountEntity])],
  controllers: [ExtensionsController],
  providers: [ExtensionChoicesStore, ExtensionState, ExtensionsService],
  exports: [ExtensionState],
})
export class ExtensionsModule {}
