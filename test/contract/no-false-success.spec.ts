/**
 * Whatever a bad engine sends, on whatever route, no client in JavaScript takes it for a complete response
 * (docs/reference/stream-transport.md#misbehaving-engines has the table). test/python has those in Python.
 */
import { describe } from '@jest/globals';
import { testNoFalseSuccess } from '../support/client/no-false-success.js';
import { javascriptClients } from '../support/client/tier-one-clients.js';

// Its warnings are about settings that this suite leaves to the default.
globalThis.AI_SDK_LOG_WARNINGS = false;

describe('of an engine that misbehaves', () => {
  testNoFalseSuccess(javascriptClients, 30_000);
});
