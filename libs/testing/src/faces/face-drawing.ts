/** Draws the test faces as SVG; the same numbers always give the same picture. */

export type Skin = 'light' | 'tan' | 'brown' | 'dark';

export interface FaceLook {
  /** Selects small differences between persons: proportions, hair, eyes (default 1). */
  seed?: number;
  /** Skin tone (default 'tan'). */
  skin?: Skin;
  eyes?: 'open' | 'closed';
  /** Head tilt in degrees, clockwise (default 0). */
  tilt?: number;
}

/** The position of a head in the frame, in pixels. */
export interface FacePlace {
  x: number;
  y: number;
  headHeight: number;
}

interface Tones {
  light: string;
  base: string;
  shade: string;
  deep: string;
  lip: string;
  lipDark: string;
}

const SKINS: Record<Skin, Tones> = {
  light: {
    light: '#f6d9c2',
    base: '#e7bc9c',
    shade: '#c98f6d',
    deep: '#9a6247',
    lip: '#b9615a',
    lipDark: '#8a3f3d',
  },
  tan: {
    light: '#edc19c',
    base: '#d49d73',
    shade: '#ad7349',
    deep: '#7c4b2d',
    lip: '#a9544b',
    lipDark: '#7a3330',
  },
  brown: {
    light: '#cf9a70',
    base: '#ad764d',
    shade: '#835232',
    deep: '#5a341e',
    lip: '#8f4640',
    lipDark: '#612b29',
  },
  dark: {
    light: '#a8764f',
    base: '#855635',
    shade: '#613b23',
    deep: '#3d2314',
    lip: '#7a4040',
    lipDark: '#4d2425',
  },
};
type Choice = readonly [string, string, string, string];
const HAIR: Choice = ['#1d1512', '#2b1d14', '#3b2617', '#15151a'];
const IRIS: Choice = ['#4a2f1b', '#3a2615', '#5b4023', '#2f2a24'];
const SHIRT: Choice = ['#35506e', '#5d3f52', '#3f5c49', '#6b5a3c'];

/** Outline of the head, crown at -140 and chin at 150. */
const HEAD =
  'M0 -140 C-78 -140 -112 -80 -108 0 C-106 70 -58 150 0 150 C58 150 106 70 108 0 C112 -80 78 -140 0 -140 Z';

/** Deterministic numbers in [-1, 1) from a seed (mulberry32). */
function variation(seed: number): () => number {
  let state = (seed * 0x9e3779b1) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 31 - 1;
  };
}

