import type { AuditEntry, FinalPdfInput, SealStatement } from '../types.ts';
import { counted, grouped, moment } from './format.ts';
import { html, type Html, raw } from './html.ts';
import { sealMark } from './seal-mark.ts';
import { type Numbering, sheet } from './sheet.ts';

/** One input of the final PDF with its hash, as the certificate lists it. */
export interface HashedInput {
  name: string;
  what: string;
  sha256: string;
}

const STYLE = `
.verify{display:grid;grid-template-columns:38mm 1fr 36mm;gap:7mm;align-items:center;margin-top:7mm}
.verify .qr svg{display:block;width:38mm;height:38mm}
.verify b{display:block;font-size:11.5pt;font-weight:600}
.url{grid-column:1/-1;font-size:8.5pt;color:#1F3A8A;margin-top:-3mm}
ol.thread{list-style:none;border-left:1.1pt solid #1F3A8A;margin-left:1.3mm}
ol.thread li{position:relative;padding:0 0 3mm 5.5mm;break-inside:avoid}
ol.thread li:last-child{padding-bottom:0}
ol.thread li::before{content:"";position:absolute;left:-1.5mm;top:1.5mm;width:2.2mm;height:2.2mm;border-radius:50%;background:#FAF8F4;border:1.1pt solid #1F3A8A}
ol.thread li:last-child::before{background:#B4232A;border-color:#B4232A}
.hash{font-size:8pt;line-height:1.4;word-break:break-all}
td.what{width:52mm}
`;

/** The certificate of completion: how to verify, what the seal is, what happened when, and every input's hash. */
export function certificatePage(
  input: FinalPdfInput,
  options: { qrSvg: string; hashes: readonly HashedInput[]; numbering: Numbering },
): string {
  const { document: d, seal } = input;
  const body = html`<h1>Certificate of completion</h1>
    <p class="lead">
      <bdi>${d.name}</bdi>, document <span class="mono">${grouped(d.code)}</span>, completed by
      ${counted(input.parties.length, 'person', 'people')} on ${moment(input.composedAt)}.
    </p>
    <section class="sheet verify keep">
      <div class="qr">${raw(options.qrSvg)}</div>
      <div>
        <b>Check this file yourself</b>
        <p class="small">
          Scan the code, or open the address under it, and drop this file there. You need no account. It shows
          whether the seal is intact and whether the file is the one that was sealed.
        </p>
      </div>
      ${sealMark({ size: '36mm', below: `PAdES ${seal.level}` })}
      <p class="url mono">${input.verifyUrl}</p>
    </section>
    <h2>The seal</h2>
    ${sealText(seal)}
    <p style="margin-top:1.5mm">
      Right after sealing, the SHA-256 of this file is entered in the transparency log
      <span class="mono">${input.logOrigin}</span>, which nobody can rewrite unnoticed. The address above
      shows its place there.
    </p>
    <h2>What happened</h2>
    <ol class="thread">
      ${input.auditTrail.map(entry)}
    </ol>
    <h2>What went in</h2>
    <table>
      <thead>
        <tr>
          <th>Input</th>
          <th>SHA-256</th>
        </tr>
      </thead>
      <tbody>
        ${options.hashes.map(
          (h) =>
            html`<tr>
              <td class="what"><bdi>${h.name}</bdi> <span class="faint small">${h.what}</span></td>
              <td class="hash mono">${h.sha256}</td>
            </tr>`,
        )}
      </tbody>
    </table>`;
  return sheet({
    part: 'Certificate of completion',
    title: `${d.name}: certificate of completion`,
    code: d.code,
    numbering: options.numbering,
    style: STYLE,
    body,
  });
}

const LEVELS: Record<SealStatement['level'], string> = {
  'B-B': 'The time of sealing is stated by Karaar; no timestamp authority attests it (PAdES B-B).',
  'B-T': 'The time of sealing is attested by a timestamp authority (PAdES B-T).',
  'B-LT':
    'The time of sealing is attested by a timestamp authority, and the file itself holds what tells that no certificate was revoked then (PAdES B-LT).',
};

function sealText(seal: SealStatement): Html {
  const time = LEVELS[seal.level];
  return html`<p>
      This file carries one certification signature by <bdi>${seal.signer}</bdi> that allows no change at all
      (DocMDP P=1). ${time} ${seal.note && html`<br />${seal.note}`}
    </p>
    <p class="small faint" style="margin-top:1.5mm">
      Certificate SHA-256 <span class="mono hash">${seal.certFingerprint}</span>
    </p>`;
}

function entry(item: AuditEntry): Html {
  return html`<li>
    <b style="font-weight:600"><bdi>${item.actor}</bdi></b> ${item.action}
    <span class="faint small">· ${moment(item.at)}</span>
    ${item.detail && html`<div class="faint small"><bdi>${item.detail}</bdi></div>`}
  </li>`;
}
