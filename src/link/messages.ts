/**
 * The JSON payloads of control frames (docs/reference/link.md#messages). The other side is hostile until proven otherwise: every text and
 * list is bounded, unknown keys are dropped (a newer peer may send more), anything malformed closes the link with 1002. WINDOW is a bare
 * u32 and BODY, DATA and DATA_MORE are raw bytes: they are the hot path.
 */
export * from './messages/inventory.js';
export * from './messages/operations.js';
export * from './messages/requests.js';
export * from './messages/session.js';
