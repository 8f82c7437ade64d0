import { Module } from '@nestjs/common';
import { DocumentationController } from './documentation.controller.js';
import { ManagementDocumentController } from './management-document.controller.js';
import { OpenApiController } from './openapi.controller.js';

@Module({ controllers: [DocumentationController, OpenApiController, ManagementDocumentController] })
export class DocumentationModule {}
