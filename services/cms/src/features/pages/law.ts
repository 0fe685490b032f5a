import type { ArticleBlock, ArticleRun } from '@karaar/contracts/cms/article';
import type { LawText, LawWords } from '@karaar/contracts/cms/law';
import { LANGUAGES } from '@karaar/contracts/limits';
import { inLanguage } from '../../seed/translations.ts';
import { readArticle } from '../article/read-article.ts';
import type { PageRow } from './pages.repository.ts';

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

/** Returns the words of the law page for paper, without links and styles, in each language that it has. */
export function lawWords(page: PageRow): LawWords {
  const textOf = ({ title, content }: { title: string; content: string }): LawText => ({
    title,
    lines: readArticle(content).flatMap(linesOf),
  });
  const pages = LANGUAGES.map((language) => inLanguage(page, language));
  const own = pages.map((each) => [each.language, textOf(each)]);
  // fromEntries forgets that the keys are languages.
  return { ...(Object.fromEntries(own) as Partial<LawWords>), en: textOf(page) };
}
