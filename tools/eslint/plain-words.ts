/** Phrases that are almost always unclear in comments (docs/STYLE.md). People judge the rest of the style. */

const PHRASES: readonly { pattern: RegExp; advice: string }[] = [
  {
    pattern: /(?<!\bthere )\b(?:is|are|was|were) no (?!longer\b|more\b|fewer\b|less\b)/gi,
    advice: 'say "is not a …"',
  },
  {
    pattern: /\b(?:is|are|was|were) none\b/gi,
    advice: 'name what it is not ("is not a number", "an invalid cursor")',
  },
  {
    pattern: /\b(?:somebody|someone)\b/gi,
    advice: 'name the person: the user, the creator, another party, an admin',
  },
  {
    pattern:
      /\b(?:by|of|to|for|from|with|at|than|on|concerns?|tells?|is|are|was|has|stops?|refuses?|knows?|reaches|wakes|helps?|asks?|takes|lets) (?:nobody|no one)\b/gi,
    advice: 'begin with the thing and say what it does not do ("it does not wait")',
  },
  {
    pattern: /(?<=^|[.!?] )One (?:that|which|who|whose)\b|\b(?:of|also) one (?:that|which|who|whose)\b/g,
    advice: 'repeat the noun ("a document that …")',
  },
  {
    pattern: /\b(?:for|from|by|to) who(?:ever)? (?:is|are|has|have|was|may|can|wants?|does|did|could)\b/gi,
    advice: 'name the person ("for a user who …")',
  },
  { pattern: /\banew\b/gi, advice: 'say "again"' },
  { pattern: /\bfor ever\b/gi, advice: 'say "forever"' },
  { pattern: /\bthe own\b/gi, advice: 'name the owner ("the user\'s own")' },
  { pattern: /(?<=[a-z.,] )all the same\b(?! (?:to|for|as|in)\b)/gi, advice: 'say "anyway"' },
  { pattern: /\b(?:an?|the) \w+ of before\b(?! (?:the|it|a)\b)/gi, advice: 'say "earlier"' },
  {
    pattern: /\blies? (?:in|at|there|beside|under|above|behind|inside|below|between)\b/gi,
    advice: 'say "is"',
  },
  { pattern: /\bnow and again\b/gi, advice: 'say how often, or "now and then"' },
  {
    pattern: /\b(?:whence|thence|thereof|thereby|therein|hither|thither|upon|forsaken)\b/gi,
    advice: 'use the plain word',
  },
  {
    pattern:
      /\b(?:inner doors?|poke[sd]?|tall(?:y|ies)|errands?|kept tables?|closed months?|standing delay|fresh word|notice-facts)\b/gi,
    advice: 'use the term of the field (docs/glossary.md)',
  },
];

/**
 * Returns the unclear phrases of a text in their order.
 * @param text with its lines joined by single spaces
 */
export function unclearPhrases(text: string): { found: string; advice: string }[] {
  return PHRASES.flatMap(({ pattern, advice }) =>
    [...text.matchAll(pattern)].map((match) => ({ found: match[0].trim(), index: match.index, advice })),
  ).sort((a, b) => a.index - b.index);
}
