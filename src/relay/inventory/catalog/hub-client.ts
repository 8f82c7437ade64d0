/** Questions to Hugging Face or a mirror of it. Its responses are hostile until proven otherwise, and bounded. */
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import type { AccountId } from '../../../kernel/ids.js';
import { RELAY_CONFIG, type RelayConfig } from '../../platform/config/relay-config.js';

const MAX_RESPONSE_BYTES = 8 * 1024 * 1024;
const MAX_RESULTS = 30;
const MAX_FILES = 500;
/** At once, of all accounts: a slow hub must not gather the relay's sockets. */
const MAX_QUERIES = 8;
/** So that one account leaves room for others while a hub is slow. */
const MAX_QUERIES_OF_ACCOUNT = 3;

const count = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const gated = z.union([z.boolean(), z.string().max(40)]).catch(false);
const foundModel = z.object({
  id: z.string().regex(/^[\w.-]{1,96}\/[\w.-]{1,96}$/),
  downloads: count.catch(0),
  likes: count.catch(0),
  gated,
  lastModified: z.iso.datetime().nullable().catch(null),
});
const repository = z.object({
  id: z.string().max(200),
  gated,
  gguf: z
    .object({ context_length: count.nullish(), architecture: z.string().max(100).nullish() })
    .nullish()
    .catch(null),
  siblings: z.array(z.object({ rfilename: z.string().max(1_000), size: count.nullish() })).max(20_000),
});

export interface HubModel {
  readonly id: string;
  readonly downloads: number;
  readonly likes: number;
  /** Needs a token of somebody who was admitted. */
  readonly gated: boolean;
  readonly updatedAt: Date | null;
}

export interface HubFile {
  /** Below the repository. */
  readonly path: string;
  readonly sizeBytes: number | null;
  readonly quantization: string | null;
  /** One part of several; nodes install whole files only. */
  readonly split: boolean;
}

export interface HubRepository {
  readonly id: string;
  readonly gated: boolean;
  readonly contextLength: number | null;
  readonly architecture: string | null;
  /** Smallest first. */
  readonly files: readonly HubFile[];
}

const PART = /-\d{5}-of-\d{5}\.gguf$/i;
/** Parts of a model that see, or drafts beside one: nobody loads them by themselves. */
const BESIDE = /(?:^|\/)mmproj|(?:^|[-_./])imatrix/i;

@Injectable()
export class HubClient {
  private running = 0;
  private readonly runningOf = new Map<AccountId, number>();

  constructor(@Inject(RELAY_CONFIG) private readonly config: RelayConfig) {}

  /** Repositories with GGUF files, most downloaded first. @throws FerryError `catalog_unavailable` */
  async search(accountId: AccountId, text: string): Promise<readonly HubModel[]> {
    const query = { search: text, filter: 'gguf', sort: 'downloads', direction: '-1', limit: String(MAX_RESULTS) };
    const response = await this.query(accountId, 'api/models', query);
    if (!Array.isArray(response)) throw strange();
    return response.slice(0, MAX_RESULTS).flatMap((item): HubModel[] => {
      const { data } = foundModel.safeParse(item);
      if (data === undefined) return [];
      const { lastModified, gated: gate, ...model } = data;
      return [{ ...model, gated: gate !== false, updatedAt: lastModified === null ? null : new Date(lastModified) }];
    });
  }

  /** @throws FerryError `not_found`, `catalog_unavailable` */
  async repository(accountId: AccountId, owner: string, name: string): Promise<HubRepository> {
    const response = await this.query(accountId, `api/models/${owner}/${name}`, { blobs: 'true' });
    const { data } = repository.safeParse(response);
    if (data === undefined) throw strange();
    const files = data.siblings
      .filter(({ rfilename }) => /\.gguf$/i.test(rfilename) && !BESIDE.test(rfilename))
      .map(({ rfilename, size }) => ({
        path: rfilename,
        sizeBytes: size ?? null,
        quantization: quantizationOf(rfilename),
        split: PART.test(rfilename),
      }))
      .sort((a, b) => (a.sizeBytes ?? 0) - (b.sizeBytes ?? 0));
    return {
      id: `${owner}/${name}`,
      gated: data.gated !== false,
      contextLength: data.gguf?.context_length ?? null,
      architecture: data.gguf?.architecture ?? null,
      files: files.slice(0, MAX_FILES),
    };
  }

  private async query(accountId: AccountId, path: string, query: Readonly<Record<string, string>>): Promise<unknown> {
    const ofAccount = this.runningOf.get(accountId) ?? 0;
    if (this.running >= MAX_QUERIES) throw unavailable('has too many pending requests', undefined, 2);
    if (ofAccount >= MAX_QUERIES_OF_ACCOUNT)
      throw unavailable(`has ${ofAccount} pending requests of this account`, undefined, 2);
    this.running += 1;
    this.runningOf.set(accountId, ofAccount + 1);
    try {
      return await this.respond(path, query);
    } finally {
      this.running -= 1;
      const left = (this.runningOf.get(accountId) ?? 1) - 1;
      if (left === 0) this.runningOf.delete(accountId);
      else this.runningOf.set(accountId, left);
    }
  }

  private async respond(path: string, query: Readonly<Record<string, string>>): Promise<unknown> {
    const { hubUrl, hubTimeoutMs } = this.config.settings;
    const url = new URL(`${hubUrl.replace(/\/+$/, '')}/${path}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    try {
      const response = await fetch(url, {
        headers: { accept: 'application/json', 'user-agent': `ferry/${this.config.version}` },
        // It may lead anywhere, also into the network of the relay.
        redirect: 'manual',
        signal: AbortSignal.timeout(hubTimeoutMs),
      });
      if (response.ok) return JSON.parse(await boundedText(response)) as unknown;
      await response.body?.cancel();
      // A repository that does not exist or is private answers 401.
      if ([401, 403, 404].includes(response.status)) throw noSuchRepository();
      throw unavailable(`answered with ${response.status}`);
    } catch (error) {
      if (error instanceof FerryError) throw error;
      const timedOut = error instanceof DOMException && error.name === 'TimeoutError';
      throw unavailable(timedOut ? `did not answer within ${hubTimeoutMs} ms` : 'cannot be reached', error);
    }
  }
}

async function boundedText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  const body: AsyncIterable<Uint8Array> | null = response.body;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_RESPONSE_BYTES) throw unavailable(`answered with more than ${MAX_RESPONSE_BYTES} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

const QUANTIZATION =
  /(?:^|[-_.])((?:UD-)?(?:I?Q[1-8](?:_[01KSMLX]|_XXS|_XS|_NL|_XL)*|TQ[12]_0|MXFP4(?:_MOE)?|BF16|F16|F32|FP16|FP32))(?=[-_.]|$)/gi;

/** From file names of GGUF models, such as `Q4_K_M`; null when the name has none. The last one in the name counts. */
export function quantizationOf(path: string): string | null {
  const name = path
    .slice(path.lastIndexOf('/') + 1)
    .replace(/\.gguf$/i, '')
    .replace(/-\d{5}-of-\d{5}$/, '');
  return [...name.matchAll(QUANTIZATION)].at(-1)?.[1]?.toUpperCase() ?? null;
}

const noSuchRepository = (): FerryError =>
  new FerryError('not_found', 'The catalogue has no such repository, or it is not public.');

const strange = (): FerryError => unavailable('answered with something other than a list of models');

const unavailable = (what: string, cause?: unknown, retryAfterSeconds?: number): FerryError =>
  new FerryError('catalog_unavailable', `The catalogue ${what}.`, {
    cause,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
