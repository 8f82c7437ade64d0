/**
 * How soon each page can be used, on a processor a quarter as fast, without a cache. The time depends on what else the machine does, so
 * this is no part of `npm test`: `npm test -- website-speed`, on a machine that does nothing else.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { framedPages } from '../support/browser/pages.js';
import { populate, type Populated } from '../support/browser/populate.js';
import { Website } from '../support/browser/website.harness.js';
import { TestRelay } from '../support/process/test-relay.js';
import type { Person } from '../support/relay/people.harness.js';

const INTERACTIVE_MS = 1_500;
const CPU_SLOWDOWN = 4;
const RUNS = 5;
/** After it nothing of the start is left to do. */
const WATCHED_MS = 4_000;

/** Notes when the page has drawn its data, and the end of the last task that kept it from answering. */
const watch = `
globalThis.start = { drawnMs: 0, lastTaskMs: 0 };
new PerformanceObserver((list) => {
  for (const { startTime, duration } of list.getEntries()) start.lastTaskMs = startTime + duration;
}).observe({ type: 'longtask', buffered: true });
new MutationObserver(() => {
  const isDrawn = document.querySelector('h1') && !document.querySelector('.mantine-Skeleton-root, [aria-busy=true]');
  if (!isDrawn) start.drawnMs = 0;
  else if (start.drawnMs === 0) start.drawnMs = performance.now();
}).observe(document, { childList: true, subtree: true, attributes: true });
`;

interface Start {
  readonly interactiveMs: number;
  /** Of the main thread's own processor time, which other processes do not change. */
  readonly scriptMs: number;
}

describe('each page on a slow processor', () => {
  let relay: TestRelay;
  let website: Website;
  let person: Person;
  let populated: Populated;
  beforeAll(async () => {
    relay = await TestRelay.start();
    website = await Website.open(relay);
    person = await website.person('owner');
    populated = await populate(relay);
  }, 120_000);
  afterAll(async () => {
    await website.close();
    await populated.stop();
    await relay.stop();
  }, 30_000);

  async function start(target: string): Promise<Start> {
    const { page, context } = await website.page({ person });
    const devTools = await context.newCDPSession(page);
    await devTools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
    await devTools.send('Performance.enable', { timeDomain: 'threadTicks' });
    await page.addInitScript(watch);
    await page.goto(website.url(target));
    await page.waitForTimeout(WATCHED_MS);
    const { drawnMs, lastTaskMs } = await page.evaluate<{ drawnMs: number; lastTaskMs: number }>('start');
    const { metrics } = await devTools.send('Performance.getMetrics');
    await context.close();
    if (drawnMs === 0) throw new Error(`${target} was not drawn within ${WATCHED_MS} ms`);
    const scriptSeconds = metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? NaN;
    return { interactiveMs: Math.max(drawnMs, lastTaskMs), scriptMs: scriptSeconds * 1_000 };
  }

  it(`can be used within ${INTERACTIVE_MS} ms`, async () => {
    const medians: Record<string, Start> = {};
    for (const target of framedPages) {
      const runs: Start[] = [];
      for (let run = 0; run < RUNS; run += 1) runs.push(await start(target));
      medians[target] = {
        interactiveMs: median(runs.map(({ interactiveMs }) => interactiveMs)),
        scriptMs: median(runs.map(({ scriptMs }) => scriptMs)),
      };
      process.stdout.write(`${target}: ${JSON.stringify(medians[target])}\n`);
    }
    expect(Object.entries(medians).filter(([, { interactiveMs }]) => interactiveMs > INTERACTIVE_MS)).toEqual([]);
  }, 900_000);
});

const median = (values: readonly number[]): number =>
  Math.round(values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN);
