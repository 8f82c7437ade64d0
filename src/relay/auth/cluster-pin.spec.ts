import type { IncomingMessage } from 'node:http';
import { describe, expect, it, jest } from '@jest/globals';
import { incomingRequest } from '../../../test/support/relay/incoming-request.js';
import { apiKeyIdOf, createClusterId, type AccountId, type ClusterId } from '../../kernel/ids.js';
import { ClusterDirectory } from '../clusters/cluster-directory.js';
import { noKeyLimits, type Caller } from '../platform/access/caller.js';
import { contextOf } from '../platform/http/request-context.js';
import { ClusterPinPipe } from './cluster-pin.js';
import { rememberCaller } from '../platform/access/request-principal.js';

const accountId = 'acc_1' as AccountId;
const [mine, alsoMine, foreign] = [createClusterId(), createClusterId(), createClusterId()] as const;
const caller: Caller = {
  accountId,
  keyPublicId: apiKeyIdOf('key000000000'),
  scopes: ['inference'],
  clusterIds: null,
  limits: noKeyLimits,
};

const list = jest.fn((owner: AccountId) =>
  Promise.resolve(
    (owner === accountId ? [mine, alsoMine] : [foreign]).map((id) => ({ id, name: id, createdAt: new Date() })),
  ),
);
const pipe = new ClusterPinPipe(
  new ClusterDirectory(
    { list },
    { freshMs: 30_000, staleMs: 300_000, maxEntries: 10, maxLoads: 10 },
    { monotonicMs: () => 0, wallMs: () => 0 },
  ),
);

function requestOf(rawHeaders: string[], clusterIds: Caller['clusterIds'] = null): IncomingMessage {
  const request = incomingRequest(rawHeaders);
  rememberCaller(request, { ...caller, clusterIds });
  return request;
}

/** As Nest calls it: whatever is thrown is a rejection. */
const pinOf = async (request: IncomingMessage): Promise<ClusterId | null> => pipe.transform(request);

describe('ClusterPinPipe', () => {
  it('pins nothing when the header is absent', () => {
    expect(pipe.transform(requestOf([]))).toBeNull();
  });

  it('pins to a cluster of the account, with one query', async () => {
    const request = requestOf(['x-cluster-id', ` ${mine} `]);
    expect(await pinOf(request)).toBe(mine);
    expect(contextOf(request).clusterId).toBe(mine);
    expect(await pinOf(requestOf(['X-Cluster-ID', alsoMine]))).toBe(alsoMine);
    expect(list).toHaveBeenCalledTimes(1);
  });

  it('refuses a header that was sent twice', async () => {
    const request = requestOf(['X-Cluster-ID', mine, 'x-cluster-id', mine]);
    await expect(pinOf(request)).rejects.toMatchObject({
      code: 'invalid_request',
      status: 400,
      param: 'X-Cluster-ID',
    });
  });

  it.each([
    '',
    ' ',
    'cl_',
    'cl_short',
    `${mine}, ${mine}`,
    "cl_' OR 1=1 --",
    'cl_ümlaut12345',
    `cl_${'a'.repeat(41)}`,
    '*',
  ])('ClusterPinPipe does not find the malformed %j', async (value) => {
    const request = requestOf(['X-Cluster-ID', value]);
    await expect(pinOf(request)).rejects.toMatchObject({ code: 'cluster_not_found', status: 404 });
  });

  it('answers for a cluster of another account as for a missing one', async () => {
    const [other, none] = await Promise.all(
      [foreign, createClusterId()].map((id) => pinOf(requestOf(['X-Cluster-ID', id])).catch((error: unknown) => error)),
    );
    expect(other).toMatchObject({
      code: 'cluster_not_found',
      message: 'X-Cluster-ID names no cluster of this account.',
    });
    expect(other).toEqual(none);
  });

  it('forbids a cluster outside the restriction of the key, but only the account’s own', async () => {
    const pinnedTo = (id: string): Promise<unknown> => pinOf(requestOf(['X-Cluster-ID', id], [mine]));
    await expect(pinnedTo(mine)).resolves.toBe(mine);
    await expect(pinnedTo(alsoMine)).rejects.toMatchObject({ code: 'cluster_not_allowed', status: 403 });
    await expect(pinnedTo(foreign)).rejects.toMatchObject({ code: 'cluster_not_found' });
  });
});
