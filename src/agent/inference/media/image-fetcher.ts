import type { PublicWeb, WebResponse } from './public-web.js';
import { FetchRefusal } from './public-web.js';

const ACCEPT = 'image/*';
/** Engines decode these; a type that is a document or could hold a script, such as SVG, is refused. */
const IMAGE_TYPE = /^image\/(?!svg)[a-z0-9.+-]{1,40}$/;

interface ImageFetcherOptions {
  readonly web: Pick<PublicWeb, 'get'>;
  /** Bounds all images of one request together. */
  readonly limitBytes: number;
  readonly timeoutMs: number;
}

/** Fetches the images of one request as data URIs. */
export class ImageFetcher {
  constructor(private readonly options: ImageFetcherOptions) {}

  /** @returns by address. @throws FetchRefusal for the first that cannot be had; the signal's reason on abort */
  async fetchAll(addresses: ReadonlySet<string>, signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
    const budget = { leftBytes: this.options.limitBytes };
    const failed = new AbortController();
    const timeout = AbortSignal.timeout(this.options.timeoutMs);
    const any = AbortSignal.any([signal, timeout, failed.signal]);
    try {
      const uris = await Promise.all(
        Array.from(addresses, async (address): Promise<[string, string]> => [
          address,
          await this.fetchOne(address, budget, any).catch((error: unknown) => {
            throw asRefusal(error, address, timeout.aborted);
          }),
        ]),
      );
      return new Map(uris);
    } catch (error) {
      // One image failed, so the transfers of the others are useless.
      failed.abort();
      throw signal.aborted ? signal.reason : error;
    }
  }

  private async fetchOne(address: string, budget: { leftBytes: number }, signal: AbortSignal): Promise<string> {
    const response = await this.options.web.get(address, ACCEPT, signal);
    try {
      const type = imageType(response);
      const chunks: Buffer[] = [];
      for await (const chunk of response.body as AsyncIterable<Buffer>) {
        budget.leftBytes -= chunk.length;
        if (budget.leftBytes < 0) {
          throw new FetchRefusal(
            `is too large: all images of a request together may have at most ${this.options.limitBytes} bytes`,
          );
        }
        chunks.push(chunk);
      }
      return `data:${type};base64,${Buffer.concat(chunks).toString('base64')}`;
    } finally {
      response.body.destroy();
    }
  }
}

function imageType({ statusCode, headers }: WebResponse): string {
  if (statusCode !== 200) throw new FetchRefusal(`cannot be fetched: the server answers ${statusCode}`);
  const header = headers['content-type'];
  const type = (typeof header === 'string' ? header : '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (!IMAGE_TYPE.test(type)) throw new FetchRefusal('is no image');
  return type;
}

function asRefusal(error: unknown, address: string, late: boolean): FetchRefusal {
  const refusal = [error, (error as Error).cause].find((one) => one instanceof FetchRefusal);
  const text = refusal?.message ?? (late ? 'was not fetched in time' : 'cannot be fetched');
  return new FetchRefusal(text, { address, cause: error });
}
