/** Limits of request bodies (docs/reference/limits.md#bodies-and-timeouts). */
import type { Setting } from '../../../../kernel/settings/setting.js';
import { integer, MEBIBYTE, setting } from './setting.js';

export const bodySettings = {
  bodyLimitBytes: setting(
    'FERRY_BODY_LIMIT_BYTES',
    integer(1_024, 64 * MEBIBYTE),
    '16777216',
    'Largest request body, after transfer and content decoding.',
  ),
  bodyInflateRatioLimit: setting(
    'FERRY_BODY_INFLATE_RATIO_LIMIT',
    integer(1, 10_000),
    '100',
    'Largest ratio of decompressed to compressed size of a body.',
  ),
  bodyDepthLimit: setting('FERRY_BODY_DEPTH_LIMIT', integer(8, 1_000), '64', 'Deepest JSON nesting of a body.'),
  bodyTokenLimit: setting(
    'FERRY_BODY_TOKEN_LIMIT',
    integer(1_000, 100_000_000),
    '1000000',
    'Most structural JSON tokens in a body.',
  ),
  bodyParseInlineBytes: setting(
    'FERRY_BODY_PARSE_INLINE_BYTES',
    integer(0, 64 * MEBIBYTE),
    '1048576',
    'Larger bodies are parsed in a worker thread.',
  ),
  bodiesInMemoryBytes: setting(
    'FERRY_BODIES_IN_MEMORY_BYTES',
    integer(MEBIBYTE, 1_024 * 1_024 * MEBIBYTE),
    '268435456',
    'Request bodies held in memory, all together.',
  ),
  bodiesInMemoryPerAccountBytes: setting(
    'FERRY_BODIES_IN_MEMORY_PER_ACCOUNT_BYTES',
    integer(MEBIBYTE, 1_024 * 1_024 * MEBIBYTE),
    '67108864',
    'Request bodies held in memory for one account.',
  ),
  embeddingsInputLimit: setting(
    'FERRY_EMBEDDINGS_INPUT_LIMIT',
    integer(1, 1_000_000),
    '16384',
    'Most inputs of an embeddings request, and most documents of a rerank request (extensions).',
  ),
  embeddingsResponseBytes: setting(
    'FERRY_EMBEDDINGS_RESPONSE_BYTES',
    integer(MEBIBYTE, 1_024 * MEBIBYTE),
    '67108864',
    'Largest embeddings response that is put together from parts. It counts as request bodies in memory (extensions).',
  ),
  bodyLingerMs: setting(
    'FERRY_BODY_LINGER_MS',
    integer(0, 60_000),
    '1000',
    'Time that a refused upload may continue before its socket is destroyed.',
  ),
  bodyLingerBytes: setting(
    'FERRY_BODY_LINGER_BYTES',
    integer(0, 64 * MEBIBYTE),
    '65536',
    'Bytes of a refused upload that are read and discarded.',
  ),
  uploadFloorBytesPerSecond: setting(
    'FERRY_UPLOAD_FLOOR_BYTES_PER_SECOND',
    integer(0, MEBIBYTE),
    '8192',
    'Uploads with a lower average speed are closed. 0: no minimum.',
  ),
  uploadFloorWindowMs: setting(
    'FERRY_UPLOAD_FLOOR_WINDOW_MS',
    integer(1_000, 600_000),
    '30000',
    'Window over which the upload speed is averaged.',
  ),
} as const satisfies Record<string, Setting<unknown>>;
