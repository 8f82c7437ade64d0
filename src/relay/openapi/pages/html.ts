const replacements: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text for element content and quoted attributes alike. */
export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => replacements[character] ?? '');

/** Markup that was written by us, or made of escaped parts. */
export class Html {
  constructor(readonly markup: string) {}
}

/** Everything put into it is escaped, except markup and lists of markup. */
export function html(parts: TemplateStringsArray, ...values: readonly (string | Html | readonly Html[])[]): Html {
  const rendered = values.map((value) => {
    if (typeof value === 'string') return escapeHtml(value);
    return value instanceof Html ? value.markup : value.map(({ markup }) => markup).join('');
  });
  return new Html(parts.map((part, index) => part + (rendered[index] ?? '')).join(''));
}
