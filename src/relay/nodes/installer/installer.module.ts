import { Module } from '@nestjs/common';
import { BUNDLE_DIRECTORY, builtBundle } from './agent-bundle.js';
import { InstallerController } from './installer.controller.js';

@Module({
  controllers: [InstallerController],
  providers: [{ provide: BUNDLE_DIRECTORY, useValue: builtBundle }],
})
export class InstallerModule {}
