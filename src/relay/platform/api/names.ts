/** Names of objects: any script, but no control characters or line separators, which could forge lines where they are shown. */
export const NAME = /^(?!\s)[^\p{C}\p{Zl}\p{Zp}]{1,64}(?<!\s)$/u;
export const NAME_RULE = '$property must have 1 to 64 visible characters and no space at either end';

/** A note in one line; nothing in it can hide or forge a line where it is shown. */
export const DESCRIPTION = /^[^\p{C}\p{Zl}\p{Zp}]{1,200}$/u;
export const DESCRIPTION_RULE = '$property must have 1 to 200 visible characters';

/** A key is revoked by its id or its name, so a name must not look like an id. */
export const KEY_NAME = new RegExp(`^(?!key_[0-9A-Za-z]{12}$)${NAME.source.slice(1)}`, 'u');
export const KEY_NAME_RULE = `${NAME_RULE}, and must not look like the id of a key`;

export const CLUSTER_ID_RULE = '$property must be the id of a cluster';
