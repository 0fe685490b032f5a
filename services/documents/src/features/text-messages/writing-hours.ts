/** The hours for messages that can wait: daytime in India. */
const HOURS = { from: 9, until: 20 };
const OFFSET_MS = 5.5 * 60 * 60 * 1_000;

export function inIndia(now: Date): { today: string; hour: number } {
  const parts = new Date(now.getTime() + OFFSET_MS).toISOString();
  return { today: parts.slice(0, 10), hour: Number(parts.slice(11, 13)) };
}

export function isWritingHour(now: Date): boolean {
  const { hour } = inIndia(now);
  return hour >= HOURS.from && hour < HOURS.until;
}
