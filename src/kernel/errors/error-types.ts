/** Clients' envelopes name errors by the catalogue's types, or by those of a status that an engine's own refusal keeps. */
import { definitionOf } from './error-catalogue.js';
import type { FerryError } from './ferry-error.js';

const openaiTypes: ReadonlyMap<number, string> = new Map([
  [404, 'not_found_error'],
  [429, 'rate_limit_error'],
]);
const anthropicTypes: ReadonlyMap<number, string> = new Map([...openaiTypes, [413, 'request_too_large']]);

export const openaiTypeOf = ({ code, status }: FerryError): string =>
  keptType(code, status, openaiTypes) ?? definitionOf(code).openaiType;

export const anthropicTypeOf = ({ code, status }: FerryError): string =>
  keptType(code, status, anthropicTypes) ?? definitionOf(code).anthropicType;

const keptType = (code: FerryError['code'], status: number, types: ReadonlyMap<number, string>): string | undefined =>
  status === definitionOf(code).status ? undefined : types.get(status);

/** The engine's own code, where it has one, is what its documentation explains. */
export const shownCodeOf = ({ code, engineCode }: FerryError): string => engineCode ?? code;
