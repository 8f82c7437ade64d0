/** Nothing from outside, no inline scripts, in no frame. */
const common = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'frame-ancestors': "'none'",
  'base-uri': "'none'",
  'form-action': "'none'",
};

const render = (policy: Readonly<Record<string, string>>): string =>
  Object.entries(policy)
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join('; ');

export const quickstartPolicy: string = render(common);

/**
 * Swagger UI writes style attributes, and calls the relay: at the origin that the document names, which is another one when somebody
 * reads the page under a second name of the same machine.
 */
export const referencePolicy = (baseUrl: string): string =>
  render({
    ...common,
    'style-src': "'self' 'unsafe-inline'",
    'connect-src': `'self' ${new URL(baseUrl).origin}`,
  });
