/**
 * Media in requests: inline data is passed to the engine, addresses are refused or fetched here, and never opened by the engine
 * (docs/reference/engines.md#adapter-rules).
 */
import { parseExactOrNothing, stringifyExact } from '../../../kernel/exact-json.js';
import { NotJsonObjectError } from '../../../kernel/json-members.js';
import { withoutRepeatedKeys } from '../../../kernel/repeated-keys.js';
import { isWebAddress } from '../../../dialects/media-source.js';
import { EngineFailure } from '../../engines/engine.js';
import type { ImageFetcher } from './image-fetcher.js';
import { addressSources, type AddressSource } from './media-sources.js';
import { FetchRefusal } from './public-web.js';

const MAX_REMOTE_IMAGES = 32;

export class MediaGate {
  /** @param images absent: fetching is not allowed by the owner */
  constructor(private readonly images?: Pick<ImageFetcher, 'fetchAll'>) {}

  /**
   * The body for the engine: the same buffer, at once, for nearly all requests.
   * @param body of a chat or completions request
   * @throws EngineFailure 400, naming the field
   */
  admit(body: Buffer, signal: AbortSignal): Buffer | Promise<Buffer> {
    if (!mayCarryMedia(body)) return body;
    // Malformed JSON is passed to the engine, whose error message is more specific.
    const request = parseExactOrNothing(body.toString('utf8'));
    const sources = addressSources(request);
    // The relay is not trusted: an engine may take the first of repeated keys, of which the last is looked at here.
    if (sources.length === 0) return onceEach(body);
    const { images } = this;
    // Deny by default: some engines open `file:` addresses, some trim what they are given.
    const refused = sources.find(({ isImage, address }) => images === undefined || !isImage || !isWebAddress(address));
    if (images === undefined || refused !== undefined) {
      const path = (refused ?? sources[0])?.path ?? 'messages';
      throw refusal(path, `\`${path}\` must be a base64 data URI: media are not fetched.`);
    }
    return inline(request, sources, images, signal);
  }
}

function onceEach(body: Buffer): Buffer {
  try {
    return withoutRepeatedKeys(body);
  } catch (error) {
    if (error instanceof NotJsonObjectError) return body;
    throw error;
  }
}

async function inline(
  request: unknown,
  sources: readonly AddressSource[],
  images: Pick<ImageFetcher, 'fetchAll'>,
  signal: AbortSignal,
): Promise<Buffer> {
  const addresses = new Set(sources.map(({ address }) => address));
  if (addresses.size > MAX_REMOTE_IMAGES) {
    throw refusal('messages', `At most ${MAX_REMOTE_IMAGES} images are fetched for one request.`);
  }
  let fetched: ReadonlyMap<string, string>;
  try {
    fetched = await images.fetchAll(addresses, signal);
  } catch (error) {
    if (!(error instanceof FetchRefusal)) throw error;
    const path = sources.find(({ address }) => address === error.address)?.path ?? 'messages';
    throw refusal(path, `\`${path}\` ${error.message}.`, error);
  }
  for (const { address, replace } of sources) replace(fetched.get(address) ?? '');
  return Buffer.from(stringifyExact(request));
}

const refusal = (param: string, message: string, cause?: unknown): EngineFailure =>
  new EngineFailure(
    { code: 'unsupported_capability', status: 400, message, param: param.slice(0, 200), retry_after_seconds: null },
    cause === undefined ? {} : { cause },
  );

/**
 * The fields that {@link addressSources} looks into and the types of the parts that are media, as they stand in JSON, and letters of ASCII in
 * escapes, in which they could hide (no serialiser writes those). In text the quotation marks are escaped, so that prose about files and URLs
 * does not match.
 */
const MARKS = new RegExp(
  [
    'ur[il]s?"',
    '"(?:data|file_data|image_data|multi_modal_data|images?|audios?|videos?|files?)"',
    String.raw`"type"\s*:\s*"[^"]*(?:image|audio|video|file|media)`,
    String.raw`\\u00[4-7]`,
  ].join('|'),
  'i',
);

/** Fast path for text requests: searching the bytes costs a third of parsing and creates no garbage. */
export const mayCarryMedia = (body: Buffer): boolean => MARKS.test(body.toString('latin1'));
