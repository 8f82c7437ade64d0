import { describe, expect, it } from '@jest/globals';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import type { AccountId } from '../../../kernel/ids.js';
import { serializeAnthropicError } from '../../platform/http/errors/error-family.js';
import { serializeOpenAiError } from '../../platform/http/errors/openai-error.js';
import { withJsonBody } from './json-error.js';

const account = 'acc_1' as AccountId;
const on = { isOn: () => true };
const off = { isOn: () => false };
const noNode = (): FerryError => new FerryError('no_node_for_user', undefined, { reason: 'model_not_loaded' });

describe('withJsonBody', () => {
  it('leaves every error alone while the extension is off, and all but the plain texts while it is on', () => {
    const plain = noNode();
    const other = new FerryError('capacity');
    expect(withJsonBody(plain, off, account)).toBe(plain);
    expect(withJsonBody(other, on, account)).toBe(other);
  });

  it('keeps status and headers, and says in a sentence why and what to do', () => {
    const before = serializeOpenAiError(noNode(), 'req_1');
    const after = serializeOpenAiError(withJsonBody(noNode(), on, account), 'req_1');
    expect(before.body).toBe('no node for user');
    expect(after).toEqual({
      status: before.status,
      headers: { ...before.headers, 'content-type': 'application/json; charset=utf-8' },
      body: expect.any(String),
    });
    expect(JSON.parse(after.body)).toEqual({
      error: {
        message:
          'The model is installed, but not loaded on any online node. Load it (`ferry models load`), then retry.',
        type: 'server_error',
        param: null,
        code: 'no_node_for_user',
      },
      request_id: 'req_1',
    });
  });

  it('says of paused nodes how they are resumed', () => {
    const paused = new FerryError('no_node_for_user', undefined, { reason: 'nodes_unavailable' });
    expect(withJsonBody(paused, on, account).message).toBe(
      'Every node that could serve the request is paused, draining or failing. Resume one (`ferry nodes resume`), then retry.',
    );
  });

  it('has the envelope of Anthropic on its routes, with the header of the challenge', () => {
    const refused = new FerryError('missing_or_malformed_credential', undefined, {
      headers: { 'www-authenticate': 'Bearer error="invalid_request"' },
    });
    const { status, headers, body } = serializeAnthropicError(withJsonBody(refused, on, undefined), 'req_1');
    expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer error="invalid_request"']);
    expect(JSON.parse(body)).toMatchObject({ type: 'error', error: { type: 'authentication_error' } });
  });

  it('changes an error once', () => {
    const changed = withJsonBody(noNode(), on, account);
    expect(withJsonBody(changed, on, account)).toBe(changed);
  });
});
