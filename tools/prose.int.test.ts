/** The phrases that docs/STYLE.md has no room for: found in Markdown, and left alone where they are right. */
import { PHRASES, unclearPhrases } from './eslint/plain-words.ts';
import { unclearDocuments, unclearMarkdown } from './prose.ts';

const found = (text: string): string[] => unclearPhrases(text).map((phrase) => phrase.found);

describe('unclear phrases', () => {
  it.each([
    ['A link alone is no right.', ['is no']],
    ['Throws 422 for a day that is none.', ['is none']],
    ['Waits until somebody pays; someone else may.', ['somebody', 'someone']],
    ['It waits for nobody, and concerns no one.', ['for nobody', 'concerns no one']],
    ['One that nobody takes is dropped.', ['One that']],
    ['It is kept. One who left is shown, also one that was removed.', ['One who', 'also one that']],
    ['Undefined for who has left, sent to whoever is there.', ['for who has', 'to whoever is']],
  ])('%s', (text, phrases) => {
    expect(found(text)).toEqual(phrases);
  });

  it.each([
    'There is no balance yet, and there are none of others.',
    'It is no longer than a line: there was no more.',
    'Nobody else may read it.',
    'The key, not the one that signed before; each one that is gone.',
    'Who may read it, and the user who has asked.',
    'This one is known to all.',
  ])('takes: %s', (text) => {
    expect(found(text)).toEqual([]);
  });

  it('come with an advice and where they are', () => {
    const text = 'The mark is no text.';
    expect(unclearPhrases(text)).toEqual([{ found: 'is no', index: 9, advice: 'say "is not a …"' }]);
    expect(PHRASES.filter(({ advice }) => advice === '')).toEqual([]);
  });
});

describe('Markdown', () => {
  it('is read by paragraphs, items and rows, with the line where they begin', () => {
    const text =
      '# Pages\n\nA page that\nis no sheet.\n\n- one\n- that somebody\n  reads\n\n| a | is none |\n';
    expect(unclearMarkdown('a.md', text).map((line) => line.split(' in ')[0])).toEqual([
      'a.md:3 says “is no”',
      'a.md:7 says “somebody”',
      'a.md:10 says “is none”',
    ]);
  });

  it('may show code, and the phrases themselves as code', () => {
    expect(
      unclearMarkdown('a.md', 'Not `is no`.\n\n```ts\n// somebody\n```\n\nBut `a` is none.'),
    ).toHaveLength(1);
  });

  it('of the repository has none of them', () => {
    expect(unclearDocuments()).toEqual([]);
  });
});
