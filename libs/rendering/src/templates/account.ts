import type { AccountPage, AccountSheet } from '@karaar/contracts/documents/print';
import { html } from './html.ts';
import { sheet, type SheetPart } from './sheet.ts';
import { wordsOf } from './words.ts';

const STYLE = `
thead{display:table-header-group}
td:first-child{white-space:nowrap}
.num+.num{padding-left:5mm}
th,dt{overflow-wrap:normal}
.note{margin-top:6mm;max-width:150mm}
`;

/** Returns a statement or a receipt as a page: title, facts, lines; then its translation. */
export function accountPage(account: AccountSheet): string {
  return sheet({
    title: account.title,
    code: account.reference,
    parts: [account, ...(account.translation ? [account.translation] : [])].map(partOf),
  });
}

function partOf(account: AccountPage): SheetPart {
  const kind = (i: number) => (account.columns[i]?.numeric ? 'num' : '');
  const body = html`<h1>${account.title}</h1>
    <p class="lead">${account.lead}</p>
    <section class="sheet keep" style="margin-top:6mm">
      <dl class="facts">
        ${account.facts.map(
          ({ label, value }) =>
            html`<div>
              <dt>${label}</dt>
              <dd><bdi>${value}</bdi></dd>
            </div>`,
        )}
      </dl>
    </section>
    ${
      account.columns.length > 0 &&
      html`<table style="margin-top:7mm">
        <thead>
          <tr>
            ${account.columns.map(({ title }, i) => html`<th class="${kind(i)}">${title}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${account.rows.map(
            (row) =>
              html`<tr>
                ${row.map((cell, i) => html`<td class="${kind(i)}"><bdi>${cell}</bdi></td>`)}
              </tr>`,
          )}
        </tbody>
      </table>`
    }
    <p class="note small faint">${account.note}</p>`;
  return { part: account.part, body, style: STYLE, words: wordsOf(account.language ?? 'en') };
}
