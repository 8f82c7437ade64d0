import { describe, expect, it } from '@jest/globals';
import { CliError } from '../errors/cli-error.js';
import { renderFailure, renderFailureJson } from './render-failure.js';

const error = new CliError('model_not_found', 5, 'model "nope" is not installed', {
  hint: 'ferry models list',
  requestId: 'req_1',
});

describe('a failure on the screen', () => {
  it('states the problem and the next step', () => {
    expect(renderFailure(error, false)).toBe(
      'error: model "nope" is not installed\n  try: ferry models list\n  request: req_1',
    );
  });

  it('a failure on the screen has no escape sequences without colours, not even those in a message from another computer', () => {
    const hostile = new CliError('failure', 1, 'name \u001b[2J\u0007 gone', { hint: undefined });
    expect(renderFailure(hostile, false)).toBe('error: name [2J gone');
  });

  it('a failure on the screen is one JSON object in the documented shape for programs', () => {
    expect(JSON.parse(renderFailureJson(error))).toEqual({
      error: {
        code: 'model_not_found',
        message: 'model "nope" is not installed',
        hint: 'ferry models list',
        request_id: 'req_1',
      },
    });
    expect(JSON.parse(renderFailureJson(new CliError('failure', 1, 'boom', { hint: undefined })))).toEqual({
      error: { code: 'failure', message: 'boom', hint: null, request_id: null },
    });
  });
});
