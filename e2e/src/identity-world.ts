import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { idCardPng } from '@karaar/testing/faces/faces';
import { codeTo } from './person.ts';
import { newFolder, openBrowser } from './test-file.ts';

export const ID_IMAGE = 'input[name=govt_id_image]';

/** Opens a browser, and writes a picture of an ID card to the path `idCard`. */
export async function identityWorld() {
  const world = await openBrowser();
  const idCard = join(await newFolder(), 'id.png');
  await writeFile(idCard, await idCardPng());
  return { world, idCard, codeTo: (phone: string) => codeTo(world.url, phone) };
}
