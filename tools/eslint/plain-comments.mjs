/** Lint rule: comments contain no unclear phrases (docs/STYLE.md). */
import { unclearPhrases } from './plain-words.ts';

/** Returns the comments of a file; consecutive `//` lines are one comment. */
function paragraphs(source) {
  const found = [];
  for (const comment of source.getAllComments()) {
    const last = found.at(-1);
    const goesOn =
      comment.type === 'Line' &&
      last?.type === 'Line' &&
      comment.loc.start.line === last.loc.end.line + 1 &&
      comment.loc.start.column === last.loc.start.column;
    if (goesOn) {
      last.text += ` ${comment.value}`;
      last.loc = { start: last.loc.start, end: comment.loc.end };
    } else found.push({ type: comment.type, loc: comment.loc, text: comment.value });
  }
  return found.map(({ loc, text }) => ({ loc, text: text.replace(/\s*\n\s*\*?\s*|\s+/g, ' ').trim() }));
}

/** @type {import('eslint').Rule.RuleModule} */
export const plainComments = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: { unclear: 'The comment says “{{found}}”: {{advice}} (docs/STYLE.md).' },
  },
  create(context) {
    return {
      Program() {
        for (const { loc, text } of paragraphs(context.sourceCode))
          for (const { found, advice } of unclearPhrases(text.replace(/^\* /, '')))
            context.report({ loc, messageId: 'unclear', data: { found, advice } });
      },
    };
  },
};
