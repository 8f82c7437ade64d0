/** A command line and a computer that wait for their approval. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { joinByDeviceCode } from '../../../src/agent/enrolment/join-by-device-code.js';
import type { RelayClient } from '../process/relay-client.js';

export interface WaitingDevices {
  /** Paths of the pages below the website that approve them. */
  readonly computer: string;
  readonly login: string;
  stop(): Promise<void>;
}

const pageOf = (userCode: string): string => `/device?code=${userCode}`;

export async function startDevices(relay: RelayClient): Promise<WaitingDevices> {
  const login = await startLogin(relay);
  const dataDirectory = await mkdtemp(path.join(tmpdir(), 'ferry-attic-'));
  const ended = new AbortController();
  let joining: Promise<unknown> = Promise.resolve();
  const userCode = await new Promise<string>((resolve, reject) => {
    joining = joinByDeviceCode({
      relayUrl: relay.baseUrl,
      name: 'attic',
      dataDirectory,
      caFile: undefined,
      signal: ended.signal,
      show: (code) => resolve(code.userCode),
    }).catch(reject);
  });
  return {
    computer: pageOf(userCode),
    login: pageOf(login),
    stop: async () => {
      ended.abort();
      await joining;
      await rm(dataDirectory, { recursive: true, force: true });
    },
  };
}

async function startLogin(relay: RelayClient): Promise<string> {
  const response = await fetch(`${relay.baseUrl}/api/device-login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'build-server' }),
  });
  return ((await response.json()) as { readonly user_code: string }).user_code;
}
