/** `docs/reference/errors.md` is generated from the error catalogue: `npm run docs:errors`. A test fails when the two differ. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { errorCatalogue, type ErrorDefinition } from '../src/kernel/errors/error-catalogue.js';

export const errorsPagePath = path.resolve(import.meta.dirname, '../docs/reference/errors.md');

const introduction = `# Errors

<!-- Generated from src/kernel/errors/error-catalogue.ts by \`npm run docs:errors\`. Do not edit. -->

Look at the status **and** the content type: two answers are plain text, all others are JSON.

- On \`/v1/models\`, \`/v1/chat/completions\`, \`/v1/completions\` and \`/v1/responses\`:
  \`{"error":{"message","type","param","code"},"request_id"}\`. On \`/v1/responses\` the type \`rate_limit_error\` is called
  \`too_many_requests\`.
- On \`/v1/messages\`: \`{"type":"error","error":{"type","message"},"request_id"}\`.
- On \`/api\` and \`/link\`: problem details (RFC 9457, \`application/problem+json\`),
  \`{"type","title","status","detail","code","param","request_id"}\`, with \`type\` = \`urn:ferry:error:\` + \`code\`. Nothing there is plain text.
- Every response carries \`x-request-id\` (and the same value as \`request-id\`). Quote it in a report.
- \`Retry-After\` is in seconds. The official SDKs obey \`x-should-retry\`. It is \`false\` on every failure after a node accepted the prompt, so
  that a prompt does not run twice unnoticed.
- An error inside a stream has the same \`code\` in the protocol's own form. The stream then ends without \`[DONE]\`, except on
  \`/v1/responses\`, where \`[DONE]\` also follows \`response.failed\`.

What to do by symptom: [Troubleshooting](../guide/troubleshooting.md).

| Code | Status | Type (OpenAI / Anthropic) | Retry | What happened | What to do |
| --- | --- | --- | --- | --- | --- |
`;

const retryOf = ({ retryAfterSeconds, shouldRetry }: ErrorDefinition): string => {
  if (shouldRetry === false) return 'no';
  return retryAfterSeconds === undefined ? '–' : `after ${retryAfterSeconds} s`;
};

const row = ([code, definition]: [string, ErrorDefinition]): string => {
  const types = `${definition.openaiType} / ${definition.anthropicType}`;
  const body = definition.plainText === undefined ? '' : ` Plain-text body \`${definition.plainText}\`.`;
  return `| \`${code}\` | ${definition.status} | ${types} | ${retryOf(definition)} | ${definition.meaning}${body} | ${definition.remedy} |\n`;
};

export const renderErrorsPage = (): string => introduction + Object.entries(errorCatalogue).map(row).join('');

if (process.argv[1] === import.meta.filename) writeFileSync(errorsPagePath, renderErrorsPage());
