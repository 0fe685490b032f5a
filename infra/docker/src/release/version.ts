const VERSION = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/;
const UNRELEASED = '## [Unreleased]';

/** @throws Error unless `wanted` is `MAJOR.MINOR.PATCH` and later than `present` */
export function checkNext(present: string, wanted: string): void {
  if (!VERSION.test(wanted)) throw new Error(`A version is three numbers, such as 1.2.0; not ${wanted}`);
  if (wanted.localeCompare(present, 'en', { numeric: true }) <= 0)
    throw new Error(`${wanted} is not later than ${present}`);
}

/**
 * Returns the changelog with the unreleased section under the version's title.
 * @throws Error if it is empty
 */
export function closeChangelog(text: string, version: string, day: string): string {
  if (text.includes(`\n## [${version}]`)) throw new Error(`The changelog has ${version} already`);
  if (notesOf(text, 'Unreleased') === '') throw new Error(`The changelog has nothing under "${UNRELEASED}"`);
  return text.replace(UNRELEASED, `${UNRELEASED}\n\n## [${version}] - ${day}`);
}

/** Returns the changelog's section for a version, or an empty text. */
export function notesOf(text: string, version: string): string {
  const parts = text.split(/^## /m).slice(1);
  const found = parts.find((part) => part.startsWith(`[${version}]`));
  return (found ?? '').split('\n').slice(1).join('\n').trim();
}
