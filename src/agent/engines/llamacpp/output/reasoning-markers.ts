export interface ReasoningMarkers {
  readonly open: string;
  readonly close: string;
}

/** Pairs that published templates use around the model's thinking. */
export const knownReasoningMarkers: readonly ReasoningMarkers[] = [
  { open: '<think>', close: '</think>' },
  { open: '[THINK]', close: '[/THINK]' },
  { open: '<seed:think>', close: '</seed:think>' },
  { open: '<thinking>', close: '</thinking>' },
];
