/** The four inference protocols of the public contract (docs/reference/public-api.md#routes). */
export const dialects = ['chat', 'completions', 'responses', 'messages'] as const;
export type ContractDialect = (typeof dialects)[number];

/** The requests of extensions that nodes answer (docs/reference/extensions.md). */
export const extensionDialects = ['messages-count', 'responses-count', 'embeddings', 'rerank'] as const;

export const allDialects = [...dialects, ...extensionDialects] as const;
export type Dialect = (typeof allDialects)[number];

const namesOfContract: readonly string[] = dialects;
export const isContractDialect = (dialect: Dialect): dialect is ContractDialect => namesOfContract.includes(dialect);

/** The kinds of requests that a node serves for a model, as it reports them. */
interface ServedDialects {
  readonly dialects: readonly ContractDialect[];
  readonly extension_dialects?: readonly string[] | undefined;
}

export const servesDialect = (model: ServedDialects, dialect: Dialect): boolean =>
  (model.dialects as readonly string[]).includes(dialect) || model.extension_dialects?.includes(dialect) === true;

/** A request may carry these besides text, and a model may accept them (docs/reference/inventory.md#model-reports). */
export const inputKinds = ['text', 'image', 'audio', 'video', 'file'] as const;
export type InputKind = (typeof inputKinds)[number];

/** Installed is not loaded (docs/reference/public-api.md#states): only `loaded` means resident and ready for inference now. */
export const modelStates = ['installed', 'loading', 'loaded', 'unloading', 'failed'] as const;
export type ModelState = (typeof modelStates)[number];
