import { environment, snippets, type Snippet } from '../snippets.js';
import { html, type Html } from './html.js';
import { page, pageBar, rootPath, type PageFacts } from './page.js';

const codeBlock = (code: string, language: string, id: string): Html =>
  html`<div class="code">
    <pre tabindex="0"><code id="${id}" class="language-${language}">${code}</code></pre>
    <button type="button" class="copy" data-copies="${id}" hidden>Copy</button>
  </div>`;

const section = ({ id, title, note, file, language, code }: Snippet): Html =>
  html`<section id="${id}">
    <h2><a href="#${id}">${title}</a></h2>
    <p>${note}</p>
    ${file === undefined ? [] : html`<p class="file"><code>${file}</code></p>`}
    ${codeBlock(code, language, `${id}-code`)}
  </section> `;

/** `/docs/quickstart`: from a key to an answer, for every client, with this relay's own address filled in. */
export function quickstartPage({ serviceName, version, baseUrl }: PageFacts): string {
  const root = rootPath(baseUrl);
  const sections = snippets(baseUrl);
  return page({
    title: `${serviceName} quickstart`,
    root,
    styles: ['pages.css', 'quickstart.css'],
    scripts: ['quickstart.js'],
    body: html`${pageBar(serviceName, root, [
        { href: `${root}/docs/quickstart`, text: 'Quickstart', current: true },
        { href: `${root}/docs`, text: 'API reference' },
        { href: `${root}/docs/management`, text: 'Management' },
        { href: `${root}/openapi.json`, text: 'openapi.json' },
      ])}
      <main>
        <h1>Your own models, one address</h1>
        <p class="lead">
          Point any OpenAI or Anthropic client at this relay. It sends each request to one of your computers that has
          the model loaded.
        </p>
        <dl class="facts">
          <div>
            <dt>OpenAI clients</dt>
            <dd><code>${baseUrl}/v1</code></dd>
          </div>
          <div>
            <dt>Anthropic clients</dt>
            <dd><code>${baseUrl}</code></dd>
          </div>
          <div>
            <dt>Key</dt>
            <dd><code>ferry keys create NAME</code></dd>
          </div>
          <div>
            <dt>Model</dt>
            <dd>
              <code>tiny</code>, or an <code>id</code> of <code>GET /v1/models</code> with <code>"loaded": true</code>
            </dd>
          </div>
        </dl>
        <section id="environment">
          <h2><a href="#environment">First</a></h2>
          <p>Create a key, and put it into the variable that the examples below read.</p>
          ${codeBlock(environment, 'sh', 'environment-code')}
        </section>
        <nav class="contents" aria-label="Clients">
          ${sections.map(({ id, title }) => html`<a href="#${id}">${title}</a> `)}
        </nav>
        ${sections.map(section)}
        <section id="trouble">
          <h2><a href="#trouble">When it does not work</a></h2>
          <dl class="trouble">
            <dt><code>missing_or_malformed_credential</code></dt>
            <dd>
              Send the key as <code>Authorization: Bearer</code>. Anthropic clients: <code>authToken</code>, not
              <code>apiKey</code>.
            </dd>
            <dt><code>no node for user</code></dt>
            <dd>
              No computer with this model is online and ready; the header <code>x-ferry-reason</code> says why. See
              <code>ferry nodes</code> and <code>ferry models ps</code>.
            </dd>
            <dt><code>model_not_found</code></dt>
            <dd>The name is none of <code>GET /v1/models</code>.</dd>
            <dt><code>route_not_found</code></dt>
            <dd>Check the base URL: with <code>/v1</code> for OpenAI clients, without it for Anthropic's.</dd>
          </dl>
        </section>
      </main>
      <footer>
        <p>
          ${serviceName} ${version} · <a href="${root}/docs">API reference</a> ·
          <a href="${root}/openapi.yaml">openapi.yaml</a>
        </p>
      </footer>`,
  });
}
