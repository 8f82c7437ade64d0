import { Module } from '@nestjs/common';
import { StreamCheckController } from './stream-check.controller.js';

@Module({ controllers: [StreamCheckController] })
export class StreamCheckModule {}