/** Returns an SVG document of `width` × `height` pixels: a room with the given faces. */
export function faceSvg(width: number, height: number, places: FacePlace[], look: FaceLook): string {
  const heads = places.map((place, i) => person(place, { ...look, seed: (look.seed ?? 1) + i }, i));
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<defs><linearGradient id="wall" x1="0" y1="0" x2="1" y2="1">
<stop offset="0" stop-color="#c9c6bd"/><stop offset="1" stop-color="#8f918f"/></linearGradient></defs>
<rect width="100%" height="100%" fill="url(#wall)"/>
<rect x="${width * 0.06}" y="${height * 0.08}" width="${width * 0.16}" height="${height * 0.3}" fill="#a8b4bb" stroke="#6d6a63" stroke-width="${width / 160}"/>
${heads.join('\n')}</svg>`;
}

/** One person, in coordinates with a head 300 high and 220 wide around (0, 0). */
function person(place: FacePlace, look: FaceLook, index: number): string {
  const vary = variation(look.seed ?? 1);
  const tone = SKINS[look.skin ?? 'tan'];
  const pick = (colours: Choice): string => colours[Math.floor((vary() + 1) * 2)] ?? colours[0];
  const [hair, iris, shirt] = [pick(HAIR), pick(IRIS), pick(SHIRT)];
  const gap = 46 + vary() * 2;
  const mouthY = 78 + vary() * 4;
  const id = `p${index}`;
  const open = (look.eyes ?? 'open') === 'open';
  const k = place.headHeight / 300;
  return `<defs><clipPath id="${id}h"><path d="${HEAD}"/></clipPath>
<radialGradient id="${id}f" cx="0.45" cy="0.4" r="0.72"><stop offset="0" stop-color="${tone.light}"/><stop offset="0.55" stop-color="${tone.base}"/><stop offset="1" stop-color="${tone.shade}"/></radialGradient>
<linearGradient id="${id}n" x1="0" x2="1"><stop offset="0" stop-color="${tone.deep}"/><stop offset="0.5" stop-color="${tone.shade}"/><stop offset="1" stop-color="${tone.deep}"/></linearGradient>
<filter id="${id}s" x="-50%" y="-50%" width="200%" height="200%"><feGaussianBlur stdDeviation="6"/></filter>
<filter id="${id}t" x="-50%" y="-50%" width="200%" height="200%"><feGaussianBlur stdDeviation="2.2"/></filter>
</defs>
<g transform="translate(${place.x} ${place.y}) scale(${k}) rotate(${look.tilt ?? 0})">
<path d="M-58 95 L-62 190 Q0 225 62 190 L58 95 Z" fill="url(#${id}n)"/>
<path d="M-210 330 Q-200 215 -72 182 Q0 232 72 182 Q200 215 210 330 L210 900 L-210 900 Z" fill="${shirt}"/>
<ellipse cx="-110" cy="12" rx="15" ry="32" fill="${tone.shade}"/><ellipse cx="110" cy="12" rx="15" ry="32" fill="${tone.shade}"/>
<path d="M-122 20 Q-140 -165 0 -168 Q140 -165 122 20 Q118 -60 90 -80 L-90 -80 Q-118 -60 -122 20 Z" fill="${hair}"/>
<path d="${HEAD}" fill="url(#${id}f)"/>
<path d="M-108 -20 Q-112 -135 0 -146 Q112 -135 108 -20 Q100 -88 60 -104 Q-10 -122 -66 -98 Q-98 -80 -108 -20 Z" fill="${hair}"/>
<g clip-path="url(#${id}h)"><g filter="url(#${id}s)" fill="${tone.shade}" opacity="0.75">
<ellipse cx="${-gap}" cy="-14" rx="33" ry="20"/><ellipse cx="${gap}" cy="-14" rx="33" ry="20"/>
<ellipse cx="-78" cy="62" rx="18" ry="40"/><ellipse cx="78" cy="62" rx="18" ry="40"/>
<ellipse cx="0" cy="${mouthY + 26}" rx="30" ry="6"/><ellipse cx="14" cy="28" rx="9" ry="30"/></g></g>
<g filter="url(#${id}s)" fill="${tone.light}" opacity="0.8"><ellipse cx="-4" cy="18" rx="6" ry="30"/>
<ellipse cx="-58" cy="36" rx="20" ry="14"/><ellipse cx="56" cy="36" rx="20" ry="14"/><ellipse cx="0" cy="-72" rx="44" ry="18"/><ellipse cx="0" cy="128" rx="20" ry="10"/></g>
${eye(-gap, iris, tone, open, id)}${eye(gap, iris, tone, open, id)}
<g fill="none" stroke="${hair}" stroke-linecap="round" opacity="0.92">
<path d="M${-gap - 31} -36 Q${-gap - 4} -56 ${-gap + 28} -40" stroke-width="8"/>
<path d="M${gap + 31} -36 Q${gap + 4} -56 ${gap - 28} -40" stroke-width="8"/></g>
<g filter="url(#${id}t)"><path d="M-13 -8 Q-16 22 -24 40 Q-20 52 0 54 Q20 52 24 40 Q16 22 13 -8" fill="none" stroke="${tone.shade}" stroke-width="4" opacity="0.8"/>
<ellipse cx="-11" cy="48" rx="7" ry="4" fill="${tone.deep}"/><ellipse cx="11" cy="48" rx="7" ry="4" fill="${tone.deep}"/></g>
<path d="M-42 ${mouthY} Q-14 ${mouthY - 12} 0 ${mouthY - 7} Q14 ${mouthY - 12} 42 ${mouthY} Q20 ${mouthY + 19} 0 ${mouthY + 19} Q-20 ${mouthY + 19} -42 ${mouthY} Z" fill="${tone.lip}"/>
<path d="M-42 ${mouthY} Q-14 ${mouthY + 4} 0 ${mouthY + 2} Q14 ${mouthY + 4} 42 ${mouthY}" fill="none" stroke="${tone.lipDark}" stroke-width="3.5"/>
</g>`;
}

/** One eye around (x, -6), 52 wide: an almond with iris, pupil and catch-light, or a closed lid. */
function eye(x: number, iris: string, tone: Tones, open: boolean, id: string): string {
  const left = x - 26;
  const right = x + 26;
  if (!open) {
    // A bright, soft lid over a dark lash line: without it the shaded socket looks like an opening.
    return `<ellipse cx="${x}" cy="-12" rx="26" ry="10" fill="${tone.base}" filter="url(#${id}t)"/>
<path d="M${left} -4 Q${x} 3 ${right} -4" fill="none" stroke="#20130d" stroke-width="4"/>`;
  }
  return `<clipPath id="${id}c${x < 0 ? 'l' : 'r'}"><path d="M${left} -5 Q${x} -28 ${right} -5 Q${x} 15 ${left} -5 Z"/></clipPath>
<g clip-path="url(#${id}c${x < 0 ? 'l' : 'r'})"><rect x="${left}" y="-30" width="52" height="50" fill="#eee7e0"/>
<circle cx="${x}" cy="-7" r="12.5" fill="${iris}"/><circle cx="${x}" cy="-7" r="5.5" fill="#0b0807"/><circle cx="${x - 4}" cy="-11" r="2.6" fill="#ffffff"/>
<path d="M${left} -5 Q${x} -28 ${right} -5" fill="none" stroke="#3a2a22" stroke-width="8" opacity="0.45"/></g>
<path d="M${left} -5 Q${x} -28 ${right} -5" fill="none" stroke="#20130d" stroke-width="4"/>
<path d="M${left} -5 Q${x} 15 ${right} -5" fill="none" stroke="${tone.deep}" stroke-width="1.8"/>
<path d="M${left - 1} -13 Q${x} -37 ${right + 1} -13" fill="none" stroke="${tone.shade}" stroke-width="2.5"/>`;
}
