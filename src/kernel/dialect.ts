/** The four inference protocols of the public contract (docs/reference/public-api.md#routes). */
export const dialects = ['chat', 'completions', 'responses', 'messages'] as const;
export type Dialect = (typeof dialects)[number];

/** A request may carry these besides text, and a model may accept them (docs/reference/inventory.md#model-reports). */
export const inputKinds = ['text', 'image', 'audio', 'video', 'file'] as const;
export type InputKind = (typeof inputKinds)[number];

/** Installed is not loaded (docs/reference/public-api.md#states): only `loaded` means resident and ready for inference now. */
export const modelStates = ['installed', 'loading', 'loaded', 'unloading', 'failed'] as const;
export type ModelState = (typeof modelStates)[number];
