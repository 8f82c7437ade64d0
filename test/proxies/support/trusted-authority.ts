import { Agent, install, setGlobalDispatcher } from 'undici';
import { createTestAuthority, type TestAuthority } from '../../support/network/tls.js';

/** The authority of this test file, which its `fetch` trusts. That of Node cannot be told to trust one, but that of undici can. */
export async function trustedAuthority(): Promise<TestAuthority> {
  const trusted = await authority;
  install();
  setGlobalDispatcher(new Agent({ connect: { ca: trusted.certificate } }));
  return trusted;
}

const authority = createTestAuthority();
