/**
 * The decorators of `@nestjs/swagger`, recorded instead of applied. A relay serves the committed document and never reads this metadata,
 * and loading the package would cost it some 10 MB and a fifth of a second; the generator of the document loads it and applies them.
 */
import type * as Swagger from '@nestjs/swagger';

type Package = typeof Swagger;
type Decorator = (target: object, key?: string | symbol, descriptor?: PropertyDescriptor) => void;
type DecoratorName =
  | 'ApiBody'
  | 'ApiExtension'
  | 'ApiExtraModels'
  | 'ApiOperation'
  | 'ApiParam'
  | 'ApiProperty'
  | 'ApiPropertyOptional'
  | 'ApiResponse'
  | 'ApiTags';

const recorded: ((swagger: Package) => void)[] = [];

/** Applies every recorded decorator, in the order of evaluation. Called once, after all controllers are imported. */
export function applyRecordedDecorators(swagger: Package): void {
  for (const apply of recorded.splice(0)) apply(swagger);
}

const recording =
  <Name extends DecoratorName>(name: Name) =>
  (...options: Parameters<Package[Name]>): ReturnType<Package[Name]> => {
    const decorator: Decorator = (target, key, descriptor) => {
      recorded.push((swagger) => {
        const make = swagger[name] as (...options: unknown[]) => Decorator;
        make(...options)(target, key, descriptor);
      });
    };
    return decorator as ReturnType<Package[Name]>;
  };

export const ApiBody = recording('ApiBody');
export const ApiExtension = recording('ApiExtension');
export const ApiExtraModels = recording('ApiExtraModels');
export const ApiOperation = recording('ApiOperation');
export const ApiParam = recording('ApiParam');
export const ApiProperty = recording('ApiProperty');
export const ApiPropertyOptional = recording('ApiPropertyOptional');
export const ApiResponse = recording('ApiResponse');
export const ApiTags = recording('ApiTags');
