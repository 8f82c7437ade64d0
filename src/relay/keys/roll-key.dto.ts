import { IsIn } from 'class-validator';
import { ApiProperty } from 'nest-swagger';

const HOUR_MS = 3_600_000;

/** How long the old key stays valid beside the new one (docs/reference/security.md#api-keys). */
export const overlapsMs = { '0': 0, '1h': HOUR_MS, '24h': 24 * HOUR_MS, '7d': 7 * 24 * HOUR_MS } as const;
export type Overlap = keyof typeof overlapsMs;

export class RollKeyDto {
  @ApiProperty({ enum: ['0', '1h', '24h', '7d'], description: 'How long the old key stays valid.' })
  @IsIn(Object.keys(overlapsMs))
  overlap: Overlap;
}
