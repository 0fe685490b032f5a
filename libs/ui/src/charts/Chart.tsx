import { useTexts } from '@karaar/i18n';
import { partTexts, TextButton } from '@karaar/ui';
import { useId, useLayoutEffect, useRef, useState } from 'react';
import css from './charts.module.css';
import { everyNth, ticks } from './scale.ts';

export type ChartPoint = { label: string; value: number };

type ChartProps = {
  kind: 'bar' | 'line';
  /** The title, also the picture's name and the table's caption. */
  title: string;
  points: readonly ChartPoint[];
  /** The headers of the table's two columns. */
  heads: readonly [label: string, value: string];
  format: (value: number) => string;
  height?: number;
};

/** The gap between the numbers and the drawing, and the maximum width of an axis character. */
const GAP = 10;
const SIGN_WIDTH = 8.4;
const TOP = 10;
const FOOT = 28;
const LABEL_WIDTH = 64;

/** Bars or a line, with the same numbers as a table on demand. */
export function Chart({ kind, title, points, heads, format, height = 220 }: ChartProps) {
  const t = useTexts(partTexts);
  const [asTable, setAsTable] = useState(false);
  const id = useId();
  return (
    <figure className={css.chart}>
      <figcaption className={css.head}>
        <span id={id} className={css.title}>
          {title}
        </span>
        <TextButton aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
          {t(asTable ? 'asChart' : 'asTable')}
        </TextButton>
      </figcaption>
      {asTable ? (
        <table className={css.table} aria-labelledby={id}>
          <thead>
            <tr>
              <th scope="col">{heads[0]}</th>
              <th scope="col">{heads[1]}</th>
            </tr>
          </thead>
          <tbody>
            {points.map((point) => (
              <tr key={point.label}>
                <th scope="row">{point.label}</th>
                <td>{format(point.value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : (
        <Plot kind={kind} points={points} format={format} height={height} labelledBy={id} />
      )}
    </figure>
  );
}

/** Returns the width of an element, so that the text in the drawing keeps its size. */
function useWidth() {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { box, width };
}

type PlotProps = Pick<ChartProps, 'kind' | 'points' | 'format'> & { height: number; labelledBy: string };

function Plot({ kind, points, format, height, labelledBy }: PlotProps) {
  const { box, width } = useWidth();
  const steps = ticks(points.map(({ value }) => value));
  const low = steps[0] ?? 0;
  const left = GAP + SIGN_WIDTH * Math.max(...steps.map((step) => format(step).length));
  const span = (steps.at(-1) ?? 1) - low;
  const room = Math.max(width - left, 1);
  const slot = room / Math.max(points.length, 1);
  const y = (value: number) => TOP + (1 - (value - low) / span) * (height - TOP - FOOT);
  const x = (at: number) => left + slot * (at + 0.5);
  const nth = everyNth(points.length, LABEL_WIDTH, room);
  return (
    <div ref={box} style={{ height }}>
      {width > 0 && (
        <svg role="img" aria-labelledby={labelledBy} width={width} height={height} className={css.plot}>
          {steps.map((step) => (
            <g key={step}>
              <line
                x1={left}
                x2={width}
                y1={y(step)}
                y2={y(step)}
                className={step === 0 ? css.base : css.grid}
              />
              <text x={left - GAP} y={y(step)} dy="0.34em" textAnchor="end" className={css.axis}>
                {format(step)}
              </text>
            </g>
          ))}
          {kind === 'line' && (
            <polyline
              className={css.line}
              points={points.map(({ value }, at) => `${x(at)},${y(value)}`).join(' ')}
            />
          )}
          {points.map(({ label, value }, at) => (
            <g key={label}>
              {kind === 'bar' ? (
                <rect
                  className={css.bar}
                  x={x(at) - Math.min(slot * 0.62, 40) / 2}
                  width={Math.min(slot * 0.62, 40)}
                  y={Math.min(y(value), y(0))}
                  height={Math.abs(y(value) - y(0))}
                  rx="3"
                />
              ) : (
                <circle className={css.dot} cx={x(at)} cy={y(value)} r="4" />
              )}
              <rect
                className={css.reach}
                x={x(at) - slot / 2}
                y={TOP}
                width={slot}
                height={height - TOP - FOOT}
              >
                <title>{`${label}: ${format(value)}`}</title>
              </rect>
              {at % nth === 0 && (
                <text
                  x={Math.min(x(at), width - LABEL_WIDTH / 3)}
                  y={height - 8}
                  textAnchor="middle"
                  className={css.axis}
                >
                  {label}
                </text>
              )}
            </g>
          ))}
        </svg>
      )}
    </div>
  );
}
