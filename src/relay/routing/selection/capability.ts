/** Whether a reported model meets the needs of a request (docs/reference/api-behaviour.md#order-of-checks, check 6). */
import { protocols } from '../../../dialects/protocols.js';
import { allDialects, servesDialect, type Dialect, type InputKind } from '../../../kernel/dialect.js';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import type { FieldPath, Requirements } from '../../../dialects/requirements.js';
import type { ReportedModel } from '../../nodes/registry/online-node.js';

interface Need {
  /** The request field named in the error when no model meets it. */
  readonly param: FieldPath;
  /** The error message when no model meets it. */
  readonly message: () => string;
  readonly isMetBy: (model: ReportedModel) => boolean;
  /** Of that error. Absent: `unsupported_capability`. */
  readonly code?: 'not_implemented';
}

/** `text` is implied by every model; an engine may not report tool support (null), which must not exclude it. */
export function needsOf(dialect: Dialect, { hard, remoteMedia }: Requirements): readonly Need[] {
  const basic = basicNeeds[dialect];
  // The common case: allocates nothing.
  if (hard.inputs.size === 0 && hard.tools === null && remoteMedia.size === 0) return basic;
  const needs: Need[] = [...basic];
  for (const [kind, param] of hard.inputs) {
    if (kind !== 'text') needs.push(need(param, inputNames[kind], (model) => takes(model, kind)));
  }
  if (hard.tools !== null) needs.push(need(hard.tools, 'tool calls', (model) => model.tools !== false));
  for (const [kind, param] of remoteMedia) {
    needs.push({
      param,
      message: () => `\`${param}\` must be a base64 data URI: media are not fetched.`,
      // A node fetches images only, no other media.
      isMetBy: (model) => kind === 'image' && model.remote_media === true,
    });
  }
  return needs;
}

/** An engine that does not say may be asked: it refuses what it cannot do, and another node is asked then. */
const takes = ({ inputs, untried_inputs: untried }: ReportedModel, kind: InputKind): boolean =>
  inputs.includes(kind) || untried?.includes(kind) === true;

const need = (param: FieldPath, what: string, isMetBy: Need['isMetBy']): Need => ({
  param,
  message: () => noNodeSupports(what),
  isMetBy,
});

const noNodeSupports = (what: string): string => `No online node that has the model supports ${what}.`;

export function meetsAll(model: ReportedModel, needs: readonly Need[]): boolean {
  for (const need of needs) if (!need.isMetBy(model)) return false;
  return true;
}

/** @param models none of which meets all needs. Returns a need that none meets, else the first that the first model lacks. */
export function lackOf(models: readonly ReportedModel[], needs: readonly Need[]): FerryError {
  const lack =
    needs.find((need) => !models.some((model) => need.isMetBy(model))) ??
    needs.find((need) => models.some((model) => !need.isMetBy(model)));
  return new FerryError(
    lack?.code ?? 'unsupported_capability',
    lack?.message() ?? noNodeSupports('the request'),
    lack === undefined ? {} : { param: lack.param },
  );
}

const inputNames: Record<Exclude<InputKind, 'text'>, string> = {
  image: 'image input',
  audio: 'audio input',
  video: 'video input',
  file: 'file input',
};

function basicNeedsOf(dialect: Dialect): readonly Need[] {
  const protocol = protocols[dialect];
  const { name, extension } = protocol;
  const served = need('model', name, (model) => servesDialect(model, dialect));
  // Whether the model embeds or reranks is its nature: no later version of its engine changes that.
  if (protocol.inputs !== undefined) return [served];
  return [
    need('model', 'generating text (it is an embedding model)', (model) => !model.embedding),
    extension === undefined ? served : { ...served, code: 'not_implemented' },
  ];
}

const basicNeeds = Object.fromEntries(allDialects.map((dialect) => [dialect, basicNeedsOf(dialect)])) as Record<
  Dialect,
  readonly Need[]
>;
