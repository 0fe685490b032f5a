/**
 * Phrases that make a new reader stop, because they do not name what they speak of (docs/STYLE.md). Only phrases that
 * are hardly ever right: the rest of the style is judged by people.
 */

export const PHRASES: readonly { name: string; pattern: RegExp; advice: string }[] = [
  {
    name: 'is no',
    pattern: /(?<!\bthere )\b(?:is|are|was|were) no (?!longer\b|more\b|fewer\b|less\b)/gi,
    advice: 'say "is not a …"',
  },
  {
    name: 'is none',
    pattern: /(?<!\bthere )\b(?:is|are|was|were) none\b/gi,
    advice: 'name what it is not ("is not a number", "an invalid cursor")',
  },
  {
    name: 'somebody',
    pattern: /\b(?:somebody|someone)\b/gi,
    advice: 'name the person: the user, the creator, another party, an admin',
  },
  {
    name: 'nobody as an object',
    pattern:
      /\b(?:by|of|to|for|from|with|at|than|on|concerns?|tells?|is|are|was|has|stops?|refuses?|knows?|reaches|wakes|helps?|asks?|takes|lets) (?:nobody|no one)\b/gi,
    advice: 'begin with the thing and say what it does not do ("it does not wait")',
  },
  {
    name: 'one that',
    pattern: /(?<=^|[.!?] )One (?:that|which|who|whose)\b|\b(?:of|also) one (?:that|which|who|whose)\b/g,
    advice: 'repeat the noun ("a document that …")',
  },
  {
    name: 'for who',
    pattern: /\b(?:for|from|by|to) who(?:ever)? (?:is|are|has|have|was|may|can|wants?|does|did|could)\b/gi,
    advice: 'name the person ("for a user who …")',
  },
  {
    name: 'anew',
    pattern: /\banew\b/gi,
    advice: 'say "again"',
  },
  {
    name: 'for ever',
    pattern: /\bfor ever\b/gi,
    advice: 'say "forever"',
  },
  {
    name: 'the own',
    pattern: /\bthe own\b/gi,
    advice: 'name the owner ("the user\'s own")',
  },
  {
    name: 'all the same',
    pattern: /(?<=[a-z.,] )all the same\b(?! (?:to|for|as|in)\b)/gi,
    advice: 'say "anyway"',
  },
  {
    name: 'of before',
    pattern: /\b(?:an?|the) \w+ of before\b(?! (?:the|it|a)\b)/gi,
    advice: 'say "earlier"',
  },
  {
    name: 'lies in',
    pattern: /\blies? (?:in|at|there|beside|under|above|behind|inside|below|between)\b/gi,
    advice: 'say "is"',
  },
  {
    name: 'now and again',
    pattern: /\bnow and again\b/gi,
    advice: 'say how often, or "now and then"',
  },
  {
    name: 'an old word',
    pattern: /\b(?:whence|thence|thereof|thereby|therein|hither|thither|upon|forsaken)\b/gi,
    advice: 'use the plain word',
  },
  {
    name: 'a term of our own',
    pattern:
      /\b(?:inner doors?|poke[sd]?|tall(?:y|ies)|errands?|kept tables?|closed months?|standing delay|fresh word|notice-facts)\b/gi,
    advice: 'use the term of the field (docs/glossary.md)',
  },
];

/** A phrase of a text, where it begins, and what to write instead. */
export type UnclearPhrase = { found: string; index: number; advice: string };

/**
 * The unclear phrases of a text, in their order.
 *
 * @param text with its lines joined by single spaces
 */
export function unclearPhrases(text: string): UnclearPhrase[] {
  return PHRASES.flatMap(({ pattern, advice }) =>
    [...text.matchAll(pattern)].map((match) => ({ found: match[0].trim(), index: match.index, advice })),
  ).sort((a, b) => a.index - b.index);
}
