/** States of pages that come from what somebody does there, or from weeks of use; the latter are made up. */
import type { Page } from 'playwright-core';
import { madeUpHistory, madeUpSeries } from './made-up-usage.js';
import { CONVERSATION } from './scripted-answers.js';

export interface PageState {
  /** Of its pictures. */
  readonly name: string;
  /** Path below the website, or the name of a page of `populate`. */
  readonly page: string;
  /** What is done on the page. */
  readonly act?: (page: Page) => Promise<void>;
}

/** In the account of `populate`, for its owner. The first is loaded, so that nothing is remembered of the true answers. */
export const pageStates: readonly PageState[] = [
  { name: 'usage-series', page: '/usage' },
  { name: 'computer-history', page: 'computer-studio' },
  { name: 'chat-turns', page: '/chat', act: converse },
];

/** From now on, weeks of use are made up. */
export async function makeUpUsage(page: Page): Promise<void> {
  await page.route('**/api/usage/series?*', (route) => route.fulfill({ json: madeUpSeries() }));
  await page.route('**/api/nodes/*/history?*', (route) => route.fulfill({ json: madeUpHistory() }));
}

/** An answer in prose, one with code, and one that fails. */
async function converse(page: Page): Promise<void> {
  await page.getByRole('combobox', { name: 'Model', exact: true }).click();
  await page.getByRole('option', { name: 'fake' }).click();
  for (const [index, question] of CONVERSATION.entries()) {
    await page.getByRole('textbox', { name: 'Message' }).fill(question);
    await page.keyboard.press('Enter');
    const answer = page.getByRole('article', { name: /^Answer of/ }).nth(index);
    const end =
      index === CONVERSATION.length - 1
        ? answer.getByRole('button', { name: 'Retry' })
        : answer.getByRole('link', { name: 'why here?' });
    await end.waitFor();
  }
  // Its colours are fetched with the first code.
  await page.locator('pre .hljs-built_in, pre .hljs-keyword').first().waitFor();
}
