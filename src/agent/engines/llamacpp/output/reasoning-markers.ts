export interface ReasoningMarkers {
  readonly open: string;
  readonly close: string;
}

/** Markers of reasoning in published templates. */
export const knownReasoningMarkers: readonly ReasoningMarkers[] = [
  { open: '<think>', close: '</think>' },
  { open: '[THINK]', close: '[/THINK]' },
  { open: '<seed:think>', close: '</seed:think>' },
  { open: '<thinking>', close: '</thinking>' },
];
