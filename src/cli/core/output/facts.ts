import pc from 'picocolors';
import { printable } from '../../../kernel/printable.js';

/** Renders properties as aligned lines of name and value. An empty value is `-`. */
export function renderFacts(
  facts: readonly (readonly [name: string, value: string | null])[],
  colors: boolean,
): string {
  const { dim } = pc.createColors(colors);
  const width = Math.max(...facts.map(([name]) => name.length)) + 2;
  return facts.map(([name, value]) => `${dim(name.padEnd(width))}${printable(value ?? '') || '-'}`).join('\n');
}
