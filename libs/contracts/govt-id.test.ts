import { isIdNumber } from './govt-id.ts';

describe('an Aadhaar number', () => {
  it('has twelve digits, the last of which is its check digit, with or without spaces', () => {
    for (const number of [
      '234123412346',
      '2341 2341 2346',
      '2341-2341-2346',
      '2341–2341–2346\n',
      '२३४१\u00a0२३४१\u00a0२३४६',
      '２３４１２３４１２３４６',
      '\u200b234123412346',
    ])
      expect(isIdNumber('Aadhar', number)).toBe(true);
    for (const number of ['23412341234', '2341234123467', '134123412346', '034123412346', 'ABCD12341234', ''])
      expect(isIdNumber('Aadhar', number)).toBe(false);
  });

  it('is rejected with one wrong digit at any position, and with two neighbours swapped', () => {
    const right = '234123412346';
    for (let at = 0; at < right.length; at += 1) {
      for (const digit of '0123456789') {
        if (digit === right[at]) continue;
        expect(isIdNumber('Aadhar', right.slice(0, at) + digit + right.slice(at + 1))).toBe(false);
      }
      const pair = right.slice(at, at + 2);
      if (pair.length < 2 || pair[0] === pair[1]) continue;
      const swapped = right.slice(0, at) + [...pair].reverse().join('') + right.slice(at + 2);
      expect(isIdNumber('Aadhar', swapped)).toBe(false);
    }
  });
});

it.each([
  ['PAN', ['ABCDE1234F', 'abcde1234f'], ['ABCD1234F', 'ABCDE12345', 'ABCDE1234', '234123412346']],
  ['Passport', ['A1234567', 'a123 4567'], ['AB123456', 'A123456', 'A12345678']],
  ['Voter ID', ['ABC1234567'], ['AB1234567', 'ABC123456', 'ABC12345678']],
  [
    'Driving License',
    ['MH14 20110062821', 'DL-0420110149646', 'KL07/2009/0012345', 'MH03A2008001234'],
    ['1420110062821', 'MH', 'MH14', 'M1420110062821', 'ABCDE1234F'],
  ],
  ['Other', ['7/2011', 'x'], ['', '  ']],
] as const)('a number of the kind %s is checked by its format', (type, right, wrong) => {
  for (const number of right) expect([number, isIdNumber(type, number)]).toEqual([number, true]);
  for (const number of wrong) expect([number, isIdNumber(type, number)]).toEqual([number, false]);
});
