import { z } from 'zod';
import { FerryError } from '../../../kernel/errors/ferry-error.js';

const shortText = z.string().min(1).max(200);

const enrolmentRequest = z.object({
  join_token: z.string().max(200),
  /** base64url of the raw 32 bytes. */
  public_key: z.string().max(100),
  /** base64url of the ed25519 signature over `enrolmentMessage(join_token)`. */
  signature: z.string().max(200),
  node_name: shortText,
  platform: shortText,
  agent_version: shortText,
});
export type EnrolmentRequest = z.output<typeof enrolmentRequest>;

/** @throws FerryError `invalid_request` that names the first field at fault, and never its value. */
export function parseEnrolmentRequest(body: unknown): EnrolmentRequest {
  const parsed = enrolmentRequest.safeParse(body);
  if (parsed.success) return parsed.data;
  const param = String(parsed.error.issues[0]?.path[0] ?? 'join_token');
  throw new FerryError('invalid_request', `The field ${param} is missing, is not text, or has an invalid length.`, {
    param,
  });
}
