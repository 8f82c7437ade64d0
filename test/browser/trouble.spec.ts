/** What goes wrong, and how the website shows it: a load, an engine, a computer, a request that somebody else sent. */
import { afterAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { LlamaServerRouter } from '../engines/fakes/llama-server.js';
import { accessibilityFaults, settle, Website, type WatchedPage } from '../support/browser/website.harness.js';
import { eventually } from '../support/clock/eventually.js';
import { FakeEngine } from '../support/engine/fake-engine.js';
import { shareRelay } from '../support/process/shared-deployment.js';
import type { Tenant } from '../support/process/tenant.js';
import { TestNode } from '../support/process/test-node.js';
import { timeFactor } from '../runner/time-factor.js';

/** Of a slow computer: the node polls its engines, the relay waits for computers that have gone. */
const SOON = { timeout: 30_000 * timeFactor };

describe('trouble', () => {
  let relay: Tenant;
  let website: Website;
  let shown: WatchedPage;
  let page: Page;
  let router: LlamaServerRouter;
  let engine: FakeEngine;
  let workshop: TestNode;
  let lab: TestNode;

  shareRelay(async (tenant) => {
    relay = tenant;
    [router, engine] = await Promise.all([LlamaServerRouter.start(), FakeEngine.start()]);
    [workshop, lab] = await Promise.all([
      TestNode.start(relay, {
        name: 'workshop',
        engines: [{ kind: 'llama-server', base_url: router.server.url, poll_ms: 500 }],
      }),
      TestNode.start(relay, {
        name: 'lab',
        engines: [{ kind: 'openai-compatible', base_url: engine.url, poll_ms: 500 }],
      }),
    ]);
    website = await Website.open(relay);
    shown = await website.page({ person: await website.person('owner') });
    page = shown.page;
  });

  afterAll(async () => {
    await website.close();
    await Promise.all([workshop.stop(), lab.stop()]);
    await Promise.all([router.server.stop(), engine.stop()]);
  }, 60_000);

  const open = async (target: string): Promise<void> => {
    await page.goto(website.url(target));
    await settle(page);
  };

  /**
   * What has failed is never left out for want of room; on a tablet its words are as wide as the table. What can be done with the model stands
   * where it does in other rows, on a phone at the end of the card, and not among what can be done about the failure.
   */
  async function failureOfComputer(): Promise<void> {
    const { data } = await relay.manage<{ data: readonly { name: string; node_id: string }[] }>('GET', '/nodes');
    const nodeId = data.find(({ name }) => name === 'workshop')?.node_id ?? '';
    const desk = page.viewportSize() ?? { width: 1_440, height: 900 };
    await page.setViewportSize({ width: 768, height: 900 });
    await open(`/computers/${nodeId}`);
    const model = page.getByRole('table', { name: 'Models of this computer' }).getByRole('row', { name: /random-64/ });
    await model.getByText('Load failed').first().waitFor();
    await model.getByRole('button', { name: /^Retry load of .*random-64 on workshop$/ }).waitFor();
    const words = await model.getByText(/could not load/).boundingBox();
    expect(words?.width).toBeGreaterThan(600);
    await page.setViewportSize({ width: 390, height: 844 });
    const heightOf = async (name: RegExp): Promise<number | undefined> =>
      (await model.getByRole('button', { name }).boundingBox())?.y;
    await eventually('the card has what can be done with the model in its last line', async () => {
      const [retry = 0, dismiss, load = 0, remove] = await Promise.all(
        [/^Retry load/, /^Dismiss load/, /^Load…/, /^Remove…/].map(heightOf),
      );
      return retry === dismiss && load === remove && retry < load;
    });
    await page.setViewportSize(desk);
  }

  /** The list of models says on which computer a load has failed, and is not narrower than the field. */
  async function failureInChat(): Promise<void> {
    await open('/chat');
    const field = page.getByRole('combobox', { name: 'Model', exact: true });
    await field.click();
    const option = page.getByRole('option', { name: /random-64/ });
    await option.getByText('workshop: load failed').waitFor();
    await option.locator('[data-state="failed"]').waitFor();
    const list = page.getByRole('listbox').locator('xpath=..');
    await eventually('the list is as wide as its field', async () => {
      const [own, least] = await Promise.all([list.boundingBox(), field.boundingBox()]);
      return own !== null && least !== null && own.width >= least.width - 1;
    });
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.keyboard.press('Escape');
  }

  /** Another load is offered with the reason of the last one, and the way to its log. */
  async function failureInDialog(): Promise<void> {
    const actions = page.getByRole('row', { name: /random-64/ }).locator('td[data-label="Actions"]');
    await actions.getByRole('button', { name: 'Remove…' }).waitFor();
    await actions.getByRole('button', { name: 'Load…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/^It failed to load on workshop/).waitFor();
    await dialog.getByRole('button', { name: 'Find the log' }).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
  }

  it('a load that fails stays in its row and in the operations, and is tried again', async () => {
    await open('/models');
    const row = page.getByRole('row', { name: /random-64/ });
    router.breaksNext = true;
    await row.getByRole('button', { name: 'Load…', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Load' }).click();
    await row.getByText('Load failed').first().waitFor(SOON);
    await page.reload();
    await settle(page);
    await row.getByText('Load failed').first().waitFor();
    // In the words of the engine, with a way to try again, here and on the overview.
    await row.getByText(/^Load failed: .*\w/).waitFor();
    await row.getByRole('button', { name: /^Retry load of .*random-64 on workshop$/ }).waitFor();
    await row.getByRole('button', { name: /^Dismiss load of .*random-64 on workshop$/ }).waitFor();
    await failureInDialog();
    await failureOfComputer();
    await failureInChat();
    await open('/');
    const attention = page.getByRole('region', { name: 'Needs attention' });
    await attention.getByText(/^Load failed: .*random-64 on workshop$/).waitFor();
    await attention.getByText(/^llama-server could not load/).waitFor();
    for (const action of ['Retry', 'Dismiss']) {
      await attention
        .getByRole('button', { name: new RegExp(`^${action} load of .*random-64 on workshop$`) })
        .waitFor();
    }
    await page.setViewportSize({ width: 768, height: 900 });
    await eventually('the buttons stand beside the words', async () => {
      const [first, words, retry] = await Promise.all([
        attention.getByText(/^Load failed: /).boundingBox(),
        attention.getByText(/^llama-server could not load/).boundingBox(),
        attention.getByRole('button', { name: /^Retry/ }).boundingBox(),
      ]);
      if (first === null || words === null || retry === null) return false;
      return words.y - (first.y + first.height) < 4 && retry.x >= words.x + words.width;
    });
    await page.setViewportSize({ width: 1_440, height: 900 });
    await attention.getByRole('link', { name: 'View model' }).click();
    await row.waitFor();
    const desk = page.viewportSize() ?? { width: 1_440, height: 900 };
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('button', { name: /^More ?: 1 failed/ }).waitFor(SOON);
    await page.setViewportSize(desk);
    await page.getByRole('button', { name: /^Operations ?: 1 failed/ }).click();
    const panel = page.getByRole('dialog', { name: 'Operations' });
    await panel.getByRole('heading', { name: 'Failed' }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await panel.getByRole('button', { name: /^Retry load of .*random-64 on workshop$/ }).click();
    await panel.getByRole('heading', { name: 'Done' }).waitFor(SOON);
    await panel.getByText('Loaded', { exact: true }).waitFor(SOON);
    expect(await panel.getByRole('heading', { name: 'Failed' }).count()).toBe(0);
    await panel.getByRole('button', { name: 'Close operations' }).click();
    await row.getByRole('button', { name: 'Unload' }).waitFor(SOON);
    expect(await row.getByText('Load failed').count()).toBe(0);
  }, 120_000);

  it('the first token is counted of responses that are streamed, and of no others', async () => {
    const ask = async (stream: boolean): Promise<string> => {
      const response = await relay.chat({ model: 'fake', messages: [{ role: 'user', content: 'Hello' }], stream });
      await response.text();
      return response.headers.get('x-request-id') ?? '';
    };
    const [streamed, whole] = [await ask(true), await ask(false)];
    const logged = await eventually('both are in the request log', async () => {
      const { data } = await relay.manage<{ data: readonly { id: string; ttft_ms: number | null }[] }>(
        'GET',
        '/usage/requests',
      );
      const found = [streamed, whole].map((id) => data.find((request) => request.id === id));
      return found.every((request) => request !== undefined) ? found : undefined;
    });
    expect(logged).toEqual([
      expect.objectContaining({ ttft_ms: expect.any(Number) }),
      expect.objectContaining({ ttft_ms: null }),
    ]);
    await open('/requests');
    const rows = page.getByRole('table', { name: 'Requests' }).getByRole('row', { name: /fake/ });
    const firstTokens = await rows.getByRole('cell').nth(6).allTextContents();
    expect(firstTokens).toEqual(['–']);
    expect(await rows.nth(1).getByRole('cell').nth(6).textContent()).toMatch(/^[\d.,]+ m?s$/);
  }, 60_000);

  it('Stop ends a running request of another key', async () => {
    const { key } = await relay.manage<{ key: string }>('POST', '/keys', { name: 'somebody else' });
    engine.respond = (call) => {
      call.startStream();
      call.chunk({ content: 'without end' });
    };
    const arrived = engine.nextCall();
    const response = relay.chat(
      { model: 'fake', messages: [{ role: 'user', content: 'Go on.' }], stream: true },
      { headers: { authorization: `Bearer ${key}` } },
    );
    const call = await arrived;
    await open('/');
    const running = page.getByRole('table', { name: 'Running now' });
    await running.getByText('somebody else').waitFor(SOON);
    expect(await accessibilityFaults(page)).toEqual([]);
    await running.getByRole('button', { name: /^Stop .*fake of somebody else$/ }).click();
    await call.aborted;
    // As after a failure in the middle of a stream: the connection is closed.
    await expect((await response).text()).rejects.toThrow('terminated');
    await page.getByText('No request is running.').waitFor(SOON);
  }, 60_000);

  it('a change between the first answer and the feed of changes is shown', async () => {
    await page.route(
      '**/api/events',
      async (route) => {
        await page.getByRole('row', { name: /somebody else/ }).waitFor(SOON);
        await relay.manage('POST', '/keys', { name: 'made meanwhile' });
        await route.continue();
      },
      { times: 1 },
    );
    await page.goto(website.url('/keys'));
    // The use of a key, which is written every 10 s, would tell of it, too.
    await page.getByRole('row', { name: /made meanwhile/ }).waitFor({ timeout: 5_000 * timeFactor });
  }, 60_000);

  it('an engine that stops is named as what needs attention', async () => {
    const port = Number(new URL(engine.url).port);
    await engine.stop();
    await open('/');
    const attention = page.getByRole('region', { name: 'Needs attention' });
    await attention.getByText(/^lab: The OpenAI-compatible engine at .*cannot be reached/).waitFor(SOON);
    expect(await attention.getByText(/lab: Its last requests failed/).count()).toBe(0);
    await attention.getByRole('button', { name: 'How to fix' }).waitFor();
    await attention.getByRole('link', { name: 'View computer' }).click();
    await page.getByRole('heading', { name: 'lab' }).waitFor();
    await page
      .getByText(/cannot be reached/)
      .first()
      .waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    engine = await FakeEngine.start({ port });
    await open('/');
    await attention.waitFor({ state: 'detached', ...SOON });
  }, 90_000);

  it('a computer that is killed needs attention although another one is online', async () => {
    await open('/');
    lab.process.child.kill('SIGKILL');
    await lab.process.exited;
    const attention = page.getByRole('region', { name: 'Needs attention' });
    await attention.getByText('lab: It lost its connection and has not come back.').waitFor(SOON);
    expect(await accessibilityFaults(page)).toEqual([]);
    await lab.run();
    await attention.waitFor({ state: 'detached', ...SOON });
  }, 90_000);

  it('completed without browser errors', () => {
    expect(shown.faults).toEqual([]);
  });
});
