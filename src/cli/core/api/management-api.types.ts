/** The requests and responses of `/api`, as its OpenAPI document has them. */
import type { paths } from '../../../../openapi/management.types.js';

/** Bodies of `/api`, by the names of its OpenAPI document. */
export type { Schemas } from '../../../../openapi/management.types.js';

type Method = 'get' | 'post' | 'patch' | 'delete';

/** Paths with an operation of that method. */
export type PathWith<M extends Method> = {
  [Path in keyof paths]: paths[Path] extends Record<M, object> ? Path : never;
}[keyof paths];

type Operation<Path extends keyof paths, M extends Method> = NonNullable<paths[Path][M]>;

/** A body as callers have it: what they hold is read-only, and an undefined field is left out of the JSON. */
type Given<Value> = Value extends readonly (infer Item)[]
  ? readonly Given<Item>[]
  : Value extends object
    ? { readonly [Name in keyof Value]: Given<Value[Name]> | UndefinedIfOptional<Value, Name> }
    : Value;
type UndefinedIfOptional<Value, Name extends keyof Value> = object extends Pick<Value, Name> ? undefined : never;

/** Values for the `{names}` of the path. */
type PathPart<Op> = Op extends { parameters: { path: infer Names } } ? { readonly path: Given<Names> } : object;

/** Undefined parameters are left out. */
type QueryPart<Op> = Op extends { parameters: { query?: infer Query } }
  ? { readonly query?: { readonly [Name in keyof NonNullable<Query>]?: NonNullable<Query>[Name] | undefined } }
  : object;

/** Parameters of a `GET`. */
export type QueryOf<Path extends PathWith<'get'>> =
  QueryPart<Operation<Path, 'get'>> extends { readonly query?: infer Query } ? NonNullable<Query> : never;

type BodyPart<Op> = Op extends { requestBody: { content: { 'application/json': infer Body } } }
  ? { readonly body: Given<Body> }
  : Op extends { requestBody?: { content: { 'application/json': infer Body } } }
    ? { readonly body?: Given<Body> }
    : object;

/** @property whenMissing hint for a 404 response */
export type RequestTo<Path extends keyof paths, M extends Method> = PathPart<Operation<Path, M>> &
  QueryPart<Operation<Path, M>> &
  BodyPart<Operation<Path, M>> & { readonly whenMissing?: string | undefined };

/** The request may be left out where nothing in it is required. */
export type RequestArgument<Path extends keyof paths, M extends Method, More = object> =
  object extends RequestTo<Path, M> ? [request?: RequestTo<Path, M> & More] : [request: RequestTo<Path, M> & More];

type Json<Response> = Response extends { content: { 'application/json': infer Body } } ? Body : never;

type JsonOf<Op> = Op extends { responses: infer Responses } ? Json<Responses[keyof Responses]> : never;

/** The body of a success; an empty object where there is none. */
export type ResponseOf<Path extends keyof paths, M extends Method> = [JsonOf<Operation<Path, M>>] extends [never]
  ? object
  : JsonOf<Operation<Path, M>>;

/** Paths of lists. */
export type ListPath = {
  [Path in PathWith<'get'>]: ResponseOf<Path, 'get'> extends { data: unknown[] } ? Path : never;
}[PathWith<'get'>];

export type ItemOf<Path extends ListPath> = ResponseOf<Path, 'get'> extends { data: (infer Item)[] } ? Item : never;
