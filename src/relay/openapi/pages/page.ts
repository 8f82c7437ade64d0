import { html, type Html } from './html.js';

export interface PageFacts {
  readonly serviceName: string;
  readonly version: string;
  /** Has neither a trailing slash nor `/v1`. */
  readonly baseUrl: string;
}

/** Where the relay's root lies below its host: a proxy may serve it under a path of its own. */
export const rootPath = (baseUrl: string): string => new URL(baseUrl).pathname.replace(/\/+$/, '');

interface PageLink {
  readonly href: string;
  readonly text: string;
  readonly current?: boolean;
}

/** At the top of every page: as the website, with its logo, and the way to it. */
export const pageBar = (serviceName: string, root: string, links: readonly PageLink[]): Html =>
  html`<header class="bar">
    <a class="brand" href="${root}/console/"
      ><img src="${root}/docs/assets/icon.svg" alt="" width="24" height="24" />${serviceName}</a
    >
    <nav aria-label="Pages">
      <a href="${root}/console/">Website</a>
      ${links.map(({ href, text, current = false }) =>
        current ? html`<a href="${href}" aria-current="page">${text}</a> ` : html`<a href="${href}">${text}</a> `,
      )}
    </nav>
  </header>`;

export interface PageParts {
  readonly title: string;
  readonly root: string;
  /** Names of assets, in order. */
  readonly styles: readonly string[];
  readonly scripts: readonly string[];
  readonly body: Html;
}

/**
 * The whole document. Every script and style is an asset of the relay: the policy of the page allows no other
 * (docs/reference/api-behaviour.md#surfaces).
 */
export const page = ({ title, root, styles, scripts, body }: PageParts): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <link rel="icon" href="${root}/docs/assets/icon.svg" type="image/svg+xml" />
        ${styles.map((name) => html`<link rel="stylesheet" href="${root}/docs/assets/${name}" />`)}
        ${scripts.map((name) => html`<script src="${root}/docs/assets/${name}" defer></script>`)}
      </head>
      <body>
        ${body}
      </body>
    </html> `.markup;
