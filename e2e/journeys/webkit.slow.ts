/** The main job in WebKit, which Safari has: signing in, capture, reading, approving, paying, the seal and chat. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { textPdf } from '@karaar/testing/made-up/files';
import { playPictures } from '@karaar/testing/servers/firefox';
import { launchWebKit } from '@karaar/testing/servers/webkit';
import { until } from '@karaar/testing/until';
import { codeTo } from '../src/browser/api-calls.ts';
import { frames } from '../src/browser/cameras.ts';
import { say } from '../src/chat.ts';
import { accept, topUp } from '../src/journey.ts';
import { newPerson } from '../src/person.ts';
import { sharedProduct } from '../src/shared-product/index.ts';
import { newFolder } from '../src/test-file.ts';

jest.setTimeout(300_000);

const { url } = sharedProduct;
const folder = await newFolder();
const [owner, guest] = await Promise.all([newPerson(url, 'Asha Rao'), newPerson(url, 'Vikram Shah')]);
const page = await launchWebKit({ width: 500, height: 900 });
afterAll(() => page.close());

const text = () => page.run(() => document.body.innerText);
const sees = (wanted: string, timeoutMs = 30_000) =>
  until(
    `the page shows '${wanted}'`,
    async () => {
      const shown = await text();
      if (!shown.includes(wanted)) throw new Error(shown);
      return true;
    },
    timeoutMs,
  );
/** Presses the control whose text ends with this name: a step begins with its number. */
const press = (name: string) => {
  const end = `substring(normalize-space(), string-length(normalize-space()) - ${name.length - 1}) = "${name}"`;
  return page.click(`//*[self::button or self::a][${end} or @aria-label="${name}"][not(@disabled)]`);
};
const fill = (label: string, value: string) =>
  page.type(`//input[@id=//label[starts-with(normalize-space(), "${label}")]/@for]`, value);

/** Takes and submits a photo. */
async function photograph(photo: string): Promise<void> {
  await sees(`Capture your ${photo} photo`);
  await press('Capture');
  await press('Submit Photo');
}

async function sign(): Promise<void> {
  await until('the pad is ready', () =>
    page.run(() => document.querySelector('[role=dialog] canvas[aria-busy="false"]') !== null),
  );
  const box = await page.run(() => {
    const canvas = document.querySelector('[role=dialog] canvas');
    canvas?.scrollIntoView({ block: 'center' });
    const { x = 0, y = 0, width = 0, height = 0 } = canvas?.getBoundingClientRect() ?? {};
    return { x, y, width, height };
  });
  const points = Array.from({ length: 10 }, (_, at) => ({
    x: Math.round(box.x + box.width * (0.15 + at * 0.07)),
    y: Math.round(box.y + box.height * (0.6 + 0.2 * Math.sin(at))),
  }));
  await page.draw(points);
}

it('signs in, makes an agreement with a photo of face and eye and a signature, reads, approves, pays and seals it', async () => {
  await page.goto(`${url}/login`);
  await fill('Phone number', owner.phone.slice(3));
  // A new account has just requested a code over the API.
  await until(
    'the code is sent',
    async () => {
      await press('Send OTP');
      await sees('Send again in', 3_000);
      return true;
    },
    60_000,
  );
  await fill('One-time code (OTP)', await codeTo(url, owner.phone));
  await sees('All Documents');

  const lease = join(folder, 'lease.pdf');
  await writeFile(lease, await textPdf('The rent is ten thousand rupees', 'The second page says more'));
  await page.goto(`${url}/document/create`);
  await page.run(
    playPictures,
    (await frames({ width: 1280, height: 720 })).map(
      (frame) => `data:image/jpeg;base64,${frame.toString('base64')}`,
    ),
  );
  await fill('Document name', 'Orchard lease');
  await page.type('//input[@name="raw_documents"]', lease);
  await sees('lease.pdf');
  await press('People');
  await fill('User ID of the other party', guest.charId);
  await sees('This is Vikram Shah.');
  await press('Sign');
  await press('Create Agreement');
  await photograph('profile');
  await photograph('eye');
  await sees('Document Verification Required');
  await sign();
  await press('Complete Verification');
  await sees('Your document code', 60_000);
  let id = '';
  await until('the document is open', async () => {
    const path = await page.run(() => location.pathname);
    id = /^\/document\/([0-9a-f-]{36})$/.exec(path)?.[1] ?? '';
    return id !== '';
  });
  await accept(guest, id);

  await page.goto(`${url}/document/${id}`);
  await sees('Page 1 of 2');
  await press('Approve Document');
  await sees('Document approved');
  await topUp(url, owner, 100);
  await page.goto(`${url}/document/${id}`);
  await press('Pay from Wallet');
  await press('Pay ₹1');
  await sees('Paid', 60_000);
  await press('Finalize Document');
  await press('Continue');
  await sees('This document is finalized and can no longer be changed.', 120_000);
});

it('shows a message that arrives, and sends one', async () => {
  await say(guest, owner, 'When do we meet?');
  await page.goto(`${url}/chat/${guest.userId}`);
  await sees('When do we meet?');
  await page.type('//textarea', 'At nine.');
  await press('Send');
  await sees('Sent');
});
