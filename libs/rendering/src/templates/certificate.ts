import type { EntryFacts, InputFacts, PdfFacts, PersonFacts } from './facts.ts';
import { html, type Html, raw } from './html.ts';
import { sealMark } from './seal-mark.ts';
import { LABELS, say, sayAll, sayLabelled, SENTENCES as S } from './sentences.ts';
import { type Numbering, sheet } from './sheet.ts';

/** One input of the final PDF with its hash, as the certificate lists it. */
export interface HashedInput {
  /** As the user named it: of a file its name, of an image the person's. */
  name: string;
  is: InputFacts;
  /** Lower-case hex. */
  sha256: string;
}

const STYLE = `
.verify{display:grid;grid-template-columns:38mm 1fr 36mm;gap:7mm;align-items:center;margin-top:7mm}
.verify .qr svg{display:block;width:38mm;height:38mm}
.verify b{display:block;font-size:11.5pt;font-weight:600}
.url{grid-column:1/-1;font-size:8.5pt;color:#1F3A8A;margin-top:-3mm}
.after{margin-top:1.5mm}
ol.thread{list-style:none;border-left:1.1pt solid #1F3A8A;margin-left:1.3mm}
ol.thread li{position:relative;padding:0 0 3mm 5.5mm;break-inside:avoid}
ol.thread li:last-child{padding-bottom:0}
ol.thread li b{font-weight:600}
ol.thread li::before{content:"";position:absolute;left:-1.5mm;top:1.5mm;width:2.2mm;height:2.2mm;border-radius:50%;background:#FAF8F4;border:1.1pt solid #1F3A8A}
ol.thread li:last-child::before{background:#B4232A;border-color:#B4232A}
.hash{font-size:8pt;line-height:1.4;word-break:break-all}
td.what{width:64mm}
td.hash{font-size:7.4pt}
ul.noticed{list-style:none}
ul.noticed li{break-inside:avoid}
`;

/** The certificate of completion: how to verify, the seal, who approved when, what happened, and every input's hash. */
export function certificatePage(
  { document: d, people, history }: PdfFacts,
  options: { qrSvg: string; hashes: readonly HashedInput[]; numbering: Numbering },
): string {
  const noticed = people.flatMap(noticedOf);
  const body = html`<h1>${LABELS.certificate}</h1>
    <p class="lead">${say(S.putTogether, d)}</p>
    <section class="sheet verify keep">
      <div class="qr">${raw(options.qrSvg)}</div>
      <div>
        <b>${LABELS.check}</b>
        <p class="small">${say(S.checkIt, d)}</p>
      </div>
      ${sealMark({ size: '36mm', below: d.sealLevel ? `PAdES ${d.sealLevel}` : '' })}
      <p class="url mono">${d.verifyUrl}</p>
    </section>
    <h2>${LABELS.seal}</h2>
    <p>${sayAll([S.seal, S.sealTime, S.sealNote], d)}</p>
    <p class="small faint after">${say(S.sealCertificate, d)}</p>
    <p class="after">${say(S.log, d)}</p>
    <h2>${LABELS.approvals}</h2>
    <table>
      <thead>
        <tr>
          <th>${LABELS.person}</th>
          <th>${LABELS.approval}</th>
          <th class="num">${LABELS.statement}</th>
        </tr>
      </thead>
      <tbody>
        ${people.map(approval)}
      </tbody>
    </table>
    ${paragraph(sayAll([S.statements, S.liveMeans, S.statedMeans], d))}
    ${
      noticed.length > 0 &&
      html`<h2>${LABELS.noticed}</h2>
        <ul class="noticed">
          ${noticed.map((one) => html`<li>${one}</li>`)}
        </ul>`
    }
    <section class="keep">
      <h2>${LABELS.charge}</h2>
      <dl class="facts">${[S.chargedFor, S.dailyRate, S.total].map((one) => sayLabelled(one, d))}</dl>
      ${paragraph(say(S.chargeIs, d))}
    </section>
    <h2>${LABELS.history}</h2>
    <ol class="thread">
      ${history.map(entry)}
    </ol>
    <h2>${LABELS.inputs}</h2>
    <table>
      <thead>
        <tr>
          <th>${LABELS.input}</th>
          <th>${LABELS.sha256}</th>
        </tr>
      </thead>
      <tbody>
        ${options.hashes.map(input)}
      </tbody>
    </table>`;
  return sheet({
    part: LABELS.certificate,
    title: d.name ?? '',
    code: d.code ?? '',
    numbering: options.numbering,
    style: STYLE,
    body,
  });
}

const paragraph = (said: Html | undefined): Html | undefined =>
  said && html`<p class="small faint after">${said}</p>`;

function approval(person: PersonFacts): Html {
  return html`<tr>
    <td><bdi>${person.name}</bdi></td>
    <td>${sayAll([S.approved, S.approvedByCreator], person)}</td>
    <td class="num small">${say(S.statement, person)}</td>
  </tr>`;
}

const noticedOf = (person: PersonFacts): Html[] =>
  [S.oneImageTwice, S.sharedImage, S.sentBefore].flatMap((one) => say(one, person) ?? []);

function entry(item: EntryFacts): Html {
  const detail = say(S.entryDetail, item);
  return html`<li>${say(S.entry, item)} ${detail && html`<div class="faint small">${detail}</div>`}</li>`;
}

function input({ name, is, sha256 }: HashedInput): Html {
  const what = sayAll(
    [S.inputFile, S.inputPages, S.inputFace, S.inputEye, S.inputSign, S.inputStatement],
    is,
  );
  const pictures = sayAll([S.inputPictures, S.inputAccepted], is);
  return html`<tr>
    <td class="what">
      <bdi>${name}</bdi> <span class="faint small">${what}</span>
      ${pictures && html`<div class="small">${pictures}</div>`}
    </td>
    <td class="hash mono">${sha256}</td>
  </tr>`;
}
