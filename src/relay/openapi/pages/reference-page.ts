import { html, type Html } from './html.js';
import { page, rootPath, type PageFacts } from './page.js';

interface Reference {
  readonly title: string;
  /** Below the root. */
  readonly path: '/docs' | '/docs/management';
  readonly document: '/openapi.json' | '/api/openapi.json';
}

/** `/docs`: Swagger UI over the relay's own document. */
export const referencePage = (facts: PageFacts): string =>
  reference(facts, { title: `${facts.serviceName} API`, path: '/docs', document: '/openapi.json' });

/** `/docs/management`: the same over the document of `/api`. */
export const managementReferencePage = (facts: PageFacts): string =>
  reference(facts, {
    title: `${facts.serviceName} management API`,
    path: '/docs/management',
    document: '/api/openapi.json',
  });

function reference({ serviceName, baseUrl }: PageFacts, { title, path, document }: Reference): string {
  const root = rootPath(baseUrl);
  const link = (to: Reference['path'], text: string): Html =>
    to === path
      ? html`<a href="${root}${to}" aria-current="page">${text}</a>`
      : html`<a href="${root}${to}">${text}</a>`;
  return page({
    title,
    root,
    styles: ['swagger-ui.css', 'pages.css', 'reference.css'],
    scripts: ['swagger-ui-bundle.js', 'reference.js'],
    body: html`<header class="bar">
        <a class="brand" href="${root}/docs/quickstart">${serviceName}</a>
        <nav>
          <a href="${root}/docs/quickstart">Quickstart</a> ${link('/docs', 'API reference')}
          ${link('/docs/management', 'Management')} <a href="${root}${document}">openapi.json</a>
        </nav>
      </header>
      <main id="reference" data-document="${root}${document}"></main>
      <noscript
        ><p class="notice">
          The reference needs JavaScript. The document itself: <a href="${root}${document}">openapi.json</a>
        </p></noscript
      >`,
  });
}
