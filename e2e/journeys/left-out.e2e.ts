/** A digital signature in an uploaded file is lost: sender, other party and certificate show that. */
import { jest } from '@jest/globals';
import { signedPdf, textPdf } from '@karaar/testing/made-up/files';
import { overflow } from '../screens/camera.ts';
import { agree, finalize } from '../src/journey.ts';
import { inspectPdf } from '../src/pdf.ts';
import { startSending } from '../src/sending.ts';

jest.setTimeout(240_000);

const TOLD =
  'Not in the sealed pages: digital signatures (where one shows on a page, that is only its picture).';

const sending = await startSending({
  'deed.pdf': signedPdf('Sale deed No. 4711'),
  'terms.pdf': await textPdf('Paid by the fifth'),
});

it('a lost signature is shown to the sender, to the other party before the approval, and on the certificate', async () => {
  const { onPhone: sender, onDesktop: reader } = sending;
  const { screen, person } = sender;
  const { page, press, sees } = screen;
  const file = (name: string) => sending.choose(screen, name);
  await sending.begin(sender, reader, 'Sale of flat 4');
  await file('deed.pdf');
  await sees('Some parts of deed.pdf cannot be sealed.');
  await sees(TOLD);
  expect(await overflow(page)).toBe(0);

  // The form cannot be sent without an answer; the user can remove the file.
  await press('Sign');
  await press('Create Agreement');
  await sees('Please look at the parts that cannot be sealed. Accept that, or choose another file.');
  await press('Look and decide: deed.pdf');
  await sees('Seal it without these parts?');
  await press('Remove this file');
  await screen.gone('deed.pdf');

  await file('terms.pdf');
  await file('deed.pdf');
  await press('Look and decide: deed.pdf');
  await press('Accept');
  await sees('You accepted: deed.pdf is sealed without these parts.');
  const path = await sending.create(screen);

  await reader.screen.goto(path);
  await reader.screen.sees(TOLD);
  await reader.screen.sees(`${person.name} accepted that on`);
  expect(await overflow(reader.screen.page)).toBe(0);

  const id = path.split('/').at(-1) ?? '';
  await agree(sender.person, reader.person, id);
  const { text } = await inspectPdf(await finalize(sender.person, id));
  const said = text.replace(/\s+/g, ' ');
  expect(said).toContain('Signature valid');
  expect(said).toContain('Not in the sealed pages: digital signatures');
  expect(said).toMatch(/Meera Nair accepted that, \d+ \w+ \d{4}/);
});
