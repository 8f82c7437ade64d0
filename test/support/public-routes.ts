/** The routes below `/v1` that the relay's modules declare, read from the metadata of their controllers: no relay has to run for it. */
import 'reflect-metadata';
import { RequestMethod, type DynamicModule, type Type } from '@nestjs/common';
import { RelayModule, type RelayParts } from '../../src/relay/relay.module.js';

/** Providers get these, and none is made here. */
const noParts = { config: { settings: {} }, database: { options: {} }, drain: {} } as unknown as RelayParts;

type Imported = Type | DynamicModule;

/** @returns sorted, such as `GET /v1/models` */
export function publicRoutes(): string[] {
  return controllersBelow(RelayModule.forRoot(noParts), new Set())
    .flatMap(routesOf)
    .filter((route) => route.includes(' /v1/'))
    .sort();
}

function controllersBelow(imported: Imported, seen: Set<Type>): Type[] {
  const [type, dynamic] = 'module' in imported ? [imported.module, imported] : [imported, undefined];
  const known = seen.has(type);
  seen.add(type);
  const imports = [...((dynamic?.imports ?? []) as Imported[]), ...(known ? [] : listIn<Imported>('imports', type))];
  const controllers = [...(dynamic?.controllers ?? []), ...(known ? [] : listIn<Type>('controllers', type))];
  return [...controllers, ...imports.flatMap((next) => controllersBelow(next, seen))];
}

function routesOf(controller: Type): string[] {
  const prototype = controller.prototype as Record<string, object>;
  return Object.getOwnPropertyNames(prototype).flatMap((name) => {
    const handler = prototype[name]!;
    const method = Reflect.getMetadata('method', handler) as RequestMethod | undefined;
    if (method === undefined) return [];
    const path = [Reflect.getMetadata('path', controller), Reflect.getMetadata('path', handler)] as string[];
    return [`${RequestMethod[method]} /${path.join('/').split('/').filter(Boolean).join('/')}`];
  });
}

const listIn = <Item>(key: 'imports' | 'controllers', type: Type): Item[] =>
  (Reflect.getMetadata(key, type) as Item[] | undefined) ?? [];
