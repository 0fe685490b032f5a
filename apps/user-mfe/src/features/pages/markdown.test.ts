import fc from 'fast-check';
import { parseInline, parseMarkdown } from './markdown.ts';

describe('parseMarkdown', () => {
  it('knows headings, paragraphs and lists', () => {
    expect(parseMarkdown('# Title\nText\nmore\n\n- a\n- b\n\n1. x\n2. y\n\n### Small')).toMatchObject([
      { kind: 'heading', level: 2 },
      { kind: 'paragraph', content: [{ text: 'Text more' }] },
      { kind: 'list', ordered: false, items: [[{ text: 'a' }], [{ text: 'b' }]] },
      { kind: 'list', ordered: true },
      { kind: 'heading', level: 3 },
    ]);
  });

  it('knows bold, italic and links', () => {
    expect(parseInline('Be **bold**, *soft* and [write](mailto:help@karaar.example).')).toEqual([
      { kind: 'text', text: 'Be ' },
      { kind: 'strong', text: 'bold' },
      { kind: 'text', text: ', ' },
      { kind: 'em', text: 'soft' },
      { kind: 'text', text: ' and ' },
      { kind: 'link', text: 'write', href: 'mailto:help@karaar.example' },
      { kind: 'text', text: '.' },
    ]);
  });

  it('makes no link that runs code or leaves by a trick', () => {
    for (const href of [
      'javascript:alert`1`',
      'data:text/html,x',
      '//evil.example',
      'JaVaScRiPt:x',
      'vbscript:x',
    ]) {
      expect(parseInline(`[go](${href})`)).toEqual([{ kind: 'text', text: `[go](${href})` }]);
    }
  });

  it('loses no word, whatever is typed', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-z]{1,8}$/), { minLength: 1 }), (words) => {
        const text = JSON.stringify(parseMarkdown(words.join(' ')));
        for (const word of words) expect(text).toContain(word);
      }),
    );
    fc.assert(fc.property(fc.string(), (source) => void parseMarkdown(source)));
  });
});
