import { describe, expect, it } from '@jest/globals';
import { networkAdvice, networkFailure } from './network-failure.js';

const failed = (code: string, address?: string): Error =>
  Object.assign(new Error(`connect ${code}`), { code, address });

describe('why a relay could not be reached', () => {
  it('why a relay could not be reached is a code, with advice where there is any', () => {
    expect(networkFailure(failed('ECONNREFUSED'))).toBe('ECONNREFUSED');
    expect(networkFailure(failed('SELF_SIGNED_CERT_IN_CHAIN'))).toMatch(/^SELF_SIGNED_CERT_IN_CHAIN: .*FERRY_CA_FILE/);
  });

  it('names the setting of macOS that keeps a service from its own network', () => {
    const error = failed('EHOSTUNREACH', '192.168.1.20');
    expect(networkAdvice(error, 'darwin')).toContain('Privacy & Security > Local Network');
    expect(networkAdvice(error, 'linux')).toBeUndefined();
  });
});
