/**
 * Long lists stay fluent: 1,000 models and 10,000 requests scroll without a task above 100 ms; and the longest values stay within their cells at
 * every width. The relay's answers are made up.
 */
import { afterAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { longestTaskEveryTime } from '../support/browser/trace.js';
import { timeFactor } from '../runner/time-factor.js';
import { settle, Website } from '../support/browser/website.harness.js';
import { shareRelay } from '../support/process/shared-deployment.js';

const LONGEST_TASK_MS = 100;
const STEPS = 40;

/** As with a wheel. */
async function scroll(page: Page): Promise<void> {
  for (let step = 0; step < STEPS; step += 1) {
    await page.mouse.wheel(0, 900);
    await page.waitForTimeout(40);
  }
}

const DRAWN_WITHIN_MS = 2_000;

/** In CSS pixels. 720 and 640 are also what is left of 1,440 and 1,280 at a zoom of 200 %. */
const WIDTHS = [390, 640, 720, 768, 1_024, 1_280, 1_440];

/** What is wider than its place: the page, or the content of a cell. As text: it is evaluated in the page. */
const OVERFLOWING = `(() => {
  const found = [];
  const excess = document.documentElement.scrollWidth - innerWidth;
  if (excess > 0) found.push('the page by ' + excess + ' px');
  for (const cell of document.querySelectorAll('[role=table]:not([data-cards]) :is(th, td), [data-cards] td')) {
    const wider = cell.scrollWidth - cell.clientWidth;
    if (wider > 1) found.push('"' + cell.textContent.slice(0, 40) + '" by ' + wider + ' px');
  }
  return found;
})()`;

/** What still overflows once the page has been drawn anew for another width, which takes some frames, and longer on a busy computer. */
async function lastingOverflow(page: Page): Promise<readonly string[]> {
  const endMs = performance.now() + DRAWN_WITHIN_MS * timeFactor;
  for (;;) {
    await page.waitForTimeout(100);
    const overflowing = await page.evaluate<readonly string[]>(OVERFLOWING);
    if (overflowing.length === 0 || performance.now() > endMs) return overflowing;
  }
}

describe('long lists', () => {
  let website: Website;
  shareRelay(async (relay) => {
    website = await Website.open(relay);
  });
  afterAll(async () => {
    await website.close();
  }, 30_000);

  it('long lists of 1,000 models scroll without a long task', async () => {
    const { page, context, faults } = await website.page({ person: await website.person('owner') });
    const node = { ...nodeRecord, models: Array.from({ length: 1_000 }, (_, index) => modelOf(index)) };
    await page.route('**/api/nodes?*', (route) => route.fulfill({ json: listOf([node]) }));
    await page.goto(website.url('/models'));
    await settle(page);
    expect(await page.locator('tbody').count()).toBeLessThan(200);
    const longest = await longestTaskEveryTime(() => website.longestTaskMs(page, () => scroll(page)), LONGEST_TASK_MS);
    expect(longest).toBeLessThan(LONGEST_TASK_MS);
    expect(faults).toEqual([]);
    await context.close();
  }, 60_000);

  it('long lists of 10,000 requests scroll without a long task', async () => {
    const { page, context, faults } = await website.page({ person: await website.person('owner') });
    await page.route('**/api/usage/requests?*', (route) => {
      const cursor = Number(new URL(route.request().url()).searchParams.get('cursor') ?? 0);
      const data = Array.from({ length: 200 }, (_, index) => requestOf(cursor + index));
      const next = cursor + 200;
      const more = next < 10_000;
      return route.fulfill({ json: { object: 'list', data, has_more: more, next_cursor: more ? String(next) : null } });
    });
    await page.goto(website.url('/requests'));
    await settle(page);
    await scroll(page);
    const longest = await longestTaskEveryTime(() => website.longestTaskMs(page, () => scroll(page)), LONGEST_TASK_MS);
    expect(longest).toBeLessThan(LONGEST_TASK_MS);
    expect(await page.locator('tbody').count()).toBeLessThan(200);
    expect(faults).toEqual([]);
    await context.close();
  }, 60_000);

  it('long lists have no overflow at any width with the longest values', async () => {
    const person = await website.person('owner', 'the-owner-of-every-computer@a-rather-long-domain.example');
    const { page, context, faults } = await website.page({ person });
    const replies: Readonly<Record<string, readonly object[]>> = {
      nodes: [0, 1].map((index) => ({ ...nodeRecord, ...largestNode(index) })),
      'usage/requests': Array.from({ length: 40 }, (_, index) => ({ ...requestOf(index), ...largestRequest(index) })),
      keys: [0, 1].map((index) => largestKey(index)),
    };
    for (const [path, data] of Object.entries(replies)) {
      await page.route(`**/api/${path}?*`, (route) => route.fulfill({ json: listOf(data) }));
    }
    const found: string[] = [];
    for (const target of ['/computers', '/models', '/keys', '/requests', '/settings/members', '/settings/audit']) {
      await page.goto(website.url(target));
      await settle(page);
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        const overflowing = await lastingOverflow(page);
        found.push(...overflowing.map((text) => `${target} at ${width} px: ${text}`));
        const cards = await page.locator('table[data-cards]').count();
        if (width >= 1_024 && cards > 0) found.push(`${target} at ${width} px: cards`);
      }
    }
    expect(found).toEqual([]);
    expect(faults).toEqual([]);
    await context.close();
  }, 120_000);
});

