import { html, type Html } from './html.js';

export interface PageFacts {
  readonly serviceName: string;
  readonly version: string;
  /** Has neither a trailing slash nor `/v1`. */
  readonly baseUrl: string;
}

/** Where the relay's root lies below its host: a proxy may serve it under a path of its own. */
export const rootPath = (baseUrl: string): string => new URL(baseUrl).pathname.replace(/\/+$/, '');

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
