import type { ArticleBlock, ArticleRun } from '@karaar/contracts/cms/article';
import { LAW, type LawText, type LawWords } from '@karaar/contracts/cms/law';
import type { Language } from '@karaar/contracts/limits';
import { readArticle } from '../article/read-article.ts';
import type { PageText } from './pages.repository.ts';

const wordsIn = (runs: readonly ArticleRun[]): string =>
  runs.map((run) => (run.break ? ' ' : run.text)).join('');

function linesOf(block: ArticleBlock): LawText['lines'] {
  switch (block.kind) {
    case 'heading':
      return [{ text: wordsIn(block.runs), heading: true }];
    case 'paragraph':
      return [{ text: wordsIn(block.runs) }];
    case 'list':
      return block.items.map(({ runs }) => ({ text: wordsIn(runs) }));
    case 'table':
      return [block.head, ...block.rows].map((cells) => ({ text: cells.map(wordsIn).join(' – ') }));
    case 'code':
      return [{ text: block.text }];
    case 'rule':
      return [];
  }
}

const textOf = ({ title, content }: PageText): LawText => ({
  title,
  lines: readArticle(content).flatMap(linesOf),
});

/**
 * Returns the words of the law pages for paper, without links and styles.
 * @param pages in any order; without the English one the words are ours
 */
export function lawWords(pages: readonly (PageText & { language: Language })[]): LawWords {
  const own = pages.map((page) => [page.language, textOf(page)]);
  // fromEntries forgets that the keys are languages.
  return { en: LAW.en, ...(Object.fromEntries(own) as Partial<LawWords>) };
}
