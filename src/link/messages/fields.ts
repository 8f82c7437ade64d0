/** Bounds that several messages share. */
import { z } from 'zod';

export const shortText = z.string().max(200);
export const longText = z.string().max(4_000);
export const count = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
export const milliseconds = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
