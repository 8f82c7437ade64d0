/** What opens above a page: menus, dialogs, drawers and lists, each with the way to it. */
import type { Page } from 'playwright-core';

export interface Overlay {
  readonly name: string;
  /** Path below the website; a search parameter may open it by itself. */
  readonly page: string;
  /** Of a page that is not known beforehand: the link to it. */
  readonly link?: string;
  /** Only a phone has it. */
  readonly phone?: boolean;
  /** Names of what is clicked, in order. */
  readonly clicks?: readonly (string | RegExp)[];
  readonly keys?: string;
  /** Asks before it closes, so that a secret is not lost. */
  readonly asks?: boolean;
  /** Fields that have to be filled before the last click. */
  readonly fill?: readonly (readonly [label: string, text: string])[];
}

/** In the account of `populate`, for its owner. */
export const overlays: readonly Overlay[] = [
  { name: 'clusters', page: '/', clicks: [/^Ferry/] },
  { name: 'user', page: '/', clicks: [/^Signed in as/] },
  { name: 'operations', page: '/', clicks: [/^Operations/] },
  { name: 'more', page: '/', clicks: [/^More/], phone: true },
  { name: 'add-computer', page: '/computers?add=1' },
  { name: 'new-cluster', page: '/computers', clicks: ['New cluster'] },
  { name: 'rename-cluster', page: '/computers', clicks: ['Actions for the cluster home', 'Rename…'] },
  { name: 'how-to-fix', page: '/computers', clicks: ['How to fix'] },
  { name: 'computer-menu', page: '/computers', link: 'studio', clicks: ['More'] },
  { name: 'rename-computer', page: '/computers', link: 'studio', clicks: ['More', 'Rename…'] },
  { name: 'move-computer', page: '/computers', link: 'studio', clicks: ['More', 'Move to another cluster…'] },
  { name: 'revoke-computer', page: '/computers', link: 'studio', clicks: ['More', 'Revoke…'] },
  { name: 'computer-notes', page: '/computers', link: 'studio', clicks: ['Note and tags…'] },
  { name: 'computer-service', page: '/computers', link: 'studio', clicks: ['Set up as a service'] },
  { name: 'computer-load', page: '/computers', link: 'workshop', clicks: ['Load…'] },
  { name: 'computer-remove', page: '/computers', link: 'workshop', clicks: ['Remove…'] },
  { name: 'computer-unload', page: '/computers', link: 'workshop', clicks: ['Unload…'] },
  { name: 'load', page: '/models?q=random', clicks: ['Load…'] },
  { name: 'remove', page: '/models?q=random', clicks: ['Show details', 'Remove…'] },
  { name: 'unload', page: '/models?q=fake', clicks: ['Unload…'] },
  // It begins with what was visited up to here.
  { name: 'palette', page: '/', keys: 'Control+K' },
  { name: 'install', page: '/models?install=1' },
  { name: 'create-key', page: '/keys?create=1' },
  { name: 'secret', page: '/keys?create=1', fill: [['Name', 'made for its dialog']], clicks: ['Create'], asks: true },
  { name: 'key-menu', page: '/keys', clicks: ['Actions for codex'] },
  { name: 'use-key', page: '/keys', clicks: ['Actions for codex', 'How to use…'] },
  { name: 'edit-key', page: '/keys', clicks: ['Actions for codex', 'Name and limits…'] },
  { name: 'roll-key', page: '/keys', clicks: ['Actions for codex', 'Roll…'] },
  { name: 'revoke-key', page: '/keys', clicks: ['Actions for codex', 'Revoke…'] },
  { name: 'chat-model', page: '/chat', clicks: ['Model'] },
  { name: 'chat-second-model', page: '/chat', clicks: ['Compare with another model', 'Second model'] },
  { name: 'chat-history', page: '/chat', clicks: ['History'] },
  { name: 'chat-settings', page: '/chat', clicks: ['Settings'] },
  { name: 'chat-code', page: '/chat', clicks: ['View code'] },
  { name: 'invite', page: '/settings/members?invite=1' },
  { name: 'invite-link', page: '/settings/members?invite=1', clicks: ['Create link'], asks: true },
  { name: 'member-menu', page: '/settings/members', clicks: [/^Manage/] },
  { name: 'change-member', page: '/settings/members', clicks: [/^Manage/, 'Name and role…'] },
  { name: 'sign-out', page: '/settings/sessions', clicks: ['Sign out everywhere…'] },
  { name: 'audit-kinds', page: '/settings/audit', clicks: ['Which changes'] },
];

/** Lists that are closed stay in the page. */
const OPEN = '[data-portal] :is([role=dialog], [role=menu], [role=listbox]):visible';

/** From its page, which was loaded before, to the one above which it opens. */
export async function followLink(page: Page, { link }: Overlay): Promise<void> {
  if (link === undefined) return;
  await page.getByRole('link', { name: link, exact: true }).first().click();
  await page.getByRole('heading', { name: link, exact: true, level: 1 }).waitFor();
}

/** Whether both open above one page, which needs no parameter of its own for that. */
export const sharesPage = (one: Overlay, other: Overlay | undefined): boolean =>
  one.page === other?.page && one.link === other.link && !one.page.includes('=1');

/** Opens it above its page. */
export async function openOverlay(page: Page, { clicks = [], fill = [], keys }: Overlay): Promise<void> {
  if (keys !== undefined) await page.keyboard.press(keys);
  for (const [label, text] of fill) await page.getByRole('dialog').getByLabel(label).first().fill(text);
  for (const name of clicks) {
    const roles = (['button', 'menuitem', 'combobox'] as const).map((role) =>
      page.getByRole(role, { name, exact: true }),
    );
    await roles
      .reduce((one, other) => one.or(other))
      .first()
      .click();
  }
  await page.locator(OPEN).first().waitFor();
  await page.waitForTimeout(200);
}

/** With the key for it. */
export async function closeOverlay(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await page.locator(OPEN).first().waitFor({ state: 'detached' });
}
