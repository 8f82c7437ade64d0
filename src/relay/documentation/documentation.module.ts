import { Module } from '@nestjs/common';
import { DocumentationController } from './documentation.controller.js';
import { OpenApiController } from './openapi.controller.js';

@Module({ controllers: [DocumentationController, OpenApiController] })
export class DocumentationModule {}
