import type { FinalDocument } from '../types.ts';
import type { PdfFacts, PersonFacts } from './facts.ts';
import { pageSpan } from './format.ts';
import { html, type Html } from './html.ts';
import { sealMark } from './seal-mark.ts';
import { LABELS, sayAll, sayLabelled, SENTENCES as S } from './sentences.ts';
import type { SheetPart } from './sheet.ts';

export interface ContentsLine {
  title: Html;
  what: Html;
  first: number;
  count: number;
  /** The `id` of a part that Karaar draws. */
  id?: string;
}

const STYLE = `
.head{display:flex;justify-content:space-between;gap:8mm}
.head>div{flex:1}
.head svg{flex:none;margin:4mm 0 0}
.people{display:grid;grid-template-columns:1fr 1fr;gap:3mm}
.people .sheet{padding:2.6mm 4.5mm}
.people b{font-size:12pt;font-weight:600;display:block;line-height:1.4}
.terms{font-size:10.5pt;line-height:1.6}
`;

/** Returns the agreement: the terms, the parties, the dates and the contents of the file. */
export function agreementPart(
  { document: d, people }: PdfFacts,
  details: FinalDocument['pageDetails'],
  contents: readonly ContentsLine[],
): SheetPart {
  const body = html`<div class="head">
      <div>
        <h1><bdi>${d.name}</bdi></h1>
        <p class="lead">${sayAll([S.between, S.allApproved], d)}</p>
      </div>
      ${sealMark({ size: '32mm', below: d.code ?? '' })}
    </div>
    <h2>${LABELS.terms}</h2>
    <div class="sheet">
      <dl class="facts">
        ${[S.code, S.location, S.from, S.to, S.created].map((one) => sayLabelled(one, d))}
      </dl>
    </div>
    <h2>${LABELS.between}</h2>
    <div class="people">${people.map(person)}</div>
    ${
      d.description &&
      html`<h2>${LABELS.description}</h2>
        <div class="terms pre"><bdi>${d.description}</bdi></div>`
    }
    ${details.length > 0 && pageDetails(details)}
    <section class="${contents.length <= 16 ? 'keep' : ''}">
      <h2>${LABELS.inThisFile}</h2>
      <table>
        <thead>
          <tr>
            <th>${LABELS.part}</th>
            <th></th>
            <th class="num">${LABELS.pages}</th>
          </tr>
        </thead>
        <tbody>
          ${contents.map(
            (line) =>
              html`<tr>
                <td>
                  <bdi>${line.id ? html`<a href="#${line.id}">${line.title}</a>` : line.title}</bdi>
                </td>
                <td class="faint">${line.what}</td>
                <td class="num">${pageSpan(line.first, line.count)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </section>`;
  return { part: LABELS.agreement, style: STYLE, body };
}

function person(facts: PersonFacts): Html {
  return html`<div class="sheet keep">
    <b><bdi>${facts.name}</bdi></b>
    <span class="faint small">${sayAll([S.role, S.id], facts, { between: LABELS.dot })}</span>
  </div>`;
}

function pageDetails(details: FinalDocument['pageDetails']): Html {
  return html`<h2>${LABELS.pageDetails}</h2>
    <table>
      <thead>
        <tr>
          <th style="width:16mm">${LABELS.page}</th>
          <th>${LABELS.description}</th>
        </tr>
      </thead>
      <tbody>
        ${details.map(
          (detail) =>
            html`<tr>
              <td>${detail.pageNo}</td>
              <td class="pre"><bdi>${detail.description}</bdi></td>
            </tr>`,
        )}
      </tbody>
    </table>`;
}
