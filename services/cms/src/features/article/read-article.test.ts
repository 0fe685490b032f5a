import { xssVectors } from '@karaar/testing/made-up/xss-vectors';
import fc from 'fast-check';
import { readArticle } from './read-article.ts';
import { safeHref } from './safe-href.ts';

describe('readArticle', () => {
  it('[CMS-014] reads headings, paragraphs, lists, tables, quotes, code and rules', () => {
    const blocks = readArticle(
      '# Title\nText\nmore\n\n- a\n  1. b\n- c\n\n> said\n\n| x | y |\n|---|---|\n| 1 | **2** |\n\n---\n\n```\ncode\n```\n\n##### Small',
    );
    expect(blocks).toEqual([
      { kind: 'heading', level: 2, runs: [{ text: 'Title' }] },
      { kind: 'paragraph', runs: [{ text: 'Text more' }] },
      {
        kind: 'list',
        items: [
          { depth: 0, runs: [{ text: 'a' }] },
          { depth: 1, number: 1, runs: [{ text: 'b' }] },
          { depth: 0, runs: [{ text: 'c' }] },
        ],
      },
      { kind: 'paragraph', quoted: true, runs: [{ text: 'said' }] },
      {
        kind: 'table',
        head: [[{ text: 'x' }], [{ text: 'y' }]],
        rows: [[[{ text: '1' }], [{ text: '2', strong: true }]]],
      },
      { kind: 'rule' },
      { kind: 'code', text: 'code' },
      { kind: 'heading', level: 4, runs: [{ text: 'Small' }] },
    ]);
  });

  it('[CMS-014] reads bold, italic, struck, code, line breaks and links, also nested', () => {
    expect(
      readArticle(
        '**bold _both_** ~~gone~~ `x`\\\n[**mail**](mailto:help@karaar.example) [r]\n\n[r]: /terms',
      ),
    ).toEqual([
      {
        kind: 'paragraph',
        runs: [
          { text: 'bold ', strong: true },
          { text: 'both', strong: true, emphasis: true },
          { text: ' ' },
          { text: 'gone', deleted: true },
          { text: ' ' },
          { text: 'x', code: true },
          { text: '', break: true },
          { text: 'mail', strong: true, href: 'mailto:help@karaar.example' },
          { text: ' ' },
          { text: 'r', href: '/terms' },
        ],
      },
    ]);
  });

  it('shows HTML and pictures as the text that was typed', () => {
    expect(readArticle('<b>x</b>\n\na <i>y</i> ![alt](x.png)')).toEqual([
      { kind: 'paragraph', runs: [{ text: '<b>x</b>' }] },
      { kind: 'paragraph', runs: [{ text: 'a <i>y</i> ![alt](x.png)' }] },
    ]);
  });

  it('[CMS-015] returns no executable address for any of a hundred XSS vectors', () => {
    expect(xssVectors.length).toBeGreaterThanOrEqual(100);
    for (const vector of xssVectors) {
      for (const [, href] of JSON.stringify(readArticle(vector)).matchAll(/"href":"((?:[^"\\]|\\.)*)"/g))
        expect([vector, href]).toEqual([
          vector,
          expect.stringMatching(/^(https?:\/\/|mailto:|tel:|\/(?!\/)|#)/),
        ]);
    }
  });

  it('reads any text without an error and without losing a word', () => {
    fc.assert(fc.property(fc.string(), (source) => void readArticle(source)));
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-z]{1,8}$/), { minLength: 1 }), (words) => {
        const text = JSON.stringify(readArticle(words.join(' ')));
        for (const word of words) expect(text).toContain(word);
      }),
    );
  });
});

describe('safeHref', () => {
  it.each([
    ['https://karaar.example/a b', 'https://karaar.example/a%20b'],
    ['/terms?x=1#y', '/terms?x=1#y'],
    ['terms', '/terms'],
    ['#top', '#top'],
    ['//other.example', 'https://other.example/'],
    ['/\\other.example', 'https://other.example/'],
    ['tel:+911234567890', 'tel:+911234567890'],
  ])('resolves %s to %s', (url, href) => expect(safeHref(url)).toBe(href));

  it.each([
    'javascript:x',
    ' javascript:x',
    'java\nscript:x',
    'data:,x',
    'blob:x',
    'file:///x',
    '//',
    'http://',
  ])('returns undefined for %j', (url) => expect(safeHref(url)).toBeUndefined());
});
