/** The dates of an agreement as a calendar file (RFC 5545): whole days, each an event of its own; pure. */

export type CalendarDay = {
  /** Names the event forever: a calendar that is given the file again changes it. */
  uid: string;
  /** `YYYY-MM-DD`. */
  day: string;
  title: string;
  /** Where it is read. */
  url: string;
  /** Days before it at which calendars remind. */
  remindDays?: number;
};

const LINE_BYTES = 75;

/** @param now when the file is made */
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
      // The end is the first day that is not part of it.
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

/** A text value: what separates or ends values is escaped, other control characters are left out. */
const escapeText = (text: string): string =>
  text
    .replaceAll(/[\\;,]/g, String.raw`\$&`)
    .replaceAll(/\r\n|\r|\n/g, String.raw`\n`)
    .replaceAll(/[\p{Cc}]/gu, '');

/** Lines of at most 75 bytes, no character cut; a line goes on after a blank. */
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
