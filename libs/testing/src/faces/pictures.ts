/** Drawn pictures without faces: a signature, an identity card, and face look-alikes. */
import sharp from 'sharp';

/**
 * Returns a handwritten signature with a transparent background, 600×300 with a black 2 px line, as the
 * signature pad stores it.
 * @param seed selects the shape of the line, so that two persons sign differently
 */
export function signaturePng(seed = 1): Promise<Buffer> {
  const swing = 18 + ((seed * 37) % 40);
  const strokes = Array.from({ length: 7 }, (_, i) => {
    const x = 90 + i * 58;
    return `C ${x} ${150 - swing - (i % 3) * 22}, ${x + 24} ${150 + swing + (i % 2) * 26}, ${x + 48} 150`;
  });
  return png(`<svg xmlns="http://www.w3.org/2000/svg" width="600" height="300">
<path d="M70 160 ${strokes.join(' ')} M60 205 Q300 ${190 + swing / 2} 540 185" fill="none" stroke="#000" stroke-width="2" stroke-linecap="round"/></svg>`);
}

/** Returns a government identity card of an invented person: 856×540, the shape of an ID-1 card. */
export function idCardPng(text = 'SPECIMEN CARD'): Promise<Buffer> {
  const safe = text.replace(/[<>&"']/g, ' ');
  const lines = [250, 300, 350].map(
    (y, i) => `<rect x="300" y="${y}" width="${420 - i * 70}" height="16" rx="4" fill="#9aa3a8"/>`,
  );
  return png(`<svg xmlns="http://www.w3.org/2000/svg" width="856" height="540">
<rect width="856" height="540" rx="28" fill="#f3f1ea"/><rect width="856" height="96" rx="28" fill="#5b7083"/>
<text x="48" y="64" font-family="sans-serif" font-size="34" fill="#fff">${safe}</text>
<rect x="56" y="150" width="190" height="240" fill="#d6d2c6" stroke="#8b877b"/>
<circle cx="151" cy="240" r="46" fill="#8b877b"/><path d="M76 390 Q151 250 226 390 Z" fill="#8b877b"/>
<text x="300" y="200" font-family="monospace" font-size="36" fill="#333">0000 0000 0000</text>${lines.join('')}</svg>`);
}

const LOOKALIKES = {
  smiley: `<circle cx="320" cy="240" r="150" fill="#fff" stroke="#000" stroke-width="8"/>
<circle cx="265" cy="200" r="22"/><circle cx="375" cy="200" r="22"/>
<path d="M240 290 Q320 370 400 290" stroke="#000" stroke-width="14" fill="none"/>`,
  socket: `<rect x="230" y="100" width="180" height="280" rx="30" fill="#e8e0d0"/>
<circle cx="275" cy="200" r="18" fill="#333"/><circle cx="365" cy="200" r="18" fill="#333"/>
<circle cx="320" cy="290" r="18" fill="#333"/>`,
  pebble: `<ellipse cx="320" cy="240" rx="120" ry="160" fill="#d49d73"/>
<circle cx="270" cy="210" r="16"/><circle cx="370" cy="210" r="16"/>`,
  lamps: `<rect x="117" y="112" width="405" height="288" rx="45" fill="#c33"/>
<circle cx="219" cy="220" r="45" fill="#eee"/><circle cx="219" cy="220" r="22" fill="#222"/>
<circle cx="421" cy="220" r="45" fill="#eee"/><circle cx="421" cy="220" r="22" fill="#222"/>
<rect x="275" y="310" width="90" height="22" fill="#b55"/>`,
} as const;
export type Lookalike = keyof typeof LOOKALIKES;

/** Returns a picture that face or eye detectors mistake for one, 640×480: a second check must reject it. */
export function lookalikePng(kind: Lookalike): Promise<Buffer> {
  return png(`<svg xmlns="http://www.w3.org/2000/svg" width="640" height="480">
<rect width="640" height="480" fill="#888"/>${LOOKALIKES[kind]}</svg>`);
}

function png(svg: string): Promise<Buffer> {
  return sharp(Buffer.from(svg)).png().toBuffer();
}
