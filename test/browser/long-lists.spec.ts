/** Long lists stay fluent: 1,000 models and 10,000 requests scroll without a task above 100 ms. The relay's answers are made up. */
import { afterAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { longestTaskEveryTime } from '../support/browser/trace.js';
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
