import { html } from './html.js';
import { page, pageBar, rootPath, type PageFacts } from './page.js';

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
  return page({
    title,
    root,
    styles: ['swagger-ui.css', 'pages.css', 'reference.css'],
    scripts: ['swagger-ui-bundle.js', 'reference.js'],
    body: html`${pageBar(serviceName, root, [
        { href: `${root}/docs/quickstart`, text: 'Quickstart' },
        { href: `${root}/docs`, text: 'API reference', current: path === '/docs' },
        { href: `${root}/docs/management`, text: 'Management', current: path === '/docs/management' },
        { href: `${root}${document}`, text: 'openapi.json' },
      ])}
      <main id="reference" data-document="${root}${document}"></main>
      <noscript
        ><p class="notice">
          The reference needs JavaScript. The document itself: <a href="${root}${document}">openapi.json</a>
        </p></noscript
      >`,
  });
}
