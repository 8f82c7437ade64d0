import {
  Injectable,
  RequestMethod,
  type ExceptionFilter,
  type OnApplicationBootstrap,
  type Type,
} from '@nestjs/common';
import {
  CONTROLLER_WATERMARK,
  CUSTOM_ROUTE_ARGS_METADATA,
  EXCEPTION_FILTERS_METADATA,
  FILTER_CATCH_EXCEPTIONS,
  HTTP_CODE_METADATA,
  METHOD_METADATA,
  PATH_METADATA,
  ROUTE_ARGS_METADATA,
  SELF_DECLARED_DEPS_METADATA,
} from '@nestjs/common/internal';
import { ApplicationConfig, DiscoveryService, HttpAdapterHost, MetadataScanner, ModuleRef } from '@nestjs/core';
import type { CustomParameter, RouteParts } from './composed-route.js';

/** An adapter that calls the parts of a route itself. */
interface ComposingAdapter {
  compose(path: string, parts: RouteParts): void;
}

/** Metadata that are composed, or that Nest does not read of a route. With any other that is set, the route is left to Nest. */
const COMPOSED = new Set<unknown>([
  PATH_METADATA,
  METHOD_METADATA,
  HTTP_CODE_METADATA,
  EXCEPTION_FILTERS_METADATA,
  CONTROLLER_WATERMARK,
  SELF_DECLARED_DEPS_METADATA,
  'design:type',
  'design:paramtypes',
  'design:returntype',
]);

/** Pipes and filters belong to the modules of their controllers; those of one class are alike. */
const ANYWHERE = { strict: false } as const;

type RouteArguments = Readonly<
  Record<string, Omit<CustomParameter, 'pipe' | 'metatype'> & { readonly pipes: readonly unknown[] }>
>;

/**
 * Composes the routes of controllers that consist of known parts only, from the metadata that Nest reads, too, and hands them to the adapter.
 * With anything global but guards, all are left to Nest.
 */
@Injectable()
export class ComposedRoutes implements OnApplicationBootstrap {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly modules: ModuleRef,
    private readonly application: ApplicationConfig,
    private readonly adapters: HttpAdapterHost,
  ) {}

  onApplicationBootstrap(): void {
    const adapter: unknown = this.adapters.httpAdapter;
    if (!isComposing(adapter) || !this.hasOnlyGuards()) return;
    for (const wrapper of this.discovery.getControllers()) {
      if (!wrapper.isDependencyTreeStatic() || wrapper.instance === undefined) continue;
      const controller = wrapper.instance as object;
      for (const name of this.scanner.getAllMethodNames(Object.getPrototypeOf(controller) as object)) {
        const route = this.routeOf(controller, name);
        if (route !== undefined) adapter.compose(route.path, route.parts);
      }
    }
  }

  private hasOnlyGuards(): boolean {
    const { application: config } = this;
    return (
      config.getGlobalPrefix() === '' &&
      [
        config.getGlobalPipes(),
        config.getGlobalInterceptors(),
        config.getGlobalPreRequestHooks(),
        config.getGlobalRequestGuards(),
        config.getGlobalRequestPipes(),
        config.getGlobalRequestInterceptors(),
      ].every(({ length }) => length === 0)
    );
  }

  /** Undefined: Nest calls it. */
  private routeOf(controller: object, name: string): { readonly path: string; readonly parts: RouteParts } | undefined {
    const type = controller.constructor as Type;
    const method = (controller as Record<string, unknown>)[name] as RouteParts['method'];
    const status: unknown = Reflect.getMetadata(HTTP_CODE_METADATA, method);
    const parameter = this.parameterOf(type, name);
    const filter = this.filterOf(type);
    if (
      Reflect.getMetadata(METHOD_METADATA, method) !== RequestMethod.POST ||
      Reflect.getMetadata(PATH_METADATA, method) !== '/' ||
      typeof status !== 'number' ||
      parameter === undefined ||
      filter === undefined ||
      !isComposable(method) ||
      !isComposable(type)
    )
      return undefined;
    const guards = this.application.getGlobalGuards();
    return {
      path: `/${String(Reflect.getMetadata(PATH_METADATA, type))}`,
      parts: { guards, controller, method, parameter, filter, status },
    };
  }

  private parameterOf(type: Type, name: string): CustomParameter | undefined {
    const parameters = Reflect.getMetadata(ROUTE_ARGS_METADATA, type, name) as RouteArguments | undefined;
    const [only, second] = Object.entries(parameters ?? {});
    if (only === undefined || second !== undefined || !only[0].includes(CUSTOM_ROUTE_ARGS_METADATA)) return undefined;
    const { factory, data, pipes } = only[1];
    const [pipe, otherPipe] = pipes;
    if (typeof pipe !== 'function' || otherPipe !== undefined) return undefined;
    const [metatype] = (Reflect.getMetadata('design:paramtypes', type.prototype as object, name) ?? []) as Type[];
    return { factory, data, metatype, pipe: this.modules.get(pipe, ANYWHERE) };
  }

  private filterOf(type: Type): ExceptionFilter | undefined {
    const filters = (Reflect.getMetadata(EXCEPTION_FILTERS_METADATA, type) ?? []) as readonly unknown[];
    const [filter] = filters;
    if (filters.length !== 1 || typeof filter !== 'function') return undefined;
    const caught = (Reflect.getMetadata(FILTER_CATCH_EXCEPTIONS, filter) ?? []) as readonly unknown[];
    return caught.length === 0 ? this.modules.get(filter as Type<ExceptionFilter>, ANYWHERE) : undefined;
  }
}

const isComposing = (adapter: unknown): adapter is ComposingAdapter =>
  typeof (adapter as Partial<ComposingAdapter> | undefined)?.compose === 'function';

/** Symbols are the relay's own, for its guards. */
const isComposable = (target: object): boolean =>
  (Reflect.getMetadataKeys(target) as readonly (string | symbol)[]).every(
    (key) => typeof key === 'symbol' || COMPOSED.has(key) || Reflect.getMetadata(key, target) === undefined,
  );
