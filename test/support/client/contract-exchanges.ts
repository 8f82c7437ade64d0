/**
 * Requests to the five routes of the contract and around them, with what a relay answers byte for byte except for ids and times. The answers
 * in `test/fixtures/contract/exchanges.json` were recorded before there were extensions of the public API.
 */
import { request } from 'node:http';
import { createCredential } from '../../../src/kernel/credential.js';

export interface ContractRequest {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface ContractAnswer {
  readonly status: string;
  /** Names as they were sent, in their order. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

interface Callers {
  readonly key: string;
}

const ask = [{ role: 'user', content: 'Hello' }];
const base = { model: 'tiny', temperature: 0 };
const bodies: Readonly<Record<string, object>> = {
  '/v1/chat/completions': { ...base, messages: ask, max_tokens: 16 },
  '/v1/completions': { ...base, prompt: 'Once upon', max_tokens: 8 },
  '/v1/responses': { ...base, input: 'Hello', max_output_tokens: 16, store: false },
  '/v1/messages': { ...base, messages: ask, max_tokens: 16 },
};

/** Of extensions that are off: unknown routes. */
const beyond = [
  ['POST', '/v1/messages/count_tokens'],
  ['POST', '/v1/messages/count_tokens/'],
  ['GET', '/v1/messages/count_tokens'],
  ['POST', '/v1/responses/input_tokens'],
  ['POST', '/v1/embeddings'],
  ['POST', '/v1/rerank'],
  ['GET', '/v1/models/tiny'],
  ['GET', '/v1/models/owner/tiny'],
  ['GET', '/v1/models/owner%2Ftiny?a=b'],
  ['GET', '/v1/models/%E0%A4%A'],
  ['HEAD', '/v1/models/tiny'],
  ['POST', '/v1/models/tiny'],
  ['DELETE', '/v1/models/tiny'],
] as const;

/** @param key a valid one of the account */
export function contractRequests({ key }: Callers): readonly ContractRequest[] {
  const bearer = { authorization: `Bearer ${key}` };
  const json = { 'content-type': 'application/json' };
  const posts = Object.entries(bodies).flatMap(([path, body]): ContractRequest[] => {
    const send = (name: string, headers: object, sent: object | string = body): ContractRequest => ({
      name: `${path}: ${name}`,
      method: 'POST',
      path,
      headers: { ...json, ...headers },
      body: typeof sent === 'string' ? sent : JSON.stringify(sent),
    });
    return [
      send('whole', bearer),
      send('stream', bearer, { ...body, stream: true }),
      send('no credential', {}),
      send('a key of another service', { authorization: 'Bearer sk-proj-abcdef' }),
      send('an unknown key', { authorization: `Bearer ${UNKNOWN_KEY}` }),
      send('x-api-key alone', { 'x-api-key': key, 'anthropic-version': '2023-06-01' }),
      send('x-api-key beside a bearer', { ...bearer, 'x-api-key': 'other' }),
      send('an unknown model', bearer, { ...body, model: 'absent' }),
      send('no model', bearer, {}),
      send('no JSON', bearer, '{'),
      send('a cluster that does not exist', { ...bearer, 'x-cluster-id': 'cl_0000000000000000' }),
      send('thinking that the model does not have', bearer, { ...body, reasoning_effort: 'low', unknown_field: 1 }),
    ];
  });
  const get = (name: string, path: string, headers: Readonly<Record<string, string>>): ContractRequest => ({
    name: `${path}: ${name}`,
    method: 'GET',
    path,
    headers,
  });
  return [
    get('list', '/v1/models', bearer),
    get('list, with a slash', '/v1/models/', bearer),
    get('list for Anthropic clients', '/v1/models', { ...bearer, 'anthropic-version': '2023-06-01' }),
    get('list for Codex', '/v1/models?client_version=1', bearer),
    get('no credential', '/v1/models', {}),
    get('x-api-key alone', '/v1/models', { 'x-api-key': key }),
    get('x-api-key of an Anthropic client', '/v1/models', { 'x-api-key': key, 'anthropic-version': '2023-06-01' }),
    ...posts,
    ...beyond.flatMap(([method, path]): ContractRequest[] =>
      [{}, bearer].map((credential, index) => ({
        name: `${method} ${path}: ${index === 0 ? 'no credential' : 'with a key'}`,
        method,
        path,
        headers: method === 'POST' ? { ...json, ...credential } : credential,
        ...(method === 'POST' && { body: '{"model":"tiny"}' }),
      })),
    ),
  ];
}

const UNKNOWN_KEY = createCredential('api-key').text;

/** @returns by the name of the request */
export async function answersTo(
  baseUrl: string,
  requests: readonly ContractRequest[],
): Promise<Record<string, ContractAnswer>> {
  // Other spec files may have asked the node before: the tokens of this prompt are kept either way then, as they were while recording.
  const first = requests.find(({ name }) => name === '/v1/chat/completions: whole');
  if (first !== undefined) await answerTo(baseUrl, first);
  const answers: Record<string, ContractAnswer> = {};
  for (const asked of requests) answers[asked.name] = await answerTo(baseUrl, asked);
  return answers;
}

/** On a connection of its own, so that headers about it are always the same. */
const answerTo = (baseUrl: string, asked: ContractRequest, headers: object = {}): Promise<ContractAnswer> =>
  new Promise((resolve, reject) => {
    const { method, path, body } = asked;
    const sent = { ...asked.headers, ...headers, connection: 'close' };
    request(`${baseUrl}${path}`, { method, headers: sent, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('error', reject).on('end', () => {
        const { rawHeaders } = response;
        const pairs = rawHeaders.flatMap((name, index) =>
          index % 2 === 0 ? [[name, neutral(name, rawHeaders[index + 1] ?? '')] as const] : [],
        );
        resolve({
          status: `${String(response.statusCode)} ${response.statusMessage ?? ''}`,
          headers: pairs,
          body: withoutIds(text),
        });
      });
    })
      .on('error', reject)
      .end(body);
  });

/** The length of a body depends on the digits of times. */
const neutral = (name: string, value: string): string =>
  /^(?:date|content-length)$/i.test(name) ? `(${name.toLowerCase()})` : withoutIds(value);

const ids = /\b(?:req_|resp_|msg_|item_|chatcmpl-|cmpl-|rs_|fc_|cl_|mdl_|toolu_|call_)(?!0{8})[0-9A-Za-z_-]{6,}/g;

const withoutIds = (text: string): string =>
  text
    .replaceAll(ids, (id) => `${/^[a-z]+[-_]/.exec(id)?.[0] ?? ''}ID`)
    .replaceAll(/"(created|created_at|completed_at)":(?:\d+|"[^"]+")/g, '"$1":TIME');
