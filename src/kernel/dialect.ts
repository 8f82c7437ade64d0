/** The four inference protocols of the public contract (spec §1). */
export const dialects = ['chat', 'completions', 'responses', 'messages'] as const;
export type Dialect = (typeof dialects)[number];

/** What a request may carry besides text, and what a model may accept (design §7). */
export const inputKinds = ['text', 'image', 'audio', 'video', 'file'] as const;
export type InputKind = (typeof inputKinds)[number];

/** Installed is not loaded (spec §3): only `loaded` means resident and ready for inference now. */
export const modelStates = ['installed', 'loading', 'loaded', 'unloading', 'failed'] as const;
export type ModelState = (typeof modelStates)[number];
