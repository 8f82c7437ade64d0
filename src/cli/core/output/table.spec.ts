import { describe, expect, it } from '@jest/globals';
import stringWidth from 'string-width';
import { renderTable, type Column } from './table.js';

interface Row {
  readonly id: string;
  readonly name: string;
}

const columns: readonly Column<Row>[] = [
  { heading: 'CLUSTER', value: (row) => row.id },
  { heading: 'NAME', value: (row) => row.name },
];

describe('a table', () => {
  it('aligns its columns, without borders and without spaces at the end of a line', () => {
    const rows = [
      { id: 'cl_8f2a91', name: 'home' },
      { id: 'cl_1', name: 'laboratory' },
    ];
    expect(renderTable(columns, rows, false)).toBe(
      ['CLUSTER    NAME', 'cl_8f2a91  home', 'cl_1       laboratory'].join('\n'),
    );
  });

  it('leaves a missing mark of a column without heading blank', () => {
    const marked: readonly Column<Row>[] = [{ heading: '', value: ({ id }) => (id === 'b' ? '✓' : '') }, columns[1]!];
    const rows = [
      { id: 'a', name: 'desk' },
      { id: 'b', name: 'attic' },
    ];
    expect(renderTable(marked, rows, false)).toBe('   NAME\n   desk\n✓  attic');
  });

  it('a table has only headings without rows', () => {
    expect(renderTable(columns, [], false)).toBe('CLUSTER  NAME');
  });

  it('shows an empty value as a dash', () => {
    expect(renderTable(columns, [{ id: 'cl_1', name: '' }], false)).toContain('cl_1     -');
  });

  it('aligns wide characters by display width', () => {
    const [, first, second] = renderTable(
      columns,
      [
        { id: '日本', name: 'a' },
        { id: 'abcd', name: 'b' },
      ],
      false,
    ).split('\n');
    expect([first, second]).toEqual(['日本     a', 'abcd     b']);
  });

  it('removes control sequences from names', () => {
    const text = renderTable(columns, [{ id: 'cl_1', name: 'evil\u001b]0;title\u0007\nnext\u202etxt' }], false);
    expect(text).not.toMatch(/[\u001b\u0007\u202e]/);
    expect(text.split('\n')).toHaveLength(2);
  });

  it('uses ANSI sequences only when enabled', () => {
    expect(renderTable(columns, [], true)).toContain('\u001b[1m');
    expect(renderTable(columns, [], false)).not.toContain('\u001b');
  });

  describe('on a terminal', () => {
    interface Job {
      readonly name: string;
      readonly error: string;
      readonly size: string;
      readonly id: string;
    }
    const job = {
      name: 'a-computer-with-quite-a-long-host-name.local',
      error: 'Ollama at 127.0.0.1:11434 does not answer since two o’clock',
      size: '41 of 64 GB',
      id: 'nd_e59bb2ebbdf60856b6fc263a57447fe0',
    };
    const of: readonly Column<Job>[] = [
      { heading: 'NAME', value: ({ name }) => name, min: 14 },
      { heading: 'MEMORY', value: ({ size }) => size, align: 'right', expendable: 1 },
      { heading: 'PROBLEM', value: ({ error }) => error, sentence: true, optional: true },
      { heading: 'ID', value: ({ id }) => id, whole: true, wide: true },
    ];

    it.each([120, 80, 60, 40])('fits into %d columns, marks included', (width) => {
      const lines = renderTable(of, [job], false, width, { mark: () => 'serving' }).split('\n');
      for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(width);
      expect(lines[1]).toMatch(/^● a-co\S+local/);
    });

    it('truncates names in the middle, sentences at the end, and never numbers', () => {
      const [, line] = renderTable(of, [job], false, 60).split('\n');
      expect(line).toMatch(/^a-\S+…\S+local {2}41 of 64 GB {2}Ollama .*…$/);
    });

    it('leaves out columns that do not fit, and columns without values', () => {
      const [narrow] = renderTable(of, [job], false, 30).split('\n');
      expect(narrow).toMatch(/^NAME +PROBLEM$/);
      const [healthy] = renderTable(of, [{ ...job, error: '' }], false, 80).split('\n');
      expect(healthy).toMatch(/^NAME +MEMORY$/);
    });

    it('shows ids and untruncated values only on request', () => {
      expect(renderTable(of, [job], false, 200)).not.toContain(job.id);
      const wide = renderTable(of, [job], false, 40, { wide: true });
      for (const text of Object.values(job)) expect(wide).toContain(text);
    });

    it('marks states by dots, which differ without colours, too', () => {
      const rows = [job, { ...job, error: '' }];
      const mark = ({ error }: Job) => (error === '' ? 'off' : 'attention');
      const [heading, first, second] = renderTable(of, rows, false, 80, { mark }).split('\n');
      expect([heading?.slice(0, 6), first?.[0], second?.[0]]).toEqual(['  NAME', '●', '○']);
      expect(renderTable(of, rows, true, 80, { mark })).toContain('\u001b[33m●\u001b[39m a-');
    });
  });

  it('a table has the same columns in a pipe for any rows, untruncated, the name first', () => {
    const optional: readonly Column<Row>[] = [
      { heading: 'NAME', value: (row) => row.name, expendable: 1 },
      { heading: 'PROBLEM', value: () => '', optional: true },
      { heading: 'ID', value: (row) => row.id, wide: true },
    ];
    const name = 'n'.repeat(300);
    expect(renderTable(optional, [{ id: 'cl_1', name }], false, undefined, { mark: () => 'serving' })).toBe(
      `NAME${' '.repeat(296)}  PROBLEM\n${name}  -`,
    );
  });
});
