import { agree, createDocument, finalize, payAlone, topUp } from '../../src/journey.ts';
import { inspectPdf } from '../../src/pdf.ts';
import { callerOf, newPerson, part, type Person } from '../../src/person.ts';

export type Sealed = { owner: Person; guest: Person; id: string; pdf: Uint8Array };

/**
 * Does the main job: two people agree, pay and seal.
 * @param nth selects the phone numbers
 * @throws Error if a step is refused, or the PDF does not verify
 */
export async function sealOne(url: string, nth: number): Promise<Sealed> {
  const phone = (who: number) => `+9196000${String(nth * 10 + who).padStart(5, '0')}`;
  const owner = await newPerson(url, 'Meera Nair', phone(1));
  const guest = await newPerson(url, 'Arjun Rao', phone(2));
  const id = await createDocument(owner);
  await agree(owner, guest, id);
  await topUp(url, owner, 100);
  await payAlone(owner, id);
  const pdf = await finalize(owner, id);
  await verify(url, pdf);
  return { owner, guest, id, pdf };
}

/** Verifies a sealed PDF with the product and with pdfsig. @throws Error with their output if one rejects it */
export async function verify(url: string, pdf: Uint8Array): Promise<void> {
  const { body } = await callerOf(url).send('/verify', { file: part(pdf, 'application/pdf', 'final.pdf') });
  if (body['valid'] !== true) throw new Error(`the product rejects the PDF: ${JSON.stringify(body)}`);
  const { seal } = await inspectPdf(pdf);
  for (const words of ['Signature is Valid', 'Total document signed'])
    if (!seal.includes(words)) throw new Error(`pdfsig does not say "${words}": ${seal}`);
}
