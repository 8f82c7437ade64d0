/** `GET /v1/models` on a real socket: what applications see while computers come, go and change. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../../../test/support/clock/eventually.js';
import { accountId, NodesHarness, TestComputer, type TestLink } from '../../../test/support/relay/nodes.harness.js';
import { modelReport } from '../../../test/support/link/model-report.js';
import type { ClusterId } from '../../kernel/ids.js';
import { ClustersService } from '../clusters/clusters.service.js';
import { NodesService } from '../nodes/nodes.service.js';
import { modelSelector } from '../nodes/registry/node-inventory.js';
import type { ModelList, ModelRecord } from './model-list.js';

let relay: NodesHarness;
let apiKey: string;
let home: ClusterId;
let office: ClusterId;
let atHome: TestComputer;
let atOffice: TestComputer;
const links: TestLink[] = [];

beforeAll(async () => {
  relay = await NodesHarness.start();
  apiKey = await relay.apiKey();
  const clusters = relay.app.get(ClustersService, { strict: false });
  home = (await clusters.home(accountId)).id;
  office = (await clusters.create(accountId, 'office', 'system')).id;
  atHome = await TestComputer.enrolled(relay, home);
  atOffice = await TestComputer.enrolled(relay, office);
}, 60_000);

afterEach(async () => {
  for (const link of links.splice(0)) link.socket.terminate();
  await eventually('nobody is online', async () => (await ids()).length === 0);
});

afterAll(async () => {
  await relay.close();
}, 30_000);

const get = (headers: Record<string, string> = {}, key = apiKey): Promise<Response> =>
  fetch(`${relay.url}/v1/models?limit=1000`, { headers: { authorization: `Bearer ${key}`, ...headers } });
const list = async (headers: Record<string, string> = {}, key = apiKey): Promise<readonly ModelRecord[]> =>
  ((await (await get(headers, key)).json()) as ModelList).data;
const ids = async (headers: Record<string, string> = {}): Promise<string[]> =>
  (await list(headers)).map(({ id }) => id);
const selectorOf = (canonical_name: string): string =>
  modelSelector({ canonical_name, digest: null, quantization: null });

async function online(computer: TestComputer, ...models: ReturnType<typeof modelReport>[]): Promise<TestLink> {
  const before = await (await get()).text();
  const link = await computer.dial();
  links.push(link);
  link.report(...models);
  await eventually('the models are listed', async () => (await (await get()).text()) !== before);
  return link;
}

describe('GET /v1/models', () => {
  it('GET /v1/models is an empty list while no computer is on', async () => {
    const response = await get();
    expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
      200,
      'application/json; charset=utf-8',
      '{"object":"list","data":[]}',
    ]);
  });

  it('needs a key', async () => {
    const response = await fetch(`${relay.url}/v1/models`);
    expect([response.status, await response.text()]).toEqual([401, 'missing_or_malformed_credential']);
  });

  it('reports loaded by cluster, and filters by X-Cluster-ID', async () => {
    await online(atHome, modelReport('tiny'));
    await online(atOffice, modelReport('tiny', { state: 'installed' }));
    const [record] = await list();
    expect(record).toMatchObject({ id: 'tiny', owned_by: 'ferry', loaded: true });
    expect(new Map(record?.clusters.map(({ cluster_id, loaded }) => [cluster_id, loaded]))).toEqual(
      new Map([
        [home, true],
        [office, false],
      ]),
    );
    expect(await list({ 'x-cluster-id': office })).toMatchObject([
      { id: 'tiny', loaded: false, clusters: [{ cluster_id: office, loaded: false }] },
    ]);
    expect((await get({ 'x-cluster-id': 'cl_unknown00000' })).status).toBe(404);
  });

  it('shows a restricted key its clusters only', async () => {
    await online(atHome, modelReport('a'));
    await online(atOffice, modelReport('b'));
    const restricted = await relay.apiKey([office]);
    expect((await list({}, restricted)).map(({ id }) => id)).toEqual(['b']);
  });

  it('keeps the ids of two models with one name, pinned, while one is off, and after a restart of the relay', async () => {
    const llama = (canonical_name: string) => modelReport(canonical_name, { display_name: 'Llama', canonical_name });
    const both = [selectorOf('x'), selectorOf('y')].sort();
    await online(atHome, llama('x'));
    const office$ = await online(atOffice, llama('y'));
    expect(await ids()).toEqual(both);
    expect(await ids({ 'x-cluster-id': home })).toEqual([selectorOf('x')]);

    office$.socket.terminate();
    await eventually('the office is offline', async () => (await ids()).length === 1);
    expect(await ids()).toEqual([selectorOf('x')]);

    const created = (await list())[0]?.created;
    await relay.restart();
    await online(atHome, llama('x'));
    expect(await ids()).toEqual([selectorOf('x')]);
    expect((await list())[0]?.created).toBe(created);
  });

  it('drops models of a computer that goes offline', async () => {
    const link = await online(atHome, modelReport('tiny'));
    link.socket.terminate();
    await eventually('the list is empty', async () => (await ids()).length === 0);
  });

  it('frees an ambiguous name when the other computer is no longer enrolled', async () => {
    await online(atHome, modelReport('x', { display_name: 'Llama' }));
    await online(atOffice, modelReport('y', { display_name: 'Llama' }));
    await relay.app.get(NodesService, { strict: false }).revoke(accountId, atOffice.nodeId, 'system');
    expect(await ids()).toEqual(['Llama']);
  });
});
