import { Seal } from '@karaar/ui';
import type { ReactNode } from 'react';
import css from './pictures.module.css';

const circle = (cx: number, cy: number, r: number) =>
  `M${cx - r} ${cy}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;

function Impression({ x, y, r = 13 }: { x: number; y: number; r?: number }) {
  return (
    <g transform={`translate(${x - r} ${y - r})`}>
      <Seal size={2 * r} className={css.seal} />
    </g>
  );
}

const sheet = (x: number, y: number, w: number, h: number, fold = 12) =>
  `M${x + 3} ${y}h${w - fold - 3}l${fold} ${fold}v${h - fold - 3}a3 3 0 0 1-3 3h${-(w - 6)}a3 3 0 0 1-3-3v${-(h - 6)}a3 3 0 0 1 3-3z`;
const corner = (x: number, y: number, w: number, fold = 12) => `M${x + w - fold} ${y}v${fold}h${fold}`;

function Sheet({ x, y, w, h, lines = 4 }: { x: number; y: number; w: number; h: number; lines?: number }) {
  return (
    <>
      <path className={css.sheet} d={sheet(x, y, w, h)} />
      <path d={corner(x, y, w)} />
      <path
        className={css.words}
        d={Array.from({ length: lines }, (_, line) => {
          const short = line === lines - 1 ? 0.4 : line === 0 ? 0.45 : 0.72;
          return `M${x + w * 0.14} ${y + 17 + line * 9}h${w * short}`;
        }).join('')}
      />
    </>
  );
}

const drawings = {
  documents: (
    <>
      <g transform="rotate(-8 50 56)">
        <path className={css.sheet} d={sheet(28, 18, 50, 64)} />
      </g>
      <Sheet x={42} y={14} w={52} h={68} lines={5} />
      <Impression x={88} y={70} />
    </>
  ),
  people: (
    <>
      <Sheet x={36} y={8} w={48} h={48} lines={3} />
      <g className={css.solid}>
        <path d={circle(28, 56, 9)} />
        <path d="M11 88c1-13 8-19 17-19s16 6 17 19" />
        <path d={circle(92, 56, 9)} />
        <path d="M75 88c1-13 8-19 17-19s16 6 17 19" />
      </g>
      <path className={css.thread} d="M47 82c9 6 17 6 26 0" />
    </>
  ),
  chat: (
    <>
      <path
        className={css.sheet}
        d="M16 16h58a4 4 0 0 1 4 4v28a4 4 0 0 1-4 4H40L27 62V52H16a4 4 0 0 1-4-4V20a4 4 0 0 1 4-4z"
      />
      <path className={css.words} d="M22 28h44M22 37h28" />
      <path
        className={css.tinted}
        d="M54 44h50a4 4 0 0 1 4 4v24a4 4 0 0 1-4 4h-8v10L83 76H54a4 4 0 0 1-4-4V48a4 4 0 0 1 4-4z"
      />
      <path className={css.ink} d="M60 56h36M60 65h22" />
    </>
  ),
  wallet: (
    <>
      <g transform="rotate(-6 60 30)">
        <path className={css.tinted} d="M34 16h54a3 3 0 0 1 3 3v26H31V19a3 3 0 0 1 3-3z" />
        <path className={css.ink} d="M56 24h14M56 29.5h14M58 24c10 0 10 11 0 11l9 8" />
      </g>
      <path
        className={css.sheet}
        d="M18 36h80a6 6 0 0 1 6 6v38a6 6 0 0 1-6 6H22a6 6 0 0 1-6-6V38a2 2 0 0 1 2-2z"
      />
      <path className={css.sheet} d="M104 52H86a9 9 0 0 0 0 18h18z" />
      <path className={css.thread} d={circle(88, 61, 2.5)} />
    </>
  ),
  search: (
    <>
      <Sheet x={26} y={10} w={54} h={70} lines={5} />
      <path className={css.glass} d={circle(80, 58, 17)} />
      <path className={css.ink} d="M92 70 106 85" strokeWidth="4" />
    </>
  ),
  failed: (
    <>
      <path className={css.sheet} d="M39 10h29l14 14v17l-9 6-8-7-9 8-9-7-11 7V13a3 3 0 0 1 3-3z" />
      <path d="M68 10v14h14" />
      <path className={css.words} d="M45 26h14M45 34h26" />
      <path className={css.sheet} d="M36 62l11-7 9 7 9-8 8 7 9-6v24a3 3 0 0 1-3 3H39a3 3 0 0 1-3-3z" />
      <path className={css.words} d="M45 70h28M45 78h14" />
    </>
  ),
  offline: (
    <>
      <path className={css.thread} d="M10 66c14-24 24 10 38-10" />
      <path
        className={css.sheet}
        d="M48 42h14a5 5 0 0 1 5 5v16a5 5 0 0 1-5 5H48z"
        transform="rotate(-14 56 55)"
      />
      <path className={css.ink} d="M69 44l8-3M70.5 52l8-2.5" />
      <path
        className={css.sheet}
        d="M98 28H84a5 5 0 0 0-5 5v12a5 5 0 0 0 5 5h14z"
        transform="rotate(-14 88 39)"
      />
      <path className={css.thread} d="M99 35c6-4 8-12 14-12" />
    </>
  ),
  sealed: (
    <>
      <Sheet x={34} y={8} w={56} h={76} lines={4} />
      <path className={css.ink} d="M42 70c5-8 8-8 8 0s5 2 9-4" />
      <Impression x={79} y={66} r={17} />
    </>
  ),
  face: (
    <>
      <path d="M38 26V16h10M82 26V16H72M38 74v10h10M82 74v10H72" />
      <path className={css.sheet} d="M60 24c12 0 18 9 18 21 0 15-8 27-18 27s-18-12-18-27c0-12 6-21 18-21z" />
      <path d="M52 46v2M68 46v2M60 48v8h-3M53 62c4 3.5 10 3.5 14 0" />
    </>
  ),
  eye: (
    <>
      <path d="M28 30V18h14M92 30V18H78M28 66v12h14M92 66v12H78" />
      <path className={css.sheet} d="M30 48c8-13 18-19 30-19s22 6 30 19c-8 13-18 19-30 19s-22-6-30-19z" />
      <path d={circle(60, 48, 11)} />
      <path className={css.filled} d={circle(60, 48, 4.5)} />
    </>
  ),
  signature: (
    <>
      <path d="M24 76h72" strokeDasharray="3 4" />
      <path
        className={css.stroke}
        d="M26 68c12-30 24-40 26-28 2 13-14 30-8 30s12-22 18-22-4 17 2 17 8-10 13-10 0 9 5 9"
      />
      <path className={css.sheet} d="M80 46l17-25 8 5.5L88 52l-9.5 4.5z" />
      <path d="M93 27l8 5.5" />
    </>
  ),
  thumb: (
    <>
      <path d="M42 52a18 18 0 0 1 36 0v10M49 78c3-8 3-14 3-25a8 8 0 0 1 16 0c0 12-1 20-4 29M60 54c0 14-1 22-4 30M42 64c0 4-1 7-2 10M77 70c-1 5-2 8-3 11" />
      <path d="M36 46a25 25 0 0 1 48 0" />
    </>
  ),
} satisfies Record<string, ReactNode>;

export type PictureName = keyof typeof drawings;

/** A drawing in the colours of the theme. Decorative: the text next to it has its meaning. */
export function Picture({ name, size = 120 }: { name: PictureName; size?: number }) {
  return (
    <svg
      className={css.picture}
      width={size}
      height={Math.round(size * 0.8)}
      viewBox="0 0 120 96"
      aria-hidden="true"
      focusable="false"
    >
      {drawings[name]}
    </svg>
  );
}
