/** The only files that `/docs/assets/…` serves: a name that is not in this table is no route, whatever it looks like. */
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

export interface Asset {
  /** Absolute. */
  readonly path: string;
  readonly contentType: string;
}

const STYLE = 'text/css; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';

/** At the same distance from `src` and `dist`; not compiled, because browsers get them as they are. */
const own = (name: string): string => fileURLToPath(new URL(`../../../public/docs/${name}`, import.meta.url));
const require = createRequire(import.meta.url);

export const assets: ReadonlyMap<string, Asset> = new Map([
  ['pages.css', { path: own('pages.css'), contentType: STYLE }],
  ['quickstart.css', { path: own('quickstart.css'), contentType: STYLE }],
  ['quickstart.js', { path: own('quickstart.js'), contentType: SCRIPT }],
  ['reference.css', { path: own('reference.css'), contentType: STYLE }],
  ['reference.js', { path: own('reference.js'), contentType: SCRIPT }],
  ['icon.svg', { path: own('icon.svg'), contentType: 'image/svg+xml' }],
  ['swagger-ui.css', { path: require.resolve('swagger-ui-dist/swagger-ui.css'), contentType: STYLE }],
  ['swagger-ui-bundle.js', { path: require.resolve('swagger-ui-dist/swagger-ui-bundle.js'), contentType: SCRIPT }],
]);
