import type { Transform } from 'node:stream';
import zlib from 'node:zlib';
import { FerryError } from '../../../../kernel/errors/ferry-error.js';

const CHUNK_BYTES = 65_536;

type Zlib = typeof zlib & { createZstdDecompress?: (options: { chunkSize: number }) => Transform };

const decoders: Readonly<Record<string, (() => Transform) | undefined>> = {
  gzip: () => zlib.createGunzip({ chunkSize: CHUNK_BYTES }),
  'x-gzip': () => zlib.createGunzip({ chunkSize: CHUNK_BYTES }),
  deflate: () => zlib.createInflate({ chunkSize: CHUNK_BYTES }),
  br: () => zlib.createBrotliDecompress({ chunkSize: CHUNK_BYTES }),
  zstd: zstdDecoder(),
};

/** Available from Node 22.15 on. */
function zstdDecoder(): (() => Transform) | undefined {
  const { createZstdDecompress } = zlib as Zlib;
  return createZstdDecompress && (() => createZstdDecompress({ chunkSize: CHUNK_BYTES }));
}

/**
 * Decoder for this `content-encoding`; undefined for identity.
 * @throws FerryError for any other, and for several on top of each other
 */
export function contentDecoder(contentEncoding: string | undefined): Transform | undefined {
  const encoding = (contentEncoding ?? '').trim().toLowerCase();
  if (encoding === '' || encoding === 'identity') return undefined;
  const create = Object.hasOwn(decoders, encoding) ? decoders[encoding] : undefined;
  if (create === undefined) {
    const readable = Object.keys(decoders).filter((name) => decoders[name] !== undefined && name !== 'x-gzip');
    throw new FerryError(
      'unsupported_content_encoding',
      `This Content-Encoding is not supported; the relay accepts ${readable.join(', ')} and uncompressed bodies.`,
    );
  }
  return create();
}
