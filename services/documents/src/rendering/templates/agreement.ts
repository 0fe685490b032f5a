import type { FinalPdfInput } from '../types.ts';
import { counted, day, dayOf, grouped, pageSpan, rupees } from './format.ts';
import { html, type Html } from './html.ts';
import { sealMark } from './seal-mark.ts';
import { type Numbering, sheet } from './sheet.ts';

/** One line of the contents table. */
export interface ContentsLine {
  title: string;
  what: string;
  first: number;
  count: number;
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

/** The agreement page(s): what is agreed, between whom, for how long and how much, and what the file holds. */
export function agreementPage(
  input: FinalPdfInput,
  contents: readonly ContentsLine[],
  numbering: Numbering,
): string {
  const { document: d } = input;
  const body = html`<div class="head">
      <div>
        <h1><bdi>${d.name}</bdi></h1>
        <p class="lead">
          An agreement between ${counted(input.parties.length, 'person', 'people')}, approved by each of them
          and sealed by Karaar.
        </p>
      </div>
      ${sealMark({ size: '32mm', below: d.code })}
    </div>
    <h2>Terms</h2>
    <div class="sheet">
      <dl class="facts">
        ${fact('Document code', html`<span class="mono">${grouped(d.code)}</span>`)}
        ${fact('Location', d.location ? html`<bdi>${d.location}</bdi>` : 'Not stated')}
        ${fact('From', d.startDate ? day(d.startDate) : 'Not stated')}
        ${fact('To', d.endDate ? day(d.endDate) : 'Not stated')} ${fact('Created', dayOf(d.createdAt))}
        ${fact('Charged for', counted(d.days, 'day'))} ${fact('Daily rate', rupees(d.dailyRatePaise))}
        <div class="total">
          <dt>Total</dt>
          <dd>${rupees(d.totalPaise)}</dd>
        </div>
      </dl>
    </div>
    <h2>Between</h2>
    <div class="people">
      ${input.parties.map(
        (party) =>
          html`<div class="sheet keep">
            <b><bdi>${party.name}</bdi></b>
            <span class="faint small"
              >${party.role === 'primary' ? 'Created the agreement' : 'Party'} · ID
              <span class="mono">${grouped(party.charId)}</span></span
            >
          </div>`,
      )}
    </div>
    ${
      d.description &&
      html`<h2>Description</h2>
        <div class="terms pre"><bdi>${d.description}</bdi></div>`
    }
    ${d.pageDetails.length > 0 && pageDetails(d.pageDetails)}
    <section class="${contents.length <= 16 ? 'keep' : ''}">
      <h2>In this file</h2>
      <table>
        <thead>
          <tr>
            <th>Part</th>
            <th></th>
            <th class="num">Pages</th>
          </tr>
        </thead>
        <tbody>
          ${contents.map(
            (line) =>
              html`<tr>
                <td><bdi>${line.title}</bdi></td>
                <td class="faint">${line.what}</td>
                <td class="num">${pageSpan(line.first, line.count)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </section>`;
  return sheet({ part: 'Agreement', title: d.name, code: d.code, numbering, style: STYLE, body });
}

function fact(label: string, value: Html | string): Html {
  return html`<div>
    <dt>${label}</dt>
    <dd>${value}</dd>
  </div>`;
}

function pageDetails(details: FinalPdfInput['document']['pageDetails']): Html {
  return html`<h2>Page details</h2>
    <table>
      <thead>
        <tr>
          <th style="width:16mm">Page</th>
          <th>Description</th>
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