const listOf = (data: readonly object[]): object => ({ object: 'list', data, has_more: false, next_cursor: null });

const nodeRecord = {
  object: 'node',
  node_id: 'nd_1',
  name: 'studio',
  cluster_id: 'cl_1',
  status: 'active',
  online: true,
  paused: false,
  note: null,
  tags: [],
  accepts_work: true,
  health: 'healthy',
  health_reason: null,
  problem: null,
  problem_since: null,
  fingerprint: 'amber canyon delta',
  last_seen: 1_790_000_000,
  created: 1_780_000_000,
  platform: 'linux',
  agent_version: '0.1.0',
  round_trip_ms: 12,
  supervisor: null,
  memory: { total_bytes: 64e9, free_bytes: 30e9 },
  gpus: [],
  engines: [
    { name: 'ollama', kind: 'ollama', version: '0.12.1', slots_total: 4, slots_used: 1, queue_depth: 0, problem: null },
  ],
};

const modelOf = (index: number): object => ({
  key: `model-${index}:8b`,
  selector: `mdl_${String(index).padStart(16, '0')}`,
  display_name: `Model ${index} 8B`,
  engine: 'ollama',
  state: index % 7 === 0 ? 'loaded' : 'installed',
  reason: null,
  size_bytes: 5_200_000_000 + index,
  context_length: 40_960,
  health: 'healthy',
  health_reason: null,
});

const requestOf = (index: number): object => ({
  object: 'usage.request',
  id: `req_${String(index).padStart(32, '0')}`,
  started_at: new Date(1_790_000_000_000 - index * 1_000).toISOString(),
  key_id: 'key_1',
  key_name: 'codex',
  node_id: 'nd_1',
  node_name: 'studio',
  cluster_id: 'cl_1',
  cluster_name: 'home',
  model: 'mdl_0123456789abcdef',
  model_name: 'Qwen3 8B',
  dialect: 'chat',
  stream: true,
  outcome: index % 9 === 0 ? 'failed' : 'completed',
  code: index % 9 === 0 ? 'engine_error' : null,
  attempts: 1,
  retried: false,
  input_tokens: 400,
  cached_tokens: 0,
  output_tokens: 250,
  reasoning_tokens: 0,
  source: 'engine',
  queue_ms: 0,
  ttft_ms: 180,
  duration_ms: 4_200,
});

const LONGEST_NAME = 'workstation-of-the-machine-learning-group-in-the-second-basement';
/** Arabic, which is written from right to left. */
const RIGHT_TO_LEFT =
  '\u0646\u0645\u0648\u0630\u062c-\u0627\u0644\u0644\u063a\u0629-\u0627\u0644\u0643\u0628\u064a\u0631'.repeat(3);
const longestName = (index: number): string => (index % 2 === 0 ? LONGEST_NAME : RIGHT_TO_LEFT);

const largestNode = (index: number): object => ({
  node_id: `nd_${index}`,
  name: longestName(index),
  problem: index === 0 ? null : 'engine_unreachable',
  memory: { total_bytes: 1_536e9, free_bytes: 1_035e9 },
  models: Array.from({ length: 8 }, (_, model) => ({
    ...modelOf(model * 7),
    display_name: `${longestName(model)}-Instruct-2507-UD-Q4_K_XL-${model}`,
    size_bytes: 1_104_000_000_000,
    context_length: 10_485_760,
  })),
});

const largestRequest = (index: number): object => ({
  model_name: `${longestName(index)}-Instruct-2507-UD-Q4_K_XL`,
  key_name: longestName(index + 1),
  node_name: longestName(index),
  code: index % 3 === 0 ? 'context_length_exceeded' : null,
  input_tokens: 10_485_760,
  output_tokens: 1_048_576,
  ttft_ms: 3_599_000,
  duration_ms: 7_199_000,
});

const largestKey = (index: number): object => ({
  object: 'key',
  key_id: `key_${String(index).padStart(16, '0')}`,
  name: longestName(index),
  description: `${LONGEST_NAME} ${LONGEST_NAME}`,
  last4: 'abcd',
  scopes: ['inference'],
  cluster_ids: null,
  limits: { requests_per_minute: 1_000_000, tokens_per_minute: 1_000_000_000, concurrency: 10_000 },
  created: 1_780_000_000,
  last_used: 1_790_000_000,
  expires: null,
  revoked: null,
});
