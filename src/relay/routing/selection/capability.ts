/** Whether a reported model can serve what a request needs (design §4, check 6). */
import type { Dialect, InputKind } from '../../../kernel/dialect.js';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import type { FieldPath, Requirements } from '../../../dialects/requirements.js';
import type { ReportedModel } from '../../nodes/online/online-node.js';

interface Need {
  /** The request field to name when no model meets it. */
  readonly param: FieldPath;
  /** Completes "no online node that has the model supports …". */
  readonly what: string;
  readonly isMetBy: (model: ReportedModel) => boolean;
}

/** `text` is implied by every model; of tools an engine may say nothing (null), which must not cost it the request. */
export function needsOf(dialect: Dialect, { hard }: Requirements): readonly Need[] {
  const needs: Need[] = [
    { param: 'model', what: 'generating text (it is an embedding model)', isMetBy: (model) => !model.embedding },
    { param: 'model', what: routeNames[dialect], isMetBy: (model) => model.dialects.includes(dialect) },
  ];
  for (const [kind, param] of hard.inputs) {
    if (kind !== 'text') needs.push({ param, what: inputNames[kind], isMetBy: (model) => model.inputs.includes(kind) });
  }
  if (hard.tools !== null) {
    needs.push({ param: hard.tools, what: 'tool calls', isMetBy: (model) => model.tools !== false });
  }
  return needs;
}

export const meetsAll = (model: ReportedModel, needs: readonly Need[]): boolean =>
  needs.every((need) => need.isMetBy(model));

/** @param models without one that meets all needs. Names a need that none meets, else the first that the first model lacks. */
export function lackOf(models: readonly ReportedModel[], needs: readonly Need[]): FerryError {
  const lack =
    needs.find((need) => !models.some((model) => need.isMetBy(model))) ??
    needs.find((need) => models.some((model) => !need.isMetBy(model)));
  return new FerryError(
    'unsupported_capability',
    `No online node that has the model supports ${lack?.what ?? 'the request'}.`,
    lack === undefined ? {} : { param: lack.param },
  );
}

const inputNames: Record<Exclude<InputKind, 'text'>, string> = {
  image: 'image input',
  audio: 'audio input',
  video: 'video input',
  file: 'file input',
};

const routeNames: Record<Dialect, string> = {
  chat: 'chat completions',
  completions: 'text completions',
  responses: 'responses',
  messages: 'messages',
};
