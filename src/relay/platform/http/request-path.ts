/** Path of a request target, without its query; also of the absolute form, which servers must accept (RFC 9112 §3.2.2). */
export const pathOf = (url: string): string | undefined =>
  url.startsWith('/') ? url.split('?', 1)[0] : URL.canParse(url) ? new URL(url).pathname : undefined;
