/** The routes that the relay's modules declare, read from the metadata of their controllers: no relay has to run for it. */
import 'reflect-metadata';
import { RequestMethod, type DynamicModule, type Type } from '@nestjs/common';
import { contractProtocols } from '../../src/dialects/protocols.js';
import { ACCESS, inferenceAccess, type Access } from '../../src/relay/platform/access/access.js';
import { RelayModule, type RelayParts } from '../../src/relay/app/relay.module.js';

/** Providers get these, and none is made here. */
const noParts = { config: { settings: {} }, database: { options: {} }, drain: {} } as unknown as RelayParts;

/** The whole tree of modules, of which nothing can be started. */
export const relayModule: DynamicModule = RelayModule.forRoot(noParts);

type Imported = Type | DynamicModule;

export interface DeclaredRoute {
  readonly method: string;
  /** With parameters in the syntax of the router: `/api/nodes/:nodeId`. */
  readonly path: string;
  /** Undefined: the guard admits no caller. */
  readonly access: Access | undefined;
}

/** With the inference routes of the contract, which have no controller of Nest. Those of extensions do not exist unless an owner switches them on. */
export const declaredRoutes = (): DeclaredRoute[] => [
  ...controllersBelow(relayModule, new Set()).flatMap(routesOf),
  ...contractProtocols.map(({ path }) => ({ method: 'POST', path, access: inferenceAccess })),
];

/** @returns sorted, such as `GET /v1/models` */
export const publicRoutes = (): string[] =>
  declaredRoutes()
    .filter(({ path }) => path.startsWith('/v1/'))
    .map(({ method, path }) => `${method} ${path}`)
    .sort();

function controllersBelow(imported: Imported, seen: Set<Type>): Type[] {
  const [type, dynamic] = 'module' in imported ? [imported.module, imported] : [imported, undefined];
  const known = seen.has(type);
  seen.add(type);
  const imports = [...((dynamic?.imports ?? []) as Imported[]), ...(known ? [] : listIn<Imported>('imports', type))];
  const controllers = [...(dynamic?.controllers ?? []), ...(known ? [] : listIn<Type>('controllers', type))];
  return [...controllers, ...imports.flatMap((next) => controllersBelow(next, seen))];
}

function routesOf(controller: Type): DeclaredRoute[] {
  const prototype = controller.prototype as Record<string, object>;
  return Object.getOwnPropertyNames(prototype).flatMap((name) => {
    const handler = prototype[name] ?? {};
    const method = Reflect.getMetadata('method', handler) as RequestMethod | undefined;
    if (method === undefined) return [];
    const path = [Reflect.getMetadata('path', controller), Reflect.getMetadata('path', handler)] as string[];
    const access = (Reflect.getMetadata(ACCESS, handler) ?? Reflect.getMetadata(ACCESS, controller)) as
      | Access
      | undefined;
    return [{ method: RequestMethod[method], path: `/${path.join('/').split('/').filter(Boolean).join('/')}`, access }];
  });
}

const listIn = <Item>(key: 'imports' | 'controllers', type: Type): Item[] =>
  (Reflect.getMetadata(key, type) as Item[] | undefined) ?? [];
