import type { HistorySheet } from '@karaar/contracts/documents/print';
import { approval, entry, input, paragraph, STYLE, table, type HashedInput } from './certificate.ts';
import { historyFacts, type PdfFacts } from './facts.ts';
import { html, type Html } from './html.ts';
import { type Heading, say, SENTENCES as S } from './sentences.ts';
import { sheet } from './sheet.ts';
import { wordsOf, type Words } from './words.ts';

/** Returns a document's history as a page, in the language that it names. */
export const historySheetPage = (history: HistorySheet): string =>
  historyPage(historyFacts(history), {
    inputs: history.files.map(({ name, kind, sha256 }) => ({ name, is: { file: kind }, sha256 })),
    words: wordsOf(history.language),
  });

/** Returns the history with its evidence as a page that says that it is not the sealed agreement. */
export function historyPage(
  { document: d, people, history }: PdfFacts,
  { inputs, words }: { inputs: readonly HashedInput[]; words: Words },
): string {
  const head = (key: Heading): Html => words.say(key);
  const body = html`<h1>${head('historyTitle')}</h1>
    <p class="lead">${say(S.historyMade, d, words)}</p>
    <h2>${head('history')}</h2>
    <ol class="thread">
      ${history.map((one) => entry(one, words, [S.recordedAs, S.entryEvidence]))}
    </ol>
    ${
      people.length > 0 &&
      html`<h2>${head('approvals')}</h2>
        ${table(
          ['person', 'approval', 'statement'],
          people.map((one) => approval(one, words)),
          head,
        )}
        ${paragraph(say(S.statements, d, words))}`
    }
    <h2>${head('inputs')}</h2>
    ${table(
      ['input', 'sha256'],
      inputs.map((one) => input(one, words)),
      head,
    )}`;
  return sheet({
    title: d.name ?? '',
    code: d.code ?? '',
    parts: [{ part: head('historyTitle'), body, style: STYLE, words }],
  });
}
