import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../../../test/support/clock/eventually.js';
import { OtlpReceiver } from '../../../test/support/tracing/otlp-receiver.js';
import { OtlpExporter, type OtlpExporterOptions } from './otlp-exporter.js';
import type { EndedSpan } from './span.js';

const ended = (more: Partial<EndedSpan> = {}): EndedSpan => ({
  context: { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), flags: 1 },
  parentSpanId: null,
  name: 'chat tiny',
  kind: 'server',
  startMs: 1_700_000_000_000.25,
  endMs: 1_700_000_000_001,
  attributes: {},
  events: [],
  failed: false,
  ...more,
});

describe('the export of spans', () => {
  let receiver: OtlpReceiver;
  let exporter: OtlpExporter | undefined;
  let lines: { message: string; details: Record<string, unknown> }[];

  const exportTo = (options: Partial<OtlpExporterOptions> = {}): OtlpExporter => {
    const log = (details: object, message: string): void => {
      lines.push({ message, details: details as Record<string, unknown> });
    };
    exporter = new OtlpExporter({
      url: new URL(`${receiver.url}/v1/traces`),
      headers: {},
      source: { resource: { 'service.name': 'test' }, scope: { name: 'ferry', version: '1' } },
      timeoutMs: 2_000,
      intervalMs: 20,
      queueSpans: 100,
      log: { info: log, warn: log },
      ...options,
    });
    return exporter;
  };
  const add = (count: number): void => {
    for (let at = 0; at < count; at += 1) exporter?.add(ended());
  };
  const soon = (ms: number): number => performance.now() + ms;

  beforeEach(async () => {
    receiver = await OtlpReceiver.start();
    lines = [];
  });
  afterEach(async () => {
    await exporter?.close(soon(0));
    await receiver.stop();
  });

  it('the export of spans has all parts of a span in the form of OTLP', async () => {
    exportTo({ headers: { 'x-tenant': 'a' } }).add(
      ended({
        context: { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), flags: 1, tracestate: 'x=1' },
        parentSpanId: 'c'.repeat(16),
        kind: 'client',
        attributes: { text: 'é', count: 2, whole: { decimal: 2 }, yes: true, none: undefined },
        events: [{ name: 'first', atMs: 1_700_000_000_000.5, attributes: { at: 1 } }],
        failed: true,
      }),
    );
    await eventually('the span has arrived', () => receiver.spans.length === 1);
    expect(receiver.spans).toEqual([
      {
        service: 'test',
        traceId: 'a'.repeat(32),
        spanId: 'b'.repeat(16),
        parentSpanId: 'c'.repeat(16),
        traceState: 'x=1',
        flags: 1,
        name: 'chat tiny',
        kind: 'client',
        startTimeUnixNano: 1_700_000_000_000_250_000n,
        endTimeUnixNano: 1_700_000_000_001_000_000n,
        attributes: { text: 'é', count: 2, whole: { decimal: 2 }, yes: true },
        events: [{ name: 'first', timeUnixNano: 1_700_000_000_000_500_000n, attributes: { at: 1 } }],
        status: { code: 2 },
      },
    ]);
    expect(receiver.headers[0]).toMatchObject({ 'x-tenant': 'a' });
  });

  it('cuts long texts, between characters', async () => {
    const long = `${'x'.repeat(255)}😀${'x'.repeat(10_000)}`;
    exportTo().add(ended({ name: long, attributes: { long } }));
    await eventually('the span has arrived', () => receiver.spans.length === 1);
    expect(receiver.spans[0]).toMatchObject({ name: 'x'.repeat(255), attributes: { long: 'x'.repeat(255) } });
  });

  it('the export of spans is in batches: not one request for each span', async () => {
    exportTo({ queueSpans: 2_000 });
    add(1_200);
    await eventually('all have arrived', () => receiver.spans.length === 1_200);
    expect(receiver.bodies.length).toBeLessThanOrEqual(4);
    await eventually('nothing waits', () => exporter?.queued === 0);
    expect(exporter?.counts).toEqual({ exported: 1_200, dropped: 0 });
    expect(lines).toEqual([]);
  });

  it('keeps no more than the queue while the collector is away, says so once, and goes on when it is back', async () => {
    await receiver.stop();
    exportTo();
    add(100);
    await eventually('the loss is logged', () => lines.length > 0);
    for (let round = 0; round < 20; round += 1) {
      add(50);
      expect(exporter?.queued).toBe(100);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    expect(exporter?.counts).toEqual({ exported: 0, dropped: 1_000 });
    expect(lines).toEqual([
      {
        message: 'traces cannot be exported',
        details: { collector: `${receiver.url}/v1/traces`, reason: expect.stringContaining('ECONNREFUSED') as unknown },
      },
    ]);
    receiver = await OtlpReceiver.start(receiver.port);
    await eventually('what was kept has arrived', () => receiver.spans.length === 100);
    await eventually('it is logged', () => lines.length === 2);
    expect(lines[1]).toEqual({ message: 'traces are exported again', details: { dropped_spans: 1_000 } });
  });

  it('tries again when the collector is busy, and not when it refuses the spans', async () => {
    receiver.status = 503;
    exportTo();
    add(1);
    await eventually('it is tried again', () => receiver.bodies.length > 2);
    receiver.status = 200;
    await eventually('the span has arrived', () => receiver.spans.length === 1);
    receiver.status = 400;
    const before = receiver.bodies.length;
    add(1);
    await eventually('the span is dropped', () => exporter?.counts.dropped === 1);
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(receiver.bodies.length).toBe(before + 1);
  });

  it('ends with what waits when the process stops', async () => {
    exportTo({ intervalMs: 600_000 });
    add(3);
    await exporter?.close(soon(5_000));
    expect(receiver.spans).toHaveLength(3);
    exporter?.add(ended());
    expect(exporter).toMatchObject({ queued: 0, counts: { exported: 3, dropped: 1 } });
  });

  it('the export of spans does not hold up a stop beyond its deadline for a collector that does not answer', async () => {
    receiver.hangs = true;
    exportTo({ timeoutMs: 60_000 });
    add(3);
    await eventually('the export runs', () => receiver.bodies.length === 1);
    const from = performance.now();
    await exporter?.close(soon(200));
    expect(performance.now() - from).toBeLessThan(1_000);
    expect(exporter?.counts).toEqual({ exported: 0, dropped: 3 });
    expect(lines.at(-1)).toEqual({ message: 'spans were dropped', details: { dropped_spans: 3 } });
  });
});
