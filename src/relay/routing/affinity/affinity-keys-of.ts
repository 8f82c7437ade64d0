import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { isJsonObject, objectIn, type JsonObject } from '../../../kernel/json-object.js';
import type { Dialect } from '../../../kernel/dialect.js';
import type { AffinityKeys } from './affinity-keys.js';
import { conversationFingerprint } from './conversation-fingerprint.js';
import { addConversation } from './conversation-texts.js';
import { PrefixHashes } from './prefix-hashes.js';

/**
 * In order of precedence. Codex sends `session_id` (docs/reference/stream-transport.md#coding-agents-and-sdks); `x-session-id` is common
 * among routers.
 */
const sessionHeaders = ['x-session-id', 'session_id', 'session-id'] as const;
/** Longer values are ignored: a session id is short. */
const LONGEST_NAME_CHARACTERS = 512;

/** The keys that identify a request's conversation. Client text is stored as hashes only. */
export function affinityKeysOf(headers: IncomingHttpHeaders, dialect: Dialect, body: JsonObject): AffinityKeys {
  const { system, question } = conversationFingerprint(dialect, body);
  const hashes = new PrefixHashes();
  addConversation(hashes, dialect, body);
  const session = sessionName(headers, body);
  return {
    session: session === null ? null : digest(session),
    // With a session id the fingerprint of the prompt is not used.
    opening: session !== null || question === '' ? null : digest(`${system}\0${question}`),
    prefixes: hashes.prefixes,
  };
}

function sessionName(headers: IncomingHttpHeaders, body: JsonObject): string | null {
  for (const name of sessionHeaders) {
    const value = headers[name];
    if (isName(value)) return value;
  }
  if (isName(body['prompt_cache_key'])) return body['prompt_cache_key'];
  // Claude Code puts its session id into `metadata.user_id`.
  const user = isJsonObject(body['metadata']) ? objectIn(body, 'metadata')['user_id'] : undefined;
  return isName(user) && user.includes('session') ? user : null;
}

const isName = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= LONGEST_NAME_CHARACTERS;

const digest = (text: string): string => hash('sha1', text, 'base64');
