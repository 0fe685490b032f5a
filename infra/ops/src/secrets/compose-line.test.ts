import { composeLine } from './compose-line.ts';

it.each([
  ['plain', "A='plain'"],
  ['$HOME and "two" # words', `A='$HOME and "two" # words'`],
  ["it's", String.raw`A='it\'s'`],
  [String.raw`a\b`, String.raw`A='a\b'`],
])('keeps %j', (value, line) => {
  expect(composeLine('A', value)).toBe(line);
});

it.each(['two\nlines', 'end\\', String.raw`a\'b`])(
  'refuses %j, which Compose would read as another value',
  (value) => {
    expect(() => composeLine('A', value)).toThrow('A cannot be in compose.env');
  },
);
