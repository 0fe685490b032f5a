import fc from 'fast-check';
import {
  badgeCount,
  coins,
  fileSize,
  fileSizeMb,
  formatDate,
  formatDateTime,
  grouped,
  initials,
  money,
  shortMoney,
  userName,
} from './format.ts';
import { uiTexts } from '../texts.ts';

beforeAll(() => uiTexts.load());

describe('money', () => {
  it('uses Indian grouping and two decimals', () => {
    expect(money(100_000)).toBe('₹1,00,000.00');
    expect(money(0.5)).toBe('₹0.50');
    expect(money(-7)).toBe('−₹7.00');
    expect(coins(1250.5)).toBe('1,250.50');
  });

  it('omits needless decimals where the spec does', () => {
    expect(shortMoney(1)).toBe('₹1');
    expect(shortMoney(7.5)).toBe('₹7.50');
  });

  it('shows every amount of paise exactly', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000_000_00 }), (paise) => {
        const digits = money(paise / 100).replace(/[₹,.]/g, '');
        expect(Number(digits)).toBe(paise);
      }),
    );
  });
});

describe('dates', () => {
  it('are in India time', () => {
    expect(formatDate('2026-11-20T20:00:00Z')).toBe('21 Nov 2026');
    expect(formatDateTime('2026-11-20T20:00:00Z')).toMatch(/^21 Nov 2026, 1:30\sam$/);
  });

  it('are empty for a missing date', () => {
    expect([formatDate(null), formatDate(''), formatDate('soon'), formatDateTime(undefined)]).toEqual([
      '',
      '',
      '',
      '',
    ]);
  });
});

describe('texts', () => {
  it('[LIMIT-006] file sizes are in KB or MB', () => {
    expect(fileSize(2_048)).toBe('2.0 KB');
    expect(fileSize(300 * 1024)).toBe('300 KB');
    expect(fileSize(1.5 * 1024 * 1024)).toBe('1.50 MB');
    expect(fileSizeMb(52_429)).toBe('0.05 MB');
  });

  it('[LAYOUT-007] the unread badge is capped at 99+', () => {
    expect([0, 1, 99, 100, 5_000].map(badgeCount)).toEqual(['', '1', '99', '99+', '99+']);
  });

  it("[ERROR-046] a user name with no value is 'Unknown User'", () => {
    expect([null, undefined, '', '  ', 'Asha'].map(userName)).toEqual([
      'Unknown User',
      'Unknown User',
      'Unknown User',
      'Unknown User',
      'Asha',
    ]);
  });

  it('codes are grouped 4-4, initials are two', () => {
    expect(grouped('9H4TR2WK')).toBe('9H4T R2WK');
    expect(['Asha Rao', 'आशा', ' a  b c '].map(initials)).toEqual(['AR', 'आ', 'AC']);
  });
});
