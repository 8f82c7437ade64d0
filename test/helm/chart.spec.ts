/**
 * The Helm chart, rendered with what Helm renders with (Go's templates and Sprig, from Debian packages), and every object checked against the
 * schema of its kind. Helm itself is in no package registry that the tests may use.
 */
import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { StatefulSet } from 'kubernetes-models/apps/v1';
import { Ingress } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { Service } from 'kubernetes-models/v1';
import { parseAllDocuments, parse } from 'yaml';
import { repositoryRoot } from '../support/process/ferry-process.js';

const chart = path.join(repositoryRoot, 'deploy/helm/ferry');
const kinds = { StatefulSet, Ingress, PodDisruptionBudget, Service } as const;

type Tree = Readonly<Record<string, unknown>>;
interface Rendered {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: Tree;
}

let folder: string;
let program: string;
let defaults: Tree;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'ferry-chart-'));
  program = path.join(folder, 'render-chart');
  const built = spawnSync('go', ['build', '-o', program, path.join(import.meta.dirname, 'render-chart.go')], {
    encoding: 'utf8',
    // Debian's Go packages are sources in this folder; no module is fetched.
    env: {
      ...process.env,
      GO111MODULE: 'off',
      GOPATH: '/usr/share/gocode',
      GOFLAGS: '-buildvcs=false',
      GOCACHE: folder,
    },
  });
  if (built.status !== 0) {
    const packages = 'golang-go golang-github-masterminds-sprig-dev golang-gopkg-yaml.v3-dev';
    throw new Error(
      `Go and its packages are needed (apt-get install ${packages}):\n${built.stderr}${built.error?.message ?? ''}`,
    );
  }
  defaults = parse(await readFile(path.join(chart, 'values.yaml'), 'utf8')) as Tree;
}, 180_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

/** Objects of the user's values are merged into those of the chart, as Helm does. */
function merged(base: Tree, changes: Tree): Tree {
  const result: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(changes)) {
    const both = isTree(value) && isTree(base[key]);
    result[key] = both ? merged(base[key] as Tree, value) : value;
  }
  return result;
}
const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value);

const required = { image: { repository: 'registry.example/ferry' }, baseUrl: 'https://relay.example' };

function run(values: Tree): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(program, [chart, 'relay', JSON.stringify(merged(defaults, values))], { encoding: 'utf8' });
}

/** @returns the objects; those of a kind that Kubernetes has are valid */
function render(values: Tree = {}): Rendered[] {
  const { status, stdout, stderr } = run(merged(required, values));
  expect(stderr).toBe('');
  expect(status).toBe(0);
  const objects = parseAllDocuments(stdout.slice(stdout.indexOf('# Source: ingress.yaml')))
    .map((document) => document.toJS() as Rendered | null)
    .filter((object) => object !== null);
  for (const object of objects) {
    if (!(object.kind in kinds)) continue;
    const Kind = kinds[object.kind as keyof typeof kinds];
    expect(() => new Kind(object as never).validate()).not.toThrow();
  }
  return objects;
}

