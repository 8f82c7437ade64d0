import { describe, expect, it } from '@jest/globals';
import { mergeMetrics } from './merge-metrics.js';

const page = (requests: number, models: string): string => `# HELP ferry_requests_total Requests.
# TYPE ferry_requests_total counter
ferry_requests_total{dialect="chat",code="} \\"x\\" {"} ${requests}
# HELP ferry_first_byte_seconds First byte.
# TYPE ferry_first_byte_seconds histogram
ferry_first_byte_seconds_bucket{le="0.1"} 1
ferry_first_byte_seconds_sum 0.25
${models}`;

describe('mergeMetrics', () => {
  it('gives each series the number of its worker, and each metric one comment', () => {
    const extra = '# HELP ferry_up Up.\n# TYPE ferry_up gauge\nferry_up 1\n';
    const merged = mergeMetrics(
      new Map([
        [1, page(3, '')],
        [2, page(4, extra)],
      ]),
    );
    expect(merged).toBe(`# HELP ferry_requests_total Requests.
# TYPE ferry_requests_total counter
ferry_requests_total{worker="1",dialect="chat",code="} \\"x\\" {"} 3
ferry_requests_total{worker="2",dialect="chat",code="} \\"x\\" {"} 4
# HELP ferry_first_byte_seconds First byte.
# TYPE ferry_first_byte_seconds histogram
ferry_first_byte_seconds_bucket{worker="1",le="0.1"} 1
ferry_first_byte_seconds_sum{worker="1"} 0.25
ferry_first_byte_seconds_bucket{worker="2",le="0.1"} 1
ferry_first_byte_seconds_sum{worker="2"} 0.25
# HELP ferry_up Up.
# TYPE ferry_up gauge
ferry_up{worker="2"} 1
`);
  });

  it('a worker that does not answer is left out', () => {
    expect(mergeMetrics(new Map())).toBe('');
    expect(mergeMetrics(new Map([[2, '']]))).toBe('');
  });
});
