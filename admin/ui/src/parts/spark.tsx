import type { JSX } from 'preact';

/** A small line without axes; a gap stays a gap. The number it belongs to stands beside it as text. */
export function Spark({ values, height = 32, max }: { values: (number | null)[]; height?: number; max?: number }): JSX.Element {
  const width = 120;
  const top = Math.max(max ?? 0, ...values.map((v) => v ?? 0)) || 1;
  const step = values.length > 1 ? width / (values.length - 1) : width;
  const y = (v: number): number => height - 2 - (v / top) * (height - 5);
  let line = '';
  let area = '';
  let from: number | null = null;
  let last = 0;
  const close = (): void => {
    if (from !== null) {
      area += `V${height}H${from.toFixed(1)}Z`;
    }
    from = null;
  };
  values.forEach((value, i) => {
    if (value === null) {
      close();
      return;
    }
    const x = i * step;
    const at = `${x.toFixed(1)} ${y(value).toFixed(1)}`;
    line += from === null ? `M${at}` : `L${at}`;
    area += from === null ? `M${at}` : `L${at}`;
    from ??= x;
    last = x;
  });
  close();
  const short = values.filter((value) => value !== null).length < 2;
  return (
    <svg class="spark" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" height={height} aria-hidden="true" focusable="false" data-last={last.toFixed(0)}>
      {short && <path class="spark-none" d={`M0 ${height - 2}H${width}`} />}
      <path class="spark-area" d={area} />
      <path class="spark-line" d={line} />
    </svg>
  );
}
