import { type Html, html, raw } from './html.ts';
import { SEAL_LETTERING } from './seal-lettering.ts';

const RED = '#B4232A';

/**
 * Returns the round seal: rings, a rope of ticks, words on the circle, करार in the middle. A vector drawing
 * stays sharp and small. `below` is the short line under the word (a code, a level).
 */
export function sealMark(options: { size: string; below: string }): Html {
  const ticks = raw(
    Array.from({ length: 72 }, (_, i) => {
      const angle = (i * Math.PI) / 36;
      const [x, y] = [Math.cos(angle), Math.sin(angle)];
      const at = (r: number): string => `${(100 + x * r).toFixed(2)} ${(100 + y * r).toFixed(2)}`;
      return `M${at(90)}L${at(i % 3 === 0 ? 94.5 : 93)}`;
    }).join(''),
  );
  return html`<svg
    class="seal"
    style="width:${options.size};height:${options.size}"
    viewBox="0 0 200 200"
    fill="none"
    stroke="${RED}"
    aria-label="Seal"
  >
    <circle cx="100" cy="100" r="97.5" stroke-width="2.6" />
    <path d="${ticks}" stroke-width="1" />
    <circle cx="100" cy="100" r="88" stroke-width="1" />
    <circle cx="100" cy="100" r="62" stroke-width="1.4" />
    <circle cx="100" cy="100" r="59" stroke-width=".6" />
    <path d="${SEAL_LETTERING}" fill="${RED}" stroke="none" />
    <text x="100" y="135" font-size="12" text-anchor="middle" class="mono" fill="${RED}" stroke="none">
      ${options.below}
    </text>
    <path d="M66 121h68" stroke-width=".8" />
    <path
      d="M100 54l1.9 3.9 4.3.6-3.1 3 .7 4.2-3.8-2-3.8 2 .7-4.2-3.1-3 4.3-.6z"
      fill="${RED}"
      stroke="none"
    />
  </svg>`;
}
