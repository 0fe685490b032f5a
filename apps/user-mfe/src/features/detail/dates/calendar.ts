/** The dates of an agreement as a calendar file (RFC 5545): one all-day event each; pure. */

export type CalendarDay = {
  /** The permanent ID of the event: a calendar that imports the file again updates it. */
  uid: string;
  /** `YYYY-MM-DD`. */
  day: string;
  title: string;
  /** The page of the agreement. */
  url: string;
  /** Days before the event for a reminder. */
  remindDays?: number;
};

const LINE_BYTES = 75;

/** @param now the time of creation */
export function calendarFile(days: readonly CalendarDay[], now: Date): string {
  const stamp = `${now.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Karaar//Agreements//EN',
    'CALSCALE:GREGORIAN',
    ...days.flatMap(({ uid, day, title, url, remindDays }) => [
      'BEGIN:VEVENT',
      `UID:${uid}`,
      `DTSTAMP:${stamp}`,
      `DTSTART;VALUE=DATE:${day.replaceAll('-', '')}`,
      // The end is exclusive.
      `DTEND;VALUE=DATE:${dayAfter(day).replaceAll('-', '')}`,
      `SUMMARY:${escapeText(title)}`,
      `URL:${url}`,
      'TRANSP:TRANSPARENT',
      ...(remindDays === undefined
        ? []
        : [
            'BEGIN:VALARM',
            'ACTION:DISPLAY',
            `DESCRIPTION:${escapeText(title)}`,
            `TRIGGER:-P${remindDays}D`,
            'END:VALARM',
          ]),
      'END:VEVENT',
    ]),
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${fold(line)}\r\n`).join('');
}

function dayAfter(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + 1);
  return date.toISOString().slice(0, 10);
}

/** Escapes separators in a text value and removes control characters. */
const escapeText = (text: string): string =>
  text
    .replaceAll(/[\\;,]/g, String.raw`\$&`)
    .replaceAll(/\r\n|\r|\n/g, String.raw`\n`)
    .replaceAll(/[\p{Cc}]/gu, '');

/** Folds lines at 75 bytes without splitting a character; a continuation begins with a blank. */
function fold(line: string): string {
  let folded = '';
  let bytes = 0;
  for (const char of line) {
    const size = new TextEncoder().encode(char).length;
    if (bytes + size > LINE_BYTES) {
      folded += '\r\n ';
      bytes = 1;
    }
    folded += char;
    bytes += size;
  }
  return folded;
}
