/** What the relay reads of an embeddings request: the fields of OpenAI's API. Fields that only engines know are passed on unchanged. */
import type { JsonObject } from '../../kernel/json-object.js';
import type { Envelope } from '../envelope.js';
import { invalidField, requireBody, requireText } from '../field-checks.js';
import type { ReadRequest } from '../protocol.js';
import { noRequirements } from '../requirements.js';
import { readFormat, readInputs, type EmbeddingInput } from './inputs.js';

export interface EmbeddingsEnvelope extends Envelope {
  readonly dialect: 'embeddings';
  readonly stream: false;
  /** How many vectors the response has. */
  readonly inputs: number;
}

/** Of the text that a token stands for, roughly. */
const BYTES_PER_TOKEN = 4;

/** @throws FerryError 400 with the field at fault */
export function readEmbeddings(json: unknown): ReadRequest<EmbeddingsEnvelope> {
  const body = requireBody(json);
  const model = requireText(body, 'model');
  const inputs = readInputs(body);
  readFormat(body);
  checkDimensions(body);
  const user = body['user'] ?? undefined;
  if (user !== undefined && typeof user !== 'string') throw invalidField('user', 'must be a string');
  return {
    envelope: { dialect: 'embeddings', model, stream: false, inputs: inputs.length },
    requirements: noRequirements,
    promptBytes: longestBytes(inputs),
  };
}

function checkDimensions({ dimensions }: JsonObject): void {
  const value = dimensions ?? undefined;
  if (value === undefined || (Number.isInteger(value) && Number(value) > 0)) return;
  throw invalidField('dimensions', 'must be a positive integer');
}

/** A spread of so many arguments would overflow the stack. */
const longestBytes = (inputs: readonly EmbeddingInput[]): number =>
  inputs.reduce<number>((longest, input) => Math.max(longest, bytesOf(input)), 0);

const bytesOf = (input: EmbeddingInput): number =>
  typeof input === 'string' ? Buffer.byteLength(input) : input.length * BYTES_PER_TOKEN;
