/** A browser on the website of a running relay, which records everything that must not happen on any page. */
import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import type { AxeResults, Result } from 'axe-core';
import { Person, PASSWORD } from '../relay/people.harness.js';
import type { RelayClient } from '../process/relay-client.js';
import { eventually } from '../clock/eventually.js';
import { findChromium } from './chromium.mjs';
import { longestTaskOf } from './trace.js';
import { timeFactor } from '../../runner/time-factor.js';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Responses of these kinds are expected on pages. */
const EXPECTED_FAILURE = /status of (?:401|403|404|409|429)/;

export interface PageOptions {
  readonly width?: number;
  readonly scheme?: 'light' | 'dark';
  /** Absent: not signed in. */
  readonly person?: Person;
}

export interface WatchedPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Script errors, violations of the Content-Security-Policy, dialogs, and requests to other origins. */
  readonly faults: readonly string[];
}

export class Website {
  private constructor(
    readonly relay: RelayClient,
    private readonly browser: Browser,
  ) {}

  static async open(relay: RelayClient): Promise<Website> {
    const executablePath = findChromium();
    if (executablePath === undefined) throw new Error('no Chromium: install it or set FERRY_TEST_CHROMIUM');
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
    return new Website(relay, browser);
  }

  /**
   * The longest task of a page's main thread, in milliseconds of processor time: a task's duration would also count the time in which
   * other processes have the processor.
   */
  async longestTaskMs(page: Page, act: () => Promise<void>): Promise<number> {
    await this.browser.startTracing(page, { categories: ['disabled-by-default-devtools.timeline', 'toplevel'] });
    await act();
    return longestTaskOf(await this.browser.stopTracing());
  }

  async close(): Promise<void> {
    await this.browser.close();
  }

  url(path: string): string {
    return `${this.relay.baseUrl}/console${path}`;
  }

  /** A new user of the account, signed in. On a relay that others use too, an address belongs to one of its accounts only. */
  async person(role: 'member' | 'admin' | 'owner', email = `${role}-${randomUUID()}@example.com`): Promise<Person> {
    const { invite_token: token } = await this.relay.manage<{ invite_token: string }>('POST', '/invites', { role });
    const person = new Person(this.relay.baseUrl);
    // Accepted invites of one address are limited, and many spec files have one relay: each comes from another address.
    const headers = { 'x-forwarded-for': ['10', ...randomBytes(3)].join('.') };
    const user = { token, email, password: PASSWORD, name: email };
    const { status } = await person.call('POST', 'invites/accept', user, headers);
    if (status !== 201) throw new Error(`the invite was answered with ${status}`);
    return person;
  }

  async page({ width = 1_440, scheme = 'light', person }: PageOptions = {}): Promise<WatchedPage> {
    const context = await this.browser.newContext({
      // Scrollbars on a phone take no space.
      isMobile: width < 640,
      hasTouch: width < 640,
      viewport: { width, height: width < 640 ? 844 : 900 },
      colorScheme: scheme,
      locale: 'en-US',
      reducedMotion: 'reduce',
    });
    if (person?.cookie !== undefined) {
      const [name = '', value = ''] = person.cookie.split('=');
      await context.addCookies([{ name, value, url: this.relay.baseUrl, httpOnly: true, sameSite: 'Lax' }]);
    }
    const page = await context.newPage();
    return { page, context, faults: watch(page, new URL(this.relay.baseUrl).origin) };
  }
}

function watch(page: Page, origin: string): readonly string[] {
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(`script error: ${error.message}`));
  page.on('dialog', (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('console', (message) => {
    if (message.type() === 'error' && !EXPECTED_FAILURE.test(message.text())) faults.push(`console: ${message.text()}`);
  });
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol.startsWith('http') && url.origin !== origin) faults.push(`request to ${url.origin}`);
  });
  return faults;
}

/** Waits until the page has rendered its data: only the live feed is still loading, and no skeleton is left. */
export async function settle(page: Page): Promise<void> {
  await page
    .locator('h1')
    .first()
    .waitFor({ timeout: 15_000 * timeFactor });
  // Not `waitForFunction`: it evaluates in the page, which its Content-Security-Policy refuses.
  await page
    .locator('.mantine-Skeleton-root, [aria-busy=true]')
    .first()
    .waitFor({ state: 'detached', timeout: 15_000 * timeFactor });
  await page.waitForTimeout(250);
}

/**
 * To another page as by a link, without loading the scripts again.
 * @param path below the website, of a page with another title
 */
export async function navigate(page: Page, path: string): Promise<void> {
  const before = await page.title();
  await page.evaluate(`history.pushState({}, '', '/console' + ${JSON.stringify(path)})`);
  await eventually(`${path} is shown`, async () => (await page.title()) !== before, 15_000);
  await settle(page);
}

/** Accessibility violations of impact serious or critical, as lines with the rule and the first elements. */
export async function accessibilityFaults(page: Page): Promise<readonly string[]> {
  // Evaluated through the debugger protocol, to which the Content-Security-Policy does not apply. Once for a document: V8 has compiled it then.
  if (!(await page.evaluate<boolean>(`'axe' in globalThis`))) await page.evaluate(axeSource);
  for (;;) {
    await dialogsNamed(page);
    const before = await page.locator('[role=dialog]').count();
    // All rules are run; of what they did not object to, one element each is reported, not all. Only rules that are experimental, or are about
    // videos, need the files of the style sheets, which `preload` fetches again each time.
    const results = await page.evaluate<AxeResults>(`axe.run({ resultTypes: ['violations'], preload: false })`);
    // The code of a dialog is fetched when it is opened: one that came meanwhile had no name yet.
    if ((await page.locator('[role=dialog]').count()) === before)
      return results.violations.filter(isSerious).map(describeViolation);
  }
}

/** Mantine names a dialog by its title once the title is mounted, which is after the dialog is drawn. One that stays without a name is reported by axe. */
const dialogsNamed = (page: Page): Promise<void> =>
  page
    .locator('[role=dialog]:not([aria-label], [aria-labelledby])')
    .first()
    .waitFor({ state: 'detached', timeout: 2_000 * timeFactor })
    .catch(() => undefined);

const isSerious = ({ impact }: Result): boolean => impact === 'serious' || impact === 'critical';

const describeViolation = ({ id, help, nodes }: Result): string =>
  `${id}: ${help}\n${nodes
    .slice(0, 4)
    .map(
      ({ html, failureSummary }) =>
        `    ${html.slice(0, 200)}\n      ${failureSummary?.split('\n').slice(1, 3).join(' ')}`,
    )
    .join('\n')}`;
