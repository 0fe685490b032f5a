import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from '@karaar/testing/until';
import type { Screen } from './screen.ts';

/**
 * Lets the downloads of a page go to a folder.
 * @returns a function that waits for a download whose name matches, and reads it
 */
export async function downloads(
  { page }: Screen,
  folder: string,
): Promise<(pattern: RegExp) => Promise<Buffer>> {
  const session = await page.createCDPSession();
  await session.send('Browser.setDownloadBehavior', {
    behavior: 'allow',
    downloadPath: folder,
    browserContextId: page.browserContext().id,
    eventsEnabled: true,
  });
  const names = new Map<string, string>();
  const done: string[] = [];
  session.on('Browser.downloadWillBegin', (begun) => names.set(begun.guid, begun.suggestedFilename));
  session.on('Browser.downloadProgress', ({ guid, state }) => {
    if (state === 'completed') done.push(names.get(guid) ?? '');
  });
  return async (pattern) => {
    const found = () => done.find((name) => pattern.test(name));
    await until(`a download like ${pattern}`, () => found() !== undefined);
    return readFile(join(folder, found() ?? ''));
  };
}
