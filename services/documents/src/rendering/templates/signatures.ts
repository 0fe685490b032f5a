import type { FinalPdfInput, FinalParty } from '../types.ts';
import { grouped, moment } from './format.ts';
import { html, type Html, raw } from './html.ts';
import { type Numbering, sheet } from './sheet.ts';

/** A party with the images ready to embed: data: URLs that our own encoder made. */
export interface DrawnParty extends Omit<FinalParty, 'photo' | 'signature'> {
  photoUrl: string;
  signatureUrl: string;
}

const STYLE = `
.person{display:grid;grid-template-columns:34mm 1fr;gap:6mm;margin-top:4.5mm;break-inside:avoid}
.person:first-of-type{margin-top:7mm}
.photo{width:34mm;height:42mm;object-fit:cover;border-radius:2mm;background:#EFEAE0;display:block}
.who{display:flex;justify-content:space-between;gap:4mm;align-items:flex-start}
.who b{font-size:13.5pt;font-weight:600;line-height:1.35;display:block}
.stamp{flex:none;font-size:7.5pt;font-weight:600;letter-spacing:.02em;text-transform:uppercase;color:#17633A;
 border:.8pt solid #17633A;border-radius:1.4mm;padding:.6mm 2mm;transform:rotate(-2deg)}
.ink{height:21mm;border-bottom:.7pt solid #1B1A17;margin-top:2mm;display:flex;align-items:flex-end;gap:3mm;padding-bottom:.8mm}
.ink i{font-style:normal;color:#6B675E;font-size:10pt;line-height:1}
.ink img{max-height:19mm;max-width:96mm;display:block}
.under{display:flex;justify-content:space-between;gap:4mm;margin-top:1mm}
`;

/** The signature page(s): each person's live photo, drawn signature, and when they approved. */
export function signaturesPage(
  input: FinalPdfInput,
  parties: readonly DrawnParty[],
  numbering: Numbering,
): string {
  const { document: d } = input;
  const body = html`<h1>Signatures</h1>
    <p class="lead">
      Each person below was photographed live, drew this signature on their own screen and approved
      <bdi>${d.name}</bdi>.
    </p>
    ${parties.map(person)}`;
  return sheet({
    part: 'Signatures',
    title: `${d.name}: signatures`,
    code: d.code,
    numbering,
    style: STYLE,
    body,
  });
}

function person(party: DrawnParty): Html {
  return html`<section class="sheet person">
    <img class="photo" src="${raw(party.photoUrl)}" alt="" />
    <div>
      <div class="who">
        <div>
          <b><bdi>${party.name}</bdi></b>
          <span class="faint small"
            >${party.role === 'primary' ? 'Created the agreement' : 'Party to the agreement'}</span
          >
        </div>
        <span class="stamp">Approved</span>
      </div>
      <div class="ink"><i>×</i><img src="${raw(party.signatureUrl)}" alt="" /></div>
      <div class="under faint small">
        <span>ID <span class="mono">${grouped(party.charId)}</span></span
        ><span>${moment(party.approvedAt)}</span>
      </div>
    </div>
  </section>`;
}
