import type { EntryFacts, InputFacts, PdfFacts, PersonFacts } from './facts.ts';
import { html, type Html, raw } from './html.ts';
import { sealMark } from './seal-mark.ts';
import { type Heading, say, sayAll, sayLabelled, type Sentence, SENTENCES as S } from './sentences.ts';
import type { SheetPart } from './sheet.ts';
import { ENGLISH, type Words } from './words.ts';

/** One input of the final PDF with its hash, as the certificate lists it. */
export interface HashedInput {
  /** The file name as uploaded or, for an image, the person's name. */
  name: string;
  is: InputFacts;
  sha256: string;
}

export const STYLE = `
.verify{display:grid;grid-template-columns:38mm 1fr 36mm;gap:7mm;align-items:center;margin-top:7mm}
.verify .qr svg{display:block;width:38mm;height:38mm}
.verify b{display:block;font-size:11.5pt;font-weight:600}
.url{grid-column:1/-1;font-size:8.5pt;color:#1F3A8A;margin-top:-3mm}
.after{margin-top:1.5mm}
ol.thread{list-style:none;border-left:1.1pt solid #1F3A8A;margin-left:1.3mm}
ol.thread li{position:relative;padding:0 0 3mm 5.5mm;break-inside:avoid}
ol.thread li:last-child{padding-bottom:0}
ol.thread li b{font-weight:600}
ol.thread .mono{white-space:nowrap}
ol.thread li::before{content:"";position:absolute;left:-1.5mm;top:1.5mm;width:2.2mm;height:2.2mm;border-radius:50%;background:#FAF8F4;border:1.1pt solid #1F3A8A}
ol.thread li:last-child::before{background:#B4232A;border-color:#B4232A}
.hash{font-size:8pt;line-height:1.4;word-break:break-all}
td.what{width:64mm}
td.hash{font-size:7.4pt}
section.law h3{font-size:9.5pt;font-weight:600;margin-top:2mm;break-after:avoid}
section.law p{break-inside:avoid;margin-top:1mm}
ul.noticed{list-style:none}
ul.noticed li{break-inside:avoid}
`;

/**
 * Returns the certificate of completion: how to verify, the seal, the approvals, the history, and the hash of
 * every input.
 * @param options words of its language; English by default
 */
export function certificatePart(
  { document: d, people, history }: PdfFacts,
  options: { qrSvg: string; hashes: readonly HashedInput[]; words?: Words },
): SheetPart {
  const { words = ENGLISH } = options;
  const head = (key: Heading): Html => words.say(key);
  const noticed = people.flatMap((one) => noticedOf(one, words));
  const body = html`<h1>${head('certificate')}</h1>
    <p class="lead">${say(S.putTogether, d, words)}</p>
    ${paragraph(say(words.language === 'en' ? S.translated : S.translation, d, words))}
    <section class="sheet verify keep">
      <div class="qr">${raw(options.qrSvg)}</div>
      <div>
        <b>${head('check')}</b>
        <p class="small">${say(S.checkIt, d, words)}</p>
      </div>
      ${sealMark({ size: '36mm', below: d.sealLevel ? `PAdES ${d.sealLevel}` : '' })}
      <p class="url mono">${d.verifyUrl}</p>
    </section>
    <h2>${head('seal')}</h2>
    <p>${sayAll([S.seal, S.sealTime, S.sealNote, S.sealOwnAuthority], d, { words })}</p>
    <p class="small faint after">${say(S.sealCertificate, d, words)}</p>
    <p class="after">${say(S.log, d, words)}</p>
    <h2>${head('approvals')}</h2>
    ${table(
      ['person', 'approval', 'statement'],
      people.map((one) => approval(one, words)),
      head,
    )}
    ${paragraph(sayAll([S.statements, S.liveMeans, S.statedMeans], d, { words }))}
    ${
      noticed.length > 0 &&
      html`<h2>${head('noticed')}</h2>
        <ul class="noticed">
          ${noticed.map((one) => html`<li>${one}</li>`)}
        </ul>`
    }
    <section class="keep">
      <h2>${head('charge')}</h2>
      <dl class="facts">${[S.chargedFor, S.dailyRate, S.total].map((one) => sayLabelled(one, d, words))}</dl>
      ${paragraph(say(S.chargeIs, d, words))}
    </section>
    <h2>${head('history')}</h2>
    <ol class="thread">
      ${history.map((one) => entry(one, words))}
    </ol>
    <h2>${head('inputs')}</h2>
    ${table(
      ['input', 'sha256'],
      options.hashes.map((one) => input(one, words)),
      head,
    )}
    <section class="law">${say(S.law, d, words)}</section>`;
  return { part: head('certificate'), style: STYLE, body, words };
}

/** Returns a table; the column of statement hashes is as wide as a hash. */
export function table(
  columns: readonly Heading[],
  rows: readonly Html[],
  head: (key: Heading) => Html,
): Html {
  return html`<table>
    <thead>
      <tr>
        ${columns.map((key) => html`<th class="${key === 'statement' ? 'num' : ''}">${head(key)}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>`;
}

export const paragraph = (said: Html | undefined): Html | undefined =>
  said && html`<p class="small faint after">${said}</p>`;

/** Returns a person's row of the approvals. */
export function approval(person: PersonFacts, words: Words): Html {
  const by = say(S.approvedBy, person, words);
  return html`<tr>
    <td><bdi>${person.name}</bdi></td>
    <td>${say(S.approved, person, words)} ${by && html`<div class="faint small">${by}</div>`}</td>
    <td class="num small">${say(S.statement, person)}</td>
  </tr>`;
}

const noticedOf = (person: PersonFacts, words: Words): Html[] =>
  [S.oneImageTwice, S.sharedImage, S.sentBefore].flatMap((one) => say(one, person, words) ?? []);

/** Returns a line of the history; `more` has further sentences about it. */
export function entry(item: EntryFacts, words: Words, more: readonly Sentence<EntryFacts>[] = []): Html {
  const said = (words.language !== 'en' && say(S.event, item, words)) || say(S.entry, item, words);
  const details = [S.entryDetail, ...more].flatMap((one) => say(one, item, words) ?? []);
  return html`<li>${said} ${details.map((one) => html`<div class="faint small">${one}</div>`)}</li>`;
}

/** Returns an input's row with its hash. */
export function input({ name, is, sha256 }: HashedInput, words: Words): Html {
  const description = sayAll(
    [S.inputFile, S.inputPages, S.inputFace, S.inputEye, S.inputSign, S.inputStatement],
    is,
    { words },
  );
  const changed = [
    [S.inputPictures, S.inputAccepted],
    [S.inputLeftOut, S.inputLeftOutAccepted],
  ].flatMap((sentences) => sayAll(sentences, is, { words }) ?? []);
  return html`<tr>
    <td class="what">
      <bdi>${name}</bdi> <span class="faint small">${description}</span>
      ${changed.map((said) => html`<div class="small">${said}</div>`)}
    </td>
    <td class="hash mono">${sha256}</td>
  </tr>`;
}
