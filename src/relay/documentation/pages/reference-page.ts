import { html } from './html.js';
import { page, rootPath, type PageFacts } from './page.js';

/** `/docs`: Swagger UI over the relay's own document. */
export function referencePage({ serviceName, baseUrl }: PageFacts): string {
  const root = rootPath(baseUrl);
  return page({
    title: `${serviceName} API`,
    root,
    styles: ['swagger-ui.css', 'pages.css', 'reference.css'],
    scripts: ['swagger-ui-bundle.js', 'reference.js'],
    body: html`<header class="bar">
        <a class="brand" href="${root}/docs/quickstart">${serviceName}</a>
        <nav>
          <a href="${root}/docs/quickstart">Quickstart</a> <a href="${root}/docs" aria-current="page">API reference</a>
          <a href="${root}/openapi.json">openapi.json</a>
        </nav>
      </header>
      <main id="reference" data-document="${root}/openapi.json"></main>
      <noscript
        ><p class="notice">
          The reference needs JavaScript. The document itself: <a href="${root}/openapi.json">openapi.json</a>
        </p></noscript
      >`,
  });
}
