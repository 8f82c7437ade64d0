import { contractProtocols } from '../../../../dialects/protocols.js';
import { FerryError } from '../../../../kernel/errors/ferry-error.js';

/** The routes of the public contract (docs/reference/public-api.md#routes). */
const publicRoutes: Readonly<Record<string, 'GET' | 'POST' | undefined>> = {
  '/v1/models': 'GET',
  ...Object.fromEntries(contractProtocols.map(({ path }) => [path, 'POST'] as const)),
};

/** Clients that take the address for that of an Ollama call these routes. */
const ollamaRoutes: Readonly<Record<string, true>> = Object.fromEntries(
  [
    'generate',
    'chat',
    'tags',
    'show',
    'ps',
    'version',
    'pull',
    'push',
    'create',
    'copy',
    'delete',
    'embed',
    'embeddings',
  ].map((name) => [`/api/${name}`, true] as const),
);
const NO_OLLAMA =
  'Ferry has no Ollama API: set the client up for an OpenAI-compatible API, with a base URL that ends in /v1.';

/** For an API key on `POST /api/chat`, which is a route of the website here. */
export const noOllamaApi = (): FerryError => new FerryError('missing_or_malformed_credential', NO_OLLAMA);

const LONGEST_PATH_SHOWN = 200;

/**
 * 404 for unknown routes and wrong methods alike, with a hint for common mistakes
 * (docs/reference/stream-transport.md#events-and-bytes).
 */
export function routeNotFound(method: string, path: string): FerryError {
  const shown = path.length > LONGEST_PATH_SHOWN ? `${path.slice(0, LONGEST_PATH_SHOWN)}…` : path;
  const hint = hintFor(path.replace(/\/+$/, ''));
  return new FerryError(
    'route_not_found',
    `There is no route ${method} ${shown}.${hint === undefined ? '' : ` ${hint}`}`,
  );
}

function hintFor(path: string): string | undefined {
  const wanted = publicRoutes[path];
  if (wanted !== undefined) return `${path} takes ${wanted} only.`;
  const plain = path.replace(/\/{2,}/g, '/').toLowerCase();
  if (plain !== path && plain in publicRoutes) {
    return `Did you mean ${plain}? ${path.includes('//') ? "The client's base URL must not end in a slash." : 'Paths are in lower case.'}`;
  }
  if (path in ollamaRoutes) return NO_OLLAMA;
  if (path.startsWith('/v1/v1/')) {
    return "The path has /v1 twice: this client adds it by itself, so leave it out of the client's base URL.";
  }
  if (`/v1${path}` in publicRoutes) {
    return `Did you mean /v1${path}? The client's base URL should end in /v1.`;
  }
  return undefined;
}
