/** What a browser has to fetch before it shows a page for the first time. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from '@jest/globals';
import { accessPages, framedPages } from '../support/browser/pages.js';
import { settle, Website } from '../support/browser/website.harness.js';
import { eventually } from '../support/clock/eventually.js';
import { repositoryRoot } from '../support/process/ferry-process.js';
import { shareRelay } from '../support/process/shared-deployment.js';
import type { Tenant } from '../support/process/tenant.js';
import { TestNode } from '../support/process/test-node.js';

const MOST_SCRIPT_BYTES = 230_000;
/** Files and data, until the page is drawn. */
const MOST_REQUESTS = 20;
/** What pages ask for regularly, they ask for every 2 s or less often. */
const SOONEST_REPEAT_MS = 1_900;
/** Evaluated before anything is drawn: what only some pages need, or what is not needed at once, does not belong there. */
const MOST_START_BYTES = 150_000;
const assets = path.join(repositoryRoot, 'dist/console/assets');

interface Asked {
  readonly url: string;
  readonly atMs: number;
}

const nameOf = ({ url }: Asked): string => path.posix.basename(new URL(url).pathname);

/** Of short messages. It is fetched 2 s after a start, with what it needs: on a slow computer the page is not drawn by then. */
const isFetchedLater = (name: string): boolean => name.startsWith('notice-list-');
/** Its files are asked for in any order. */
const AT_ONCE_MS = 100;

function askedAtStart(all: readonly Asked[]): readonly Asked[] {
  const later = all.find((asked) => isFetchedLater(nameOf(asked)))?.atMs ?? Infinity;
  return all.filter(({ atMs }) => atMs < later - AT_ONCE_MS);
}

/** Without what the page asks for again after a while, when a slow computer still draws it. */
const withoutRepeats = (all: readonly Asked[]): readonly Asked[] =>
  all.filter(({ url, atMs }, index) => {
    const before = all.slice(0, index).findLast((other) => other.url === url);
    return before === undefined || atMs - before.atMs < SOONEST_REPEAT_MS;
  });

/** As it is sent to a client that takes gzip. */
function gzippedBytes(name: string): number {
  const file = path.join(assets, name);
  return statSync(existsSync(`${file}.gz`) ? `${file}.gz` : file).size;
}

/** @returns the id of a streamed request, when it is in the request log */
async function askOnce(relay: Tenant): Promise<string> {
  const response = await relay.chat({ model: 'tiny', messages: [{ role: 'user', content: 'Hello' }], stream: true });
  await response.text();
  const id = response.headers.get('x-request-id') ?? '';
  await eventually('the request is in the request log', async () => {
    const { data } = await relay.manage<{ data: readonly { id: string }[] }>('GET', '/usage/requests');
    return data.some((row) => row.id === id);
  });
  return id;
}

