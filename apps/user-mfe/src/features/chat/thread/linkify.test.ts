import fc from 'fast-check';
import { linkify } from './linkify.ts';

const links = (text: string) => linkify(text).flatMap(({ href }) => (href ? [href] : []));

it('finds URLs and keeps the sentence around them', () => {
  expect(linkify('See https://karaar.example.org/a?b=1, then www.example.in.')).toEqual([
    { text: 'See ' },
    { text: 'https://karaar.example.org/a?b=1', href: 'https://karaar.example.org/a?b=1' },
    { text: ', then ' },
    { text: 'www.example.in', href: 'https://www.example.in/' },
    { text: '.' },
  ]);
  expect(links('(https://en.example.org/wiki/Karaar_(film))')).toEqual([
    'https://en.example.org/wiki/Karaar_(film)',
  ]);
  expect(links('देखें https://example.in/करार।')).toEqual([
    'https://example.in/%E0%A4%95%E0%A4%B0%E0%A4%BE%E0%A4%B0',
  ]);
});

it('links no script, no URL that hides its target, and nothing else that is not a URL', () => {
  for (const text of [
    'javascript:alert(1)',
    'data:text/html,x',
    'https://',
    'http://localhost/admin',
    'https://karaar.example.org@evil.example.com/',
    'file:///etc/passwd',
    'www.',
  ])
    expect([text, links(text)]).toEqual([text, []]);
});

it('changes no character of any text', () => {
  const word = fc.oneof(
    fc.string(),
    fc.webUrl(),
    fc.constantFrom('www.a.in)', '(https://a.in/(b)', 'http://x..'),
  );
  fc.assert(
    fc.property(fc.array(word), (words) => {
      const text = words.join(' ');
      expect(
        linkify(text)
          .map((part) => part.text)
          .join(''),
      ).toBe(text);
    }),
  );
});
