/**
 * Plots relay CPU relative to nginx, and latencies at 1,000 streams, as plain SVG. Its colours follow the reader's colour scheme, on its
 * own background.
 */
import type { Measurement } from '../measure/measure.js';
import { cpuRatio, medianOf, number, type Results } from './results.js';

interface Bar {
  readonly label: string;
  readonly value: number;
  readonly text: string;
  readonly own: boolean;
}

interface Panel {
  readonly title: string;
  readonly bars: readonly Bar[];
}

const WIDTH = 860;
const LABEL_WIDTH = 150;
const VALUE_WIDTH = 90;
const ROW = 22;
const BAR_HEIGHT = 14;
const TITLE_HEIGHT = 40;
const MARGIN = 16;
const BASELINE = 'nginx';
const OWN = 'Ferry';

const styles = `
  text { font: 13px system-ui, sans-serif; fill: #24292f; }
  .title { font-weight: 600; font-size: 14px; }
  .small { font-size: 12px; fill: #57606a; }
  .paper { fill: #ffffff; }
  .own { fill: #1a7f64; } .peer { fill: #8c959f; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; } .small { fill: #9198a1; }
    .paper { fill: #0d1117; }
    .own { fill: #3fb68b; } .peer { fill: #6e7681; }
  }`;

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

export function renderPlot(results: Results): string {
  const panels = [
    cpuPanel(results, 'streams-1000', 'Relay CPU per event, 1,000 paced streams (nginx = 1; less is better)'),
    cpuPanel(results, 'burst', 'Relay CPU per event, bursts (nginx = 1)'),
    cpuPanel(results, 'small-json', 'Relay CPU per request, small JSON (nginx = 1)'),
    latencyPanel(results, 'p50', 'Engine to client, 1,000 paced streams, p50 ms'),
    latencyPanel(results, 'p99', 'Engine to client, 1,000 paced streams, p99 ms'),
  ].filter(({ bars }) => bars.length > 0);
  let y = MARGIN;
  const drawn = panels.map((panel) => {
    const text = draw(panel, y);
    y += heightOf(panel);
    return text;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y + ROW + MARGIN}" role="img" aria-label="Ferry beside its peers">`,
    `<style>${styles}</style>`,
    // On a page whose scheme differs from the reader's, the text needs a background of its own.
    '<rect class="paper" width="100%" height="100%" rx="8"/>',
    ...drawn,
    `<text class="small" x="${MARGIN}" y="${y + ROW}">${escape(`${results.date.slice(0, 10)} · ${results.machine} · medians of ${results.alternations} alternations`)}</text>`,
    '</svg>',
    '',
  ].join('\n');
}

const heightOf = ({ bars }: Panel): number => TITLE_HEIGHT + bars.length * ROW + MARGIN;

function cpuPanel(results: Results, scenario: string, title: string): Panel {
  const measured = results.measurements[scenario] ?? {};
  return panelOf(title, measured, (runs) => cpuRatio(runs, measured[BASELINE]), '×', 2);
}

function latencyPanel(results: Results, percentile: 'p50' | 'p99', title: string): Panel {
  const measured = results.measurements['streams-1000'] ?? {};
  return panelOf(title, measured, (runs) => medianOf(runs, ({ load }) => load.transit[percentile]), 'ms', 2);
}

function panelOf(
  title: string,
  measured: Readonly<Record<string, readonly Measurement[]>>,
  valueOf: (runs: readonly Measurement[]) => number,
  unit: string,
  digits: number,
): Panel {
  const bars = Object.entries(measured)
    .map(([label, runs]) => ({ label, own: label === OWN, value: valueOf(runs) }))
    // A target without a public side uses no CPU there, so it has no bar.
    .filter(({ value }) => Number.isFinite(value) && value > 0)
    .map((bar) => ({ ...bar, text: `${number(bar.value, digits)} ${unit}` }));
  return { title, bars };
}

function draw({ title, bars }: Panel, top: number): string {
  const longest = Math.max(...bars.map(({ value }) => value));
  const room = WIDTH - 2 * MARGIN - LABEL_WIDTH - VALUE_WIDTH;
  const left = MARGIN + LABEL_WIDTH;
  const lines = bars.map(({ label, value, text, own }, index) => {
    const y = top + TITLE_HEIGHT + index * ROW;
    const width = Math.max(1, (room * value) / longest);
    const middle = y + BAR_HEIGHT - 3;
    return [
      `<text x="${left - 8}" y="${middle}" text-anchor="end"${own ? ' class="title"' : ''}>${escape(label)}</text>`,
      `<rect class="${own ? 'own' : 'peer'}" x="${left}" y="${y}" width="${width.toFixed(1)}" height="${BAR_HEIGHT}" rx="2"/>`,
      `<text x="${(left + width + 6).toFixed(1)}" y="${middle}">${escape(text)}</text>`,
    ].join('');
  });
  return [`<text class="title" x="${MARGIN}" y="${top + 24}">${escape(title)}</text>`, ...lines].join('\n');
}
