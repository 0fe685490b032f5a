import { calendarFile } from './calendar.ts';

const NOW = new Date('2026-11-25T07:30:00.123Z');
const day = { uid: 'd-end@karaar', day: '2026-12-31', title: 'Lease ends', url: 'https://k/document/d' };
const unfolded = (file: string) => file.replaceAll('\r\n ', '').split('\r\n');

it('has each date as an all-day event that ends on the next day, over a year’s end', () => {
  expect(unfolded(calendarFile([{ ...day, remindDays: 30 }], NOW))).toEqual([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Karaar//Agreements//EN',
    'CALSCALE:GREGORIAN',
    'BEGIN:VEVENT',
    'UID:d-end@karaar',
    'DTSTAMP:20261125T073000Z',
    'DTSTART;VALUE=DATE:20261231',
    'DTEND;VALUE=DATE:20270101',
    'SUMMARY:Lease ends',
    'URL:https://k/document/d',
    'TRANSP:TRANSPARENT',
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    'DESCRIPTION:Lease ends',
    'TRIGGER:-P30D',
    'END:VALARM',
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ]);
});

it('lets no document name inject lines or properties', () => {
  const file = calendarFile(
    [{ ...day, title: 'a;b,c\\d\r\nURL:https://evil.example\nEND:VCALENDAR\u0007' }],
    NOW,
  );
  expect(unfolded(file)).toContain(String.raw`SUMMARY:a\;b\,c\\d\nURL:https://evil.example\nEND:VCALENDAR`);
  expect(unfolded(file).filter((line) => line.startsWith('URL:'))).toEqual(['URL:https://k/document/d']);
});

it('folds long lines at 75 bytes without splitting a character of any script', () => {
  const title = 'कोथरूड के फ़्लैट का किराया करार 🏠 '.repeat(8);
  const file = calendarFile([{ ...day, title }], NOW);
  for (const line of file.split('\r\n')) {
    expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    expect(line).not.toContain('\uFFFD');
  }
  expect(unfolded(file)).toContain(`SUMMARY:${title}`);
});
