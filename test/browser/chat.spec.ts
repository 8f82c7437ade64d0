// Own relay: its settings write usage every 100 ms.
/** The chat of the website: with a real model, and with an engine that answers what would hurt a careless page. */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { eventually } from '../support/clock/eventually.js';
import { accessibilityFaults, settle, Website, type WatchedPage } from '../support/browser/website.harness.js';
import { FakeEngine } from '../support/engine/fake-engine.js';
import { TestNode } from '../support/process/test-node.js';
import { TestRelay } from '../support/process/test-relay.js';
import type { Person } from '../support/relay/people.harness.js';
import { timeFactor } from '../runner/time-factor.js';

const HOSTILE = [
  '<img src=x onerror="globalThis.hacked = 1">',
  '<script>globalThis.hacked = 2</script>',
  '',
  '[a link](javascript:globalThis.hacked=3) and [another](data:text/html,<script>alert(4)</script>)',
  '',
  '![a picture](https://tracker.invalid/pixel.png)',
  '<svg onload="globalThis.hacked = 5"></svg><iframe srcdoc="<script>parent.hacked = 6</script>"></iframe>',
  '',
  '```html',
  '<script>globalThis.hacked = 7</script>',
  '```',
  '',
  '| a | b |',
  '| - | - |',
  '| <b onclick="globalThis.hacked=8">x</b> | [web](https://example.com/) |',
].join('\n');