describe('the first load', () => {
  let relay: Tenant;
  let website: Website;
  let computer: TestNode;
  let pagesOfData: readonly string[];
  shareRelay(async (tenant) => {
    relay = tenant;
    computer = await TestNode.start(relay, { name: 'studio' });
    const requestId = await askOnce(relay);
    pagesOfData = [`/computers/${await computer.id()}`, `/requests/${requestId}`];
    website = await Website.open(relay);
  });
  afterAll(async () => {
    await website.close();
    await computer.stop();
  }, 30_000);

  it(`has at most ${MOST_SCRIPT_BYTES / 1_000} kB of gzipped script and ${MOST_REQUESTS} requests on every page`, async () => {
    const person = await website.person('owner');
    const sizes: Record<string, number> = {};
    const requests: Record<string, number> = {};
    // One window for all pages of a kind: a document asks for all of its scripts, also for those that the browser has kept.
    for (const [targets, options] of [
      [[...framedPages, ...pagesOfData], { person }],
      [accessPages, {}],
    ] as const) {
      const { page, context, faults } = await website.page(options);
      // Opened and counted, but never answered: a computer or request that changes meanwhile has lists fetched again.
      await page.route('**/api/events', () => {});
      let asked: Asked[] = [];
      page.on('request', (request) => {
        asked.push({ url: request.url(), atMs: performance.now() });
      });
      for (const target of targets) {
        asked = [];
        await page.goto(website.url(target));
        await settle(page);
        // The library that draws them is part of what these pages load.
        if (target === '/usage' || target.startsWith('/computers/'))
          await page.locator('figure canvas').first().waitFor();
        const first = askedAtStart(asked);
        requests[target] = withoutRepeats(first).length;
        expect([target, faults]).toEqual([target, []]);
        const scripts = new Set(first.map(nameOf).filter((name) => name.endsWith('.js')));
        sizes[target] = [...scripts].reduce((sum, name) => sum + gzippedBytes(name), 0);
      }
      await context.close();
    }
    process.stdout.write(
      `first load, gzipped script: ${JSON.stringify(sizes)}; requests: ${JSON.stringify(requests)}\n`,
    );
    expect(Object.entries(requests).filter(([, number]) => number > MOST_REQUESTS)).toEqual([]);
    expect(Object.entries(sizes).filter(([, bytes]) => bytes > MOST_SCRIPT_BYTES || bytes === 0)).toEqual([]);
  }, 180_000);

  it('fetches the code of short messages after the start', () => {
    expect(readdirSync(assets).filter((name) => name.endsWith('.js') && isFetchedLater(name))).toHaveLength(1);
  });

  it(`draws the frame after at most ${MOST_START_BYTES / 1_000} kB of gzipped script`, async () => {
    const html = await (await fetch(website.url('/'), { headers: { accept: 'text/html' } })).text();
    const names = Array.from(html.matchAll(/\/console\/assets\/([^"]+\.js)"/g), ([, name = '']) => name);
    const bytes = names.reduce((sum, name) => sum + gzippedBytes(name), 0);
    process.stdout.write(`start-up, gzipped script: ${bytes}\n`);
    expect(names.length).toBeGreaterThan(0);
    expect(bytes).toBeLessThanOrEqual(MOST_START_BYTES);
  });

  it('lets the browser compile what every page calls at its start beside the download', () => {
    const compiled = readdirSync(assets).filter(
      (name) =>
        name.endsWith('.js') &&
        readFileSync(path.join(assets, name), 'utf8').startsWith('//# allFunctionsCalledOnLoad'),
    );
    expect(compiled.map((name) => name.split('-')[0])).toEqual(['index', 'shared', 'vendor']);
    for (const name of compiled) {
      expect(gunzipSync(readFileSync(path.join(assets, `${name}.gz`)))).toEqual(readFileSync(path.join(assets, name)));
    }
  });

  it.each([
    ['/', '/api/overview', 'overview-page'],
    ['/keys', '/api/keys', 'keys-page'],
    ['/chat', '/api/models', 'chat-page'],
    ['/usage?range=24h&by=key', '/api/usage/series', 'usage-page'],
    ['/settings/audit', '/api/audit', 'audit-trail'],
  ])(
    'asks for the data of %s while its code is fetched',
    async (target, data, script) => {
      const { page, context } = await website.page({ person: await website.person('owner') });
      let release = (): void => undefined;
      const held = new Promise<void>((resolve) => (release = resolve));
      await page.route(`**/${script}-*.js`, async (route) => {
        await held;
        await route.continue();
      });
      const asked = page.waitForRequest((request) => new URL(request.url()).pathname === data);
      await page.goto(website.url(target), { waitUntil: 'commit' });
      await asked;
      release();
      await settle(page);
      await context.close();
    },
    60_000,
  );

  it('fetches the library that draws charts while the data of the usage page are fetched', async () => {
    const { page, context } = await website.page({ person: await website.person('owner') });
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/api/usage/series?*', async (route) => {
      await held;
      await route.continue();
    });
    const asked = page.waitForRequest(/\/chart-canvas-[^/]*\.js$/);
    await page.goto(website.url('/usage'), { waitUntil: 'commit' });
    await asked;
    release();
    await settle(page);
    await context.close();
  }, 60_000);

  it('caches hashed files permanently and revalidates the page', async () => {
    const index = await fetch(website.url('/models'), { headers: { accept: 'text/html' } });
    const html = await index.text();
    expect(index.headers.get('cache-control')).toBe('no-store');
    const script = /src="(\/console\/assets\/[^"]+\.js)"/.exec(html)?.[1] ?? '';
    const asset = await fetch(`${relay.baseUrl}${script}`);
    expect([asset.status, asset.headers.get('cache-control')]).toEqual([200, expect.stringContaining('immutable')]);
    expect(html).not.toMatch(/<script(?![^>]*\bsrc=)/);
  });
});
