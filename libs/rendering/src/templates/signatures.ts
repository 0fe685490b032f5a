import type { PdfFacts, PersonFacts } from './facts.ts';
import { html, type Html, raw } from './html.ts';
import { LABELS, say, sayAll, SENTENCES as S } from './sentences.ts';
import type { SheetPart } from './sheet.ts';

/** A person's images as data: URLs from our own encoder. */
export interface DrawnImages {
  photoUrl: string;
  signatureUrl: string;
}

const STYLE = `
.sheet.person{padding:4mm 6mm}
.person{display:grid;grid-template-columns:34mm 1fr;gap:6mm;margin-top:4.5mm;break-inside:avoid}
.person:first-of-type{margin-top:7mm}
.photo{width:34mm;height:42mm;object-fit:contain;border-radius:2mm;background:#EFEAE0;display:block}
.who{display:flex;justify-content:space-between;gap:4mm;align-items:flex-start}
.who b{font-size:13.5pt;font-weight:600;line-height:1.35;display:block}
.stamp{flex:none;font-size:7.5pt;font-weight:600;letter-spacing:.02em;text-transform:uppercase;color:#17633A;
 border:.8pt solid #17633A;border-radius:1.4mm;padding:.6mm 2mm;transform:rotate(-2deg)}
.ink{height:18mm;border-bottom:.7pt solid #1B1A17;margin-top:1mm;display:flex;align-items:flex-end;gap:3mm;padding-bottom:.8mm}
.ink i{font-style:normal;color:#6B675E;font-size:10pt;line-height:1}
.ink img{max-height:16.5mm;max-width:96mm;display:block}
.under{display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 4mm;margin-top:1mm}
`;

/**
 * Returns the signatures: each person's photo and signature, their sources, and the approvals with their
 * times.
 */
export function signaturesPart({ document: d, people }: PdfFacts, images: readonly DrawnImages[]): SheetPart {
  const body = html`<h1>${LABELS.signatures}</h1>
    <p class="lead">${say(S.howSigned, d)}</p>
    ${people.map((one, i) => person(one, images[i]))}`;
  return { part: LABELS.signatures, style: STYLE, body };
}

function person(one: PersonFacts, drawn: DrawnImages | undefined): Html {
  const stamp = say(S.stamp, one);
  return html`<section class="sheet person">
    ${drawn && html`<img class="photo" src="${raw(drawn.photoUrl)}" alt="" />`}
    <div>
      <div class="who">
        <div>
          <b><bdi>${one.name}</bdi></b>
          <span class="faint small">${sayAll([S.role, S.id], one, { between: LABELS.dot })}</span>
        </div>
        ${stamp && html`<span class="stamp">${stamp}</span>`}
      </div>
      <div class="ink">
        <i>${LABELS.signHere}</i>${drawn && html`<img src="${raw(drawn.signatureUrl)}" alt="" />`}
      </div>
      <div class="under small"><span>${say(S.signed, one)}</span><span>${say(S.approved, one)}</span></div>
      <div class="faint small">${sayAll([S.face, S.eye], one, { between: LABELS.dot })}</div>
    </div>
  </section>`;
}
