interface SparklineProps {
  readonly values: readonly number[];
  /** What is drawn, in words: "Requests of the last 14 days: 1,204". */
  readonly label: string;
  readonly width?: number;
  readonly height?: number;
}

const GAP = 1;

/** Small bars, one per value; a value of zero is a dot on the ground line, so that an empty day is seen as one. */
export function Sparkline({ values, label, width = 84, height = 20 }: SparklineProps) {
  const most = Math.max(1, ...values);
  const step = width / Math.max(1, values.length);
  return (
    <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
      {values.map((value, index) => {
        const bar = Math.max(1, (value / most) * height);
        return (
          <rect
            key={index}
            x={index * step}
            y={height - bar}
            width={Math.max(1, step - GAP)}
            height={bar}
            fill={value === 0 ? 'var(--line-strong)' : 'var(--accent)'}
          />
        );
      })}
    </svg>
  );
}
