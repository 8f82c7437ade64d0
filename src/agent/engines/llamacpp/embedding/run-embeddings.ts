import { base64Of, readFormat, readInputs } from '../../../../dialects/embeddings/inputs.js';
import { FerryError } from '../../../../kernel/errors/ferry-error.js';
import { isJsonObject, parseJson } from '../../../../kernel/json-object.js';
import type { EngineCall, EngineResponse } from '../../engine.js';
import { invalidRequest, unsupportedParameter } from '../failures.js';
import type { EmbeddingModel } from './embedding-model.js';

interface EmbeddingsCall extends Pick<EngineCall, 'body' | 'signal'> {
  readonly model: EmbeddingModel;
  readonly engineModel: string;
}

/** `/v1/embeddings` of the built-in engine. @throws EngineFailure, the signal's reason */
export async function runEmbeddings({ model, engineModel, body, signal }: EmbeddingsCall): Promise<EngineResponse> {
  const { inputs, asBase64 } = read(body);
  const data = await model.pool.run(signal, async (running) => {
    const vectors: { readonly vector: readonly number[]; readonly tokens: number }[] = [];
    for (const input of inputs) vectors.push(await model.embed(input, running));
    return vectors;
  });
  const tokens = data.reduce((sum, one) => sum + one.tokens, 0);
  const document = {
    object: 'list',
    data: data.map(({ vector }, index) => ({
      object: 'embedding',
      index,
      embedding: asBase64 ? base64Of(vector) : vector,
    })),
    model: engineModel,
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  };
  return { kind: 'document', bytes: Buffer.from(JSON.stringify(document)) };
}

interface Request {
  readonly inputs: readonly (string | readonly number[])[];
  readonly asBase64: boolean;
}

function read(body: Buffer): Request {
  const request = parseJson(body.toString('utf8'));
  if (!isJsonObject(request)) throw invalidRequest(null, 'The request is not a JSON object.');
  if ((request['dimensions'] ?? undefined) !== undefined)
    throw unsupportedParameter('dimensions', 'the built-in engine does not shorten vectors');
  try {
    return { inputs: readInputs(request), asBase64: readFormat(request) === 'base64' };
  } catch (error) {
    if (error instanceof FerryError) throw invalidRequest(error.param, error.message);
    throw error;
  }
}
