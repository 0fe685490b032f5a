import { KA, KARAAR } from './outlines.ts';
import css from './brand.module.css';

/** The mark: a round seal. Decorative; the wordmark carries the name. */
export function Seal({ size = 40, className }: { size?: number; className?: string }) {
  return (
    <svg
      className={className ?? css.seal}
      width={size}
      height={size}
      viewBox="0 0 100 100"
      aria-hidden="true"
    >
      <g fill="none" stroke="currentColor">
        <circle cx="50" cy="50" r="46" strokeWidth="3.5" />
        <circle cx="50" cy="50" r="39.5" strokeWidth="4" strokeDasharray="1.6 3.57" />
        <circle cx="50" cy="50" r="34" strokeWidth="2" />
      </g>
      <path d={KA} fill="currentColor" transform="translate(24.5 30.5) scale(1)" />
      <path
        d="M32 77.5q18 7 36 0"
        fill="none"
        stroke="currentColor"
        strokeWidth="2.4"
        strokeLinecap="round"
      />
    </svg>
  );
}

/** करार with "Karaar". */
export function Wordmark({ height = 22 }: { height?: number }) {
  return (
    <span className={css.wordmark}>
      <svg height={height} viewBox="0 0 121 42" aria-hidden="true" className={css.letters}>
        <path d={KARAAR} fill="currentColor" />
      </svg>
      <span className={css.latin}>Karaar</span>
    </span>
  );
}

export function Brand({ size = 36 }: { size?: number }) {
  return (
    <span className={css.brand}>
      <Seal size={size} />
      <Wordmark height={Math.round(size * 0.55)} />
    </span>
  );
}
