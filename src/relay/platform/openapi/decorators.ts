/**
 * Records calls of the decorators of `@nestjs/swagger` instead of applying them. The relay serves the committed document and never reads
 * this metadata; loading the package would cost 10 MB and 0.2 s. The generator of the document loads it and applies them. It is installed as
 * `nest-swagger` (scripts/openapi/management-document.ts).
 */
import type * as Swagger from 'nest-swagger';

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

const describedTypes = new Set<object>();

/**
 * Applies every recorded decorator, in the order of evaluation. Called after all controllers are imported.
 * @returns the request and answer classes with described fields
 */
export function applyRecordedDecorators(swagger: Package): ReadonlySet<object> {
  for (const apply of recorded.splice(0)) apply(swagger);
  return describedTypes;
}

const recording =
  <Name extends DecoratorName>(name: Name) =>
  (...options: Parameters<Package[Name]>): ReturnType<Package[Name]> => {
    const decorator: Decorator = (target, key, descriptor) => {
      if (name === 'ApiProperty' || name === 'ApiPropertyOptional') describedTypes.add(target.constructor);
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
