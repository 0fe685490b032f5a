import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Screen } from './screen.ts';

/**
 * Lets the downloads of a page go into a folder.
 * @returns waits for one whose name matches, and reads it
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
  session.on('Browser.downloadWillBegin', ({ guid, suggestedFilename }) =>
    names.set(guid, suggestedFilename),
  );
  session.on('Browser.downloadProgress', ({ guid, state }) => {
    if (state === 'completed') done.push(names.get(guid) ?? '');
  });
  return async (pattern) => {
    for (let i = 0; i < 200; i += 1) {
      const name = done.find((each) => pattern.test(each));
      if (name !== undefined) return readFile(join(folder, name));
      await sleep(100);
    }
    throw new Error(`nothing like ${pattern} was downloaded, only ${done.join(', ')}`);
  };
}
