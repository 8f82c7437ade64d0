import { z } from 'zod';
import { FerryError } from '../../../kernel/errors/ferry-error.js';

const shortText = z.string().min(1).max(200);

const deviceCodeRequest = z.object({
  /** base64url of the raw 32 bytes. */
  public_key: z.string().max(100),
  /** Copied from `GET /link/challenge`. */
  nonce: shortText,
  /** base64url of the ed25519 signature over `deviceCodeMessage(nonce)`. */
  signature: shortText,
  node_name: shortText,
  platform: shortText,
  agent_version: shortText,
});
export type DeviceCodeRequest = z.output<typeof deviceCodeRequest>;

const pollRequest = z.object({ device_code: z.string().min(1).max(200) });

/** @throws FerryError `invalid_request` that names the first field at fault, and never its value. */
export const parseDeviceCodeRequest = (body: unknown): DeviceCodeRequest => parse(deviceCodeRequest, body);
/** @throws FerryError as `parseDeviceCodeRequest` */
export const parsePoll = (body: unknown): string => parse(pollRequest, body).device_code;

function parse<Value>(schema: z.ZodType<Value>, body: unknown): Value {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const param = String(parsed.error.issues[0]?.path[0] ?? 'body');
  throw new FerryError('invalid_request', `The field ${param} is missing, is not text, or has an invalid length.`, {
    param,
  });
}