describe('the chat', () => {
  let relay: TestRelay;
  let website: Website;
  let engine: FakeEngine;
  let nodes: readonly TestNode[];
  let person: Person;
  let tab: WatchedPage;
  let page: Page;

  beforeAll(async () => {
    relay = await TestRelay.start({ env: { FERRY_USAGE_FLUSH_MS: '100' } });
    engine = await FakeEngine.start();
    nodes = await Promise.all([
      TestNode.start(relay, { name: 'studio' }),
      TestNode.start(relay, { name: 'lab', engines: [{ kind: 'openai-compatible', base_url: engine.url }] }),
    ]);
    website = await Website.open(relay);
    person = await website.person('owner', 'owner@example.com');
    tab = await website.page({ person });
    page = tab.page;
    await page.goto(website.url('/chat'));
    await settle(page);
  }, 120_000);

  afterAll(async () => {
    await website.close();
    await Promise.all(nodes.map((node) => node.stop()));
    await engine.stop();
    await relay.stop();
  }, 30_000);

  async function choose(model: RegExp): Promise<void> {
    await page.getByRole('combobox', { name: 'Model', exact: true }).click();
    await page.getByRole('option', { name: model }).click();
  }

  async function say(text: string): Promise<void> {
    await page.getByRole('textbox', { name: 'Message' }).fill(text);
    await page.keyboard.press('Enter');
  }

  const lastResponse = () => page.getByRole('article', { name: /^Answer/ }).last();
  const responded = (): Promise<void> =>
    lastResponse()
      .getByText('why here?')
      .waitFor({ timeout: 30_000 * timeFactor });
  const newChat = () => page.getByRole('button', { name: 'New chat' }).click();

  it('streams from a real model, shows the speed, and links to the explanation', async () => {
    await choose(/tiny/);
    await say('Tell me a story.');
    await responded();
    await lastResponse().getByText('studio').waitFor();
    const text = await lastResponse().textContent();
    // A fast computer gives the whole response of this model in one piece, which has no speed.
    expect(text).toMatch(/tiny.* · \d+ tokens · (?:[\d.,]+ tok\/s · )?first token [\d.]+ m?s · studio · why here\?/);
    await lastResponse().getByText('why here?').click();
    await page.getByRole('heading', { name: 'Candidates' }).waitFor();
    expect(await page.getByText(/Routed to studio: it is the only computer with this model/).count()).toBe(1);
    await page.getByRole('heading', { name: 'Request', exact: true }).waitFor();
    expect(await page.getByText('Website (owner@example.com)').count()).toBe(1);
    await page.getByRole('link', { name: 'Requests' }).first().click();
    await page
      .getByRole('row', { name: /Website \(owner@example.com\)/ })
      .first()
      .waitFor();
    await page.goto(website.url('/usage?by=key'));
    await page.getByText('Website (owner@example.com)').first().waitFor();
    await page.goto(website.url('/chat'));
    await settle(page);
    // The tab remembers the conversation; the relay does not.
    expect(await page.getByText('Tell me a story.').count()).toBe(1);
    expect(tab.faults).toEqual([]);
  }, 60_000);

  it('stops the engine with Esc, and keeps the partial answer', async () => {
    engine.respond = async (call) => {
      call.startStream();
      while (!call.gone) {
        call.chunk({ content: 'on and ' });
        await delay(30);
      }
    };
    await newChat();
    await choose(/fake/);
    const arrived = engine.nextCall();
    await say('Go on.');
    const call = await arrived;
    await lastResponse().getByText('on and on and').waitFor();
    await page.keyboard.press('Escape');
    await call.aborted;
    await lastResponse().getByText('stopped').waitFor();
    expect(await lastResponse().textContent()).toContain('on and');
  }, 60_000);

  it('goes on with an answer while other pages are visited, and still has it after a reload', async () => {
    let finish: () => void = () => undefined;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    engine.respond = async (call) => {
      call.startStream();
      call.chunk({ content: 'the beginning' });
      await finished;
      call.chunk({ content: ' and the end' });
      call.finish();
    };
    await newChat();
    await choose(/fake/);
    await say('Go on without me.');
    await lastResponse().getByText('the beginning').waitFor();
    await page.getByRole('link', { name: 'Models' }).first().click();
    const row = page.getByRole('row', { name: /fake/ });
    await row.getByRole('button', { name: 'Unload' }).click();
    const question = page.getByRole('dialog');
    await question.getByText('1 request runs on it on lab now.').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await question.getByRole('button', { name: 'Cancel' }).click();
    finish();
    await page.getByRole('link', { name: 'Chat' }).first().click();
    await lastResponse().getByText('the beginning and the end').waitFor();
    await responded();
    await page.reload();
    await lastResponse().getByText('the beginning and the end').waitFor();
    // Only the answers scroll: head and field stay where they are.
    expect(await page.evaluate('document.documentElement.scrollHeight - innerHeight')).toBe(0);
  }, 60_000);

  it('brings a chat back after "New chat", and finds it in the history of the browser', async () => {
    await newChat();
    expect(await page.getByText('Go on without me.').count()).toBe(0);
    await page.getByRole('button', { name: /^Undo/ }).click();
    await page.getByText('Go on without me.').waitFor();
    await newChat();
    await page.getByRole('button', { name: 'History' }).click();
    const history = page.getByRole('dialog', { name: 'Chat history' });
    await history.getByText('Tell me a story.').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await history.getByRole('button', { name: 'Delete Tell me a story.' }).click();
    await history.getByRole('button', { name: 'Undo' }).click();
    await history.getByRole('button', { name: /^Go on without me\./ }).click();
    await lastResponse().getByText('the beginning and the end').waitFor();
  }, 60_000);

  it('asks two models side by side, each of which continues its own answers', async () => {
    let responses = 0;
    engine.respond = (call) => {
      call.startStream();
      call.chunk({ content: `answer ${String((responses += 1))}` });
      call.finish();
    };
    await newChat();
    await page.getByRole('button', { name: 'Compare with another model' }).click();
    expect(await page.getByRole('combobox', { name: 'Second model' }).inputValue()).toMatch(/tiny/);
    await say('first');
    await page
      .getByRole('article', { name: /^Answer of .*fake/ })
      .getByText('answer 1')
      .waitFor();
    await page
      .getByRole('article', { name: /^Answer of .*tiny/ })
      .getByText('why here?')
      .waitFor();
    const [one, other] = await page.getByRole('article', { name: /^Answer/ }).all();
    const [left, right] = await Promise.all([one?.boundingBox(), other?.boundingBox()]);
    expect(left?.y).toBe(right?.y);
    const arrived = engine.nextCall();
    await say('second');
    const { body } = await arrived;
    expect(body['messages']).toEqual([
      { role: 'user', content: 'first' },
      { role: 'assistant', content: 'answer 1' },
      { role: 'user', content: 'second' },
    ]);
    await responded();
    await page.getByRole('button', { name: 'Stop comparing' }).click();
  }, 60_000);

  it('repeats an answer, and replaces an edited question with everything after it', async () => {
    let responses = 0;
    engine.respond = (call) => {
      call.startStream();
      call.chunk({ content: `answer ${String((responses += 1))}` });
      call.finish();
    };
    await newChat();
    await say('first');
    await lastResponse().getByText('answer 1').waitFor();
    await responded();
    await page.getByRole('button', { name: 'Regenerate' }).click();
    await lastResponse().getByText('answer 2').waitFor();
    await responded();
    await page.getByRole('textbox', { name: 'Message' }).focus();
    await page.keyboard.press('ArrowUp');
    const arrived = engine.nextCall();
    await say('changed');
    const { body } = await arrived;
    expect(body['messages']).toEqual([{ role: 'user', content: 'changed' }]);
    await lastResponse().getByText('answer 3').waitFor();
    expect(await page.getByText('first', { exact: true }).count()).toBe(0);
  }, 60_000);

  it('says on a phone in two lines what is known of an answer, with its buttons beside that', async () => {
    const desk = page.viewportSize() ?? { width: 1_440, height: 900 };
    await page.setViewportSize({ width: 390, height: 844 });
    const buttons = ['Copy answer', 'Regenerate'].map((name) => lastResponse().getByRole('button', { name }));
    for (const button of buttons)
      expect(await button.getAttribute('title')).toBe(await button.getAttribute('aria-label'));
    const foot = await lastResponse().locator('> :last-child').boundingBox();
    // Of a button that a finger can hit.
    expect(foot?.height).toBeLessThanOrEqual(36);
    for (const button of buttons) expect((await button.boundingBox())?.height).toBe(36);
    const ends = await lastResponse().locator('> :last-child svg').last().boundingBox();
    expect((foot?.x ?? 0) + (foot?.width ?? 0) - ((ends?.x ?? 0) + (ends?.width ?? 0))).toBeCloseTo(0, 0);
    await page.setViewportSize(desk);
  }, 60_000);

  it('executes and loads nothing from the output of a model, and links only to the web', async () => {
    engine.respond = (call) => {
      call.startStream();
      call.chunk({ content: HOSTILE });
      call.finish();
    };
    await newChat();
    await say('<img src=x onerror="globalThis.hacked = 9">');
    await responded();
    await page.waitForTimeout(300);
    expect(await page.evaluate('globalThis.hacked')).toBeUndefined();
    const response = lastResponse();
    expect(await response.locator('img, iframe, script, svg[onload]').count()).toBe(0);
    const links = response.locator('a[target]');
    expect(await links.count()).toBe(1);
    expect(await links.getAttribute('href')).toBe('https://example.com/');
    expect(await response.textContent()).toContain('[image: a picture');
    await response.locator('pre .hljs-tag').first().waitFor();
    expect(tab.faults).toEqual([]);
  }, 60_000);

  it('shows a failure with the message of the engine, the request id and a retry button', async () => {
    engine.respond = (call) => {
      call.json(500, { error: { message: 'out of memory, sorry' } });
    };
    await newChat();
    await say('fail');
    await lastResponse().getByRole('button', { name: 'Retry' }).waitFor();
    expect(await lastResponse().getByRole('alert').textContent()).toMatch(/req_/);
    // As the page of the request says it.
    await lastResponse()
      .getByText(/^On .+, unload a model /)
      .waitFor();
    await lastResponse()
      .getByRole('link', { name: /^Open / })
      .waitFor();
    engine.respond = (call) => {
      call.startStream();
      call.chunk({ content: 'better now' });
      call.finish();
    };
    await lastResponse().getByRole('button', { name: 'Retry' }).click();
    await lastResponse().getByText('better now').waitFor();
  }, 60_000);

  it('sends only changed settings, and shows the request of the last question as code', async () => {
    await newChat();
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('textbox', { name: 'System prompt' }).fill('Be brief.');
    await page.getByRole('textbox', { name: 'Temperature' }).fill('0.2');
    await page.keyboard.press('Escape');
    const arrived = engine.nextCall();
    await say('hello');
    const { body } = await arrived;
    expect(body).toMatchObject({
      temperature: 0.2,
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'hello' },
      ],
    });
    expect(body).not.toHaveProperty('top_p');
    await responded();
    await page.getByRole('button', { name: 'View code' }).click();
    const code = await page.getByRole('dialog').locator('pre').textContent();
    expect(code).toContain(`${relay.baseUrl}/v1/chat/completions`);
    expect(code).toContain('"temperature": 0.2');
    expect(code).not.toContain('better now');
    await page.getByText('Anthropic (Python)').click();
    await page.getByRole('dialog').getByText('client.messages.stream').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('textbox', { name: 'Temperature' }).fill('');
    await page.keyboard.press('Escape');
    const again = engine.nextCall();
    await say('hello again');
    expect((await again).body).not.toHaveProperty('temperature');
    await responded();
  }, 60_000);

  it('offers to load a model that is installed only, and then sends to it', async () => {
    const isLoaded = async (): Promise<boolean> => {
      const { data } = await relay.manage<{ data: { id: string; loaded: boolean }[] }>('GET', '/models');
      return data.some(({ id, loaded }) => id.includes('tiny') && loaded);
    };
    await relay.manage('POST', '/operations', { kind: 'unload', model: 'tiny' });
    await eventually('tiny is not loaded', async () => !(await isLoaded()));
    await newChat();
    await choose(/tiny/);
    await page.getByRole('button', { name: 'Load on studio' }).click();
    await eventually('tiny is loaded', isLoaded);
    // The hint below the field takes the place of what kept the question from being sent.
    await page.getByText('Enter to send').waitFor();
    await say('hello');
    await responded();
  }, 60_000);

  it('the chat is kept for its person in this tab, and gone after the sign-out', async () => {
    const other = await website.page({ person: await website.person('member', 'other@example.com') });
    const chats = (): Promise<string> =>
      other.page.evaluate(
        `JSON.stringify([sessionStorage, localStorage].flatMap((storage) => Object.entries(storage)).filter(([key]) => key.startsWith('ferry.chat')))`,
      );
    await other.page.goto(website.url('/chat'));
    await settle(other.page);
    await other.page.getByRole('textbox', { name: 'Message' }).fill('a secret of this person');
    await other.page.keyboard.press('Enter');
    await eventually('the conversation is stored', async () => (await chats()).includes('a secret') || undefined);
    await other.page.reload();
    await other.page.getByText('a secret of this person').waitFor();
    await other.page
      .getByRole('button', { name: /^Signed in as/ })
      .first()
      .click();
    await other.page.getByRole('menuitem', { name: 'Sign out' }).click();
    await other.page.waitForURL(/\/sign-in/);
    await settle(other.page);
    expect(await chats()).toBe('[]');
    await other.context.close();
  }, 60_000);

  it('ends when the session is ended elsewhere, and says so on the sign-in page', async () => {
    engine.respond = async (call) => {
      call.startStream();
      while (!call.gone) {
        call.chunk({ content: 'on and ' });
        await delay(30);
      }
    };
    await newChat();
    await choose(/fake/);
    const arrived = engine.nextCall();
    await say('Go on.');
    const call = await arrived;
    await lastResponse().getByText('on and on and').waitFor();
    await person.call('POST', 'sign-out');
    await call.aborted;
    await page.getByRole('alert').getByText('Your session has ended.').waitFor();
    expect(new URL(page.url()).searchParams.get('next')).toMatch(/^\/chat/);
  }, 60_000);
});
