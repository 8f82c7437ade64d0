/** Sources of installations: `https://…/x.gguf`, optionally with `#sha256=<hex>`, or `hf:owner/repo/file.gguf`. */
import { isLoopback } from '../../../connection/relay-address.js';
import { OperationFailure } from '../../engine-management.js';

export interface ModelSource {
  /** For messages and to find a download to resume; without query and token, which may be secrets. */
  readonly label: string;
  readonly url: URL;
  /** A validated name that ends in `.gguf`, without a folder. */
  readonly fileName: string;
  /** Expected digest; null when not given. */
  readonly sha256: string | null;
  readonly hub: ModelHub;
}

/** Hugging Face or a mirror of it. */
interface ModelHub {
  /** The token is sent to, and digests are taken from, this origin only. */
  readonly origin: string;
  readonly token: string | null;
  /** Configured by the owner of this computer, so it may be in a private network. */
  readonly isOwners: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

const DEFAULT_HUB = 'https://huggingface.co';
const MAX_FILE_NAME_CHARACTERS = 200;
const SAFE_FILE_NAME = /^[\p{L}\p{N}_][\p{L}\p{N}_ .+@()=,-]*\.gguf$/iu;
/** Device names of Windows, which are reserved with any extension. */
const DEVICE_NAME = /^(?:con|prn|aux|nul|com\d|lpt\d)\./i;
const PART_OF_SPLIT_FILE = /-\d{5}-of-\d{5}\.gguf$/i;
const HUB_NAME = /^(?!\.)[\w.-]{1,96}$/;

/** @throws OperationFailure `invalid_source` with what is wrong */
export function parseModelSource(source: string, env: Environment): ModelSource {
  const text = source.trim();
  const hub = hubOf(env);
  return text.startsWith('hf:') ? fromHub(text, hub) : fromAddress(text, hub.base, hub);
}

/** @param hf `hf:owner/repo/file.gguf`; the file may be in folders of the repository */
function fromHub(hf: string, hub: ModelHub & { readonly base: URL }): ModelSource {
  const [address, fragment] = splitOnce(hf.slice('hf:'.length), '#');
  const [owner = '', repository = '', ...file] = address.split('/');
  if (!HUB_NAME.test(owner) || !HUB_NAME.test(repository) || file.length === 0) {
    throw invalid(`${hf} is not of the form hf:owner/repo/file.gguf`);
  }
  if (file.some((segment) => segment === '' || segment === '.' || segment === '..')) {
    throw invalid(`${hf} does not name a file in that repository`);
  }
  const url = new URL(hub.base);
  const path = [owner, repository, 'resolve', 'main', ...file].map((segment) => encodeURIComponent(segment)).join('/');
  url.pathname = `${hub.base.pathname.replace(/\/+$/, '')}/${path}`;
  return { label: `hf:${address}`, url, fileName: checkedFileName(file.at(-1) ?? ''), sha256: digestIn(fragment), hub };
}

function fromAddress(text: string, base: URL, hub: ModelHub): ModelSource {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['https:', 'http:'].includes(url.protocol)) {
    throw invalid(
      'this engine installs files only. Find one with ferry models search WORDS, then: ferry run hf:OWNER/REPO, or an https URL',
    );
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw invalid(`${url.origin} is not https: models are not downloaded over connections that others can modify`);
  }
  if (url.username !== '' || url.password !== '') throw invalid('an address with a user or password is not accepted');
  const sha256 = digestIn(url.hash.slice(1));
  url.hash = '';
  // People copy the address of a file's page; the file itself is at `resolve`.
  if (url.origin === base.origin) url.pathname = url.pathname.replace(/^(\/[^/]+\/[^/]+)\/blob\//, '$1/resolve/');
  const label = `${url.origin}${url.pathname}`;
  return { label, url, fileName: checkedFileName(decoded(url.pathname.split('/').at(-1) ?? '')), sha256, hub };
}

function hubOf(env: Environment): ModelHub & { readonly base: URL } {
  const text = env['HF_ENDPOINT'] ?? '';
  const base = URL.canParse(text === '' ? DEFAULT_HUB : text) ? new URL(text === '' ? DEFAULT_HUB : text) : undefined;
  if (base === undefined || (base.protocol !== 'https:' && !(base.protocol === 'http:' && isLoopback(base.hostname)))) {
    throw invalid('HF_ENDPOINT on this node is not an https address');
  }
  const token = env['HF_TOKEN'] ?? '';
  return { base, origin: base.origin, token: token === '' ? null : token, isOwners: text !== '' };
}

/** @throws OperationFailure `invalid_source` */
export function checkedFileName(name: string): string {
  if (!SAFE_FILE_NAME.test(name) || name.length > MAX_FILE_NAME_CHARACTERS || DEVICE_NAME.test(name)) {
    throw invalid(`"${name.slice(0, MAX_FILE_NAME_CHARACTERS)}" is not the name of a GGUF file`);
  }
  if (PART_OF_SPLIT_FILE.test(name)) {
    throw invalid(
      `${name} is one part of a split file: download all parts into the models folder yourself, or install a single-file model`,
    );
  }
  return name;
}

function digestIn(fragment: string): string | null {
  if (fragment === '') return null;
  const digest = /^sha256=([0-9a-f]{64})$/i.exec(fragment)?.[1];
  if (digest === undefined) throw invalid('after # only sha256= and 64 hexadecimal digits are accepted');
  return digest.toLowerCase();
}

function splitOnce(text: string, separator: string): readonly [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + separator.length)];
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

const invalid = (message: string): OperationFailure => new OperationFailure('invalid_source', message);
