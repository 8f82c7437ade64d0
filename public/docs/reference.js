/** Swagger UI has dark colours of its own, but knows no preference of the reader. */
const dark = matchMedia('(prefers-color-scheme: dark)');
const followPreference = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
followPreference();
dark.addEventListener('change', followPreference);

const target = document.getElementById('reference');

SwaggerUIBundle({
  domNode: target,
  url: target.dataset.document,
  deepLinking: true,
  // A key typed into the page is gone with the page.
  persistAuthorization: false,
  // Would ask swagger.io for a badge.
  validatorUrl: 'none',
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  requestSnippetsEnabled: true,
  requestSnippets: { generators: { curl_bash: { title: 'curl', syntax: 'bash' } }, defaultExpanded: true },
});
