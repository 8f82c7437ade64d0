import type { Response } from 'express';

const render = (policy: Readonly<Record<string, string>>): string =>
  Object.entries(policy)
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join('; ');

/** Nothing from outside and in no frame. Style attributes are how components place what they float; scripts are files only. */
const consolePolicy = render({
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self' 'unsafe-inline'",
  'img-src': "'self' data:",
  'font-src': "'self'",
  'connect-src': "'self'",
  'manifest-src': "'self'",
  'form-action': "'self'",
  'base-uri': "'none'",
  'frame-ancestors': "'none'",
});

/** A page of text. */
const plainPolicy = render({
  'default-src': "'none'",
  'style-src': "'self'",
  'img-src': "'self'",
  'font-src': "'self'",
  'form-action': "'none'",
  'base-uri': "'none'",
  'frame-ancestors': "'none'",
});

const common = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' };

/** A browser that has been here over https never asks over http again: not even once could somebody answer in between. */
export const transportHeaders = (baseUrl: string): Readonly<Record<string, string>> =>
  baseUrl.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {};

export const consoleHeaders: Readonly<Record<string, string>> = {
  ...common,
  'content-security-policy': consolePolicy,
};

export const plainPageHeaders: Readonly<Record<string, string>> = {
  ...common,
  'content-security-policy': plainPolicy,
};

export function setHeaders(res: Response, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
}