const names = (objects: readonly Rendered[]): string[] =>
  objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`).sort();

interface PodSpec {
  readonly enableServiceLinks: boolean;
  readonly terminationGracePeriodSeconds: number;
  readonly containers: readonly {
    readonly command: readonly string[];
    readonly env: readonly { readonly name: string; readonly value: string }[];
    readonly envFrom?: unknown;
    readonly securityContext: Tree;
  }[];
}
const podOf = (objects: readonly Rendered[]): PodSpec => {
  const set = objects.find(({ kind }) => kind === 'StatefulSet');
  return (set?.spec['template'] as { spec: PodSpec }).spec;
};
const environmentOf = (objects: readonly Rendered[]): Record<string, string> =>
  Object.fromEntries((podOf(objects).containers[0]?.env ?? []).map(({ name, value }) => [name, value]));

describe('the Helm chart', () => {
  it('makes one relay with the embedded database from an image and an address', () => {
    const objects = render();
    expect(names(objects)).toEqual(['Service relay', 'Service relay-replicas', 'StatefulSet relay']);
    expect(environmentOf(objects)).toMatchObject({
      FERRY_BASE_URL: 'https://relay.example',
      FERRY_METRICS_PORT: '9464',
      FERRY_WORKERS: '1',
    });
    const pod = podOf(objects);
    expect(pod.containers[0]?.envFrom).toBeUndefined();
    expect(pod.containers[0]?.securityContext).toMatchObject({ readOnlyRootFilesystem: true });
    // Else a service named "ferry" would set FERRY_PORT=tcp://…
    expect(pod.enableServiceLinks).toBe(false);
  });

  it('starts the workers that it is told', () => {
    const database = { existingSecret: 'ferry-database' };
    expect(environmentOf(render({ workers: 'auto', database }))).toMatchObject({ FERRY_WORKERS: 'auto' });
    expect(environmentOf(render({ workers: 4, database }))).toMatchObject({ FERRY_WORKERS: '4' });
  });

  it('takes the address of NATS from a secret', () => {
    const objects = render({
      replicas: 2,
      database: { existingSecret: 'ferry-database' },
      nats: { existingSecret: 'ferry-nats' },
    });
    expect(podOf(objects).containers[0]?.env).toContainEqual({
      name: 'NATS_URL',
      valueFrom: { secretKeyRef: { name: 'ferry-nats', key: 'NATS_URL' } },
    });
  });

  it('makes three replicas on Postgres and NATS, with an ingress, a disruption budget and a pod monitor', () => {
    const objects = render({
      replicas: 3,
      database: { existingSecret: 'ferry-database' },
      nats: { url: 'nats://nats:4222' },
      ingress: { enabled: true, tlsSecret: 'relay-tls' },
      metrics: { podMonitor: true },
      trustedProxies: '10.0.0.0/8',
      settings: { FERRY_QUEUE_TIMEOUT_MS: '60000' },
      tolerations: [{ key: 'gpu', operator: 'Exists' }],
    });
    expect(names(objects)).toEqual([
      'Ingress relay',
      'PodDisruptionBudget relay',
      'PodMonitor relay',
      'Service relay',
      'Service relay-replicas',
      'StatefulSet relay',
    ]);
    expect(environmentOf(objects)).toMatchObject({
      NATS_URL: 'nats://nats:4222',
      FERRY_TRUSTED_PROXIES: '10.0.0.0/8',
      FERRY_QUEUE_TIMEOUT_MS: '60000',
    });
    expect(podOf(objects).containers[0]?.envFrom).toEqual([{ secretRef: { name: 'ferry-database' } }]);
    const ingress = objects.find(({ kind }) => kind === 'Ingress');
    expect(ingress?.spec).toMatchObject({ tls: [{ hosts: ['relay.example'] }], rules: [{ host: 'relay.example' }] });
  });

  describe('with a node', () => {
    const nodeOf = (node: Tree): { readonly pod: Tree; readonly container: Tree } => {
      const objects = render({ node: { enabled: true, joinSecret: 'ferry-join', ...node } });
      const set = objects.find(({ kind, metadata }) => kind === 'StatefulSet' && metadata.name === 'relay-node');
      const pod = (set?.spec['template'] as { spec: Tree }).spec;
      return { pod, container: (pod['containers'] as readonly Tree[])[0] ?? {} };
    };

    it('asks the device plugin for a graphics processor, and its runtime for the part of the driver that computes', () => {
      const gpu = { resource: 'nvidia.com/gpu', count: 2, runtimeClassName: 'nvidia', supplementalGroups: [105] };
      const { pod, container } = nodeOf({ gpu, resources: { limits: { memory: '16Gi' } } });
      expect(container['resources']).toEqual({ limits: { memory: '16Gi', 'nvidia.com/gpu': 2 } });
      expect(container['env']).toContainEqual({
        name: 'NVIDIA_DRIVER_CAPABILITIES',
        value: 'compute,graphics,utility',
      });
      expect(pod['runtimeClassName']).toBe('nvidia');
      expect(pod['securityContext']).toMatchObject({ runAsNonRoot: true, supplementalGroups: [105] });
    });

    it('joins once, with the token of a secret, and asks for no device by itself', () => {
      const { pod, container } = nodeOf({});
      expect(container['resources']).toEqual({ limits: null });
      expect(pod['runtimeClassName']).toBeUndefined();
      expect(pod['initContainers']).toMatchObject([
        { env: expect.arrayContaining([{ name: 'RELAY', value: 'https://relay.example' }]) as unknown },
      ]);
    });
  });

  it('leaves the credentials of the first account to the first replica', () => {
    const [, , script = ''] = podOf(render()).containers[0]?.command ?? [];
    const fileOf = (hostname: string): string =>
      spawnSync('sh', ['-c', script.replace(/exec node .*/, 'echo "$FERRY_BOOTSTRAP_CREDENTIALS_FILE"')], {
        encoding: 'utf8',
        env: { HOSTNAME: hostname, PATH: process.env['PATH'] },
      }).stdout.trim();
    expect(fileOf('relay-0')).toBe('/var/lib/ferry/bootstrap.json');
    expect(fileOf('relay-10')).toBe('');
  });

  it.each([
    ['an image', { image: { repository: '' } }, 'image.repository'],
    ['an address', { baseUrl: '' }, 'baseUrl'],
    ['a database for several replicas', { replicas: 2, nats: { url: 'nats://n:4222' } }, 'database.existingSecret'],
    ['a token for a node', { node: { enabled: true } }, 'node.joinSecret'],
    [
      'NATS for several replicas',
      { replicas: 2, database: { existingSecret: 'x' } },
      'nats.existingSecret or nats.url',
    ],
  ])('refuses to render without %s', (_what, values, message) => {
    const { status, stderr } = run(merged(required, values));
    expect(status).toBe(1);
    expect(stderr).toContain(message);
  });
});
