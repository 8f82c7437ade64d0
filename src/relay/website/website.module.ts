import { Module } from '@nestjs/common';
import { CONSOLE_DIRECTORY, builtConsole } from './console-files.js';
import { ConsoleController } from './console.controller.js';

@Module({
  controllers: [ConsoleController],
  providers: [{ provide: CONSOLE_DIRECTORY, useValue: builtConsole }],
})
export class WebsiteModule {}
