/** Limits of request bodies (docs/reference/limits.md#bodies-and-timeouts). */
import type { Setting } from '../../../../kernel/settings.js';
import { integer, MEBIBYTE, setting } from './setting.js';

export const bodySettings = {
  bodyLimitBytes: setting(
    'FERRY_BODY_LIMIT_BYTES',
    integer(1_024, 64 * MEBIBYTE),
    '16777216',
    'Largest request body after transfer and content decoding.',
  ),
  bodyInflateRatioLimit: setting(
    'FERRY_BODY_INFLATE_RATIO_LIMIT',
    integer(1, 10_000),
    '100',
    'Largest inflated-to-compressed ratio of a compressed body.',
  ),
  bodyDepthLimit: setting('FERRY_BODY_DEPTH_LIMIT', integer(8, 1_000), '64', 'Deepest JSON nesting.'),
  bodyTokenLimit: setting(
    'FERRY_BODY_TOKEN_LIMIT',
    integer(1_000, 100_000_000),
    '1000000',
    'Most structural JSON tokens.',
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
    'All request bodies held at once by this relay.',
  ),
  bodiesInMemoryPerAccountBytes: setting(
    'FERRY_BODIES_IN_MEMORY_PER_ACCOUNT_BYTES',
    integer(MEBIBYTE, 1_024 * 1_024 * MEBIBYTE),
    '67108864',
    'All request bodies held at once for one account.',
  ),
  bodyLingerMs: setting(
    'FERRY_BODY_LINGER_MS',
    integer(0, 60_000),
    '1000',
    'How long a refused upload may go on before its socket is destroyed.',
  ),
  bodyLingerBytes: setting(
    'FERRY_BODY_LINGER_BYTES',
    integer(0, 64 * MEBIBYTE),
    '65536',
    'How much of a refused upload is read and thrown away.',
  ),
  uploadFloorBytesPerSecond: setting(
    'FERRY_UPLOAD_FLOOR_BYTES_PER_SECOND',
    integer(0, MEBIBYTE),
    '8192',
    'Uploads slower than this on average are closed; 0 turns it off.',
  ),
  uploadFloorWindowMs: setting(
    'FERRY_UPLOAD_FLOOR_WINDOW_MS',
    integer(1_000, 600_000),
    '30000',
    'Over which time the upload speed is averaged.',
  ),
} as const satisfies Record<string, Setting<unknown>>;
