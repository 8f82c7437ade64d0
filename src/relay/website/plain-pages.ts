import { html } from '../openapi/pages/html.js';
import { page, pageBar, rootPath, type PageFacts } from '../openapi/pages/page.js';

/** The pages that need no script. */

export function notFoundPage({ serviceName, baseUrl }: PageFacts, path: string): string {
  const root = rootPath(baseUrl);
  return page({
    title: `Not found · ${serviceName}`,
    root,
    styles: ['pages.css'],
    scripts: [],
    body: html`${pageBar(serviceName, root, documentation(root))}
      <main class="message">
        <h1>Page not found</h1>
        <p>There is no page at <code>${shortened(path)}</code>.</p>
        <p>
          <a href="${root}/console/">Go to the website</a>, to the <a href="${root}/docs/quickstart">quickstart</a> or
          to the <a href="${root}/docs">API reference</a>.
        </p>
      </main>`,
  });
}

/** Instead of the website where only the server was compiled. */
export function notBuiltPage({ serviceName, baseUrl }: PageFacts): string {
  const root = rootPath(baseUrl);
  return page({
    title: `Not built · ${serviceName}`,
    root,
    styles: ['pages.css'],
    scripts: [],
    body: html`${pageBar(serviceName, root, documentation(root))}
      <main class="message">
        <h1>The website is not built</h1>
        <p>The relay runs, and its API works. The pages are made by the build:</p>
        <pre><code>npm run build</code></pre>
        <p>Then reload this page; the relay need not be restarted. <code>npm run up</code> builds by itself.</p>
        <p><a href="${root}/docs/quickstart">Quickstart</a> · <a href="${root}/docs">API reference</a></p>
      </main>`,
  });
}

const documentation = (root: string) => [
  { href: `${root}/docs/quickstart`, text: 'Quickstart' },
  { href: `${root}/docs`, text: 'API reference' },
];

const LONGEST_PATH_SHOWN = 200;

const shortened = (path: string): string =>
  path.length > LONGEST_PATH_SHOWN ? `${path.slice(0, LONGEST_PATH_SHOWN)}…` : path;
