/** The main job through the front: two people agree, pay and seal, and the product's own check says what the PDF is. */
import { agree, createDocument, finalize, payAlone, topUp } from '../../src/journey.ts';
import { inspectPdf } from '../../src/pdf.ts';
import { newPerson, type Person } from '../../src/person.ts';

export type Sealed = { owner: Person; guest: Person; id: string; pdf: Uint8Array };

/**
 * @param nth whose phones are used; each once
 * @throws Error when a step is refused, or the PDF is not what it should be
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

/** Has the product and a stranger's tool look at a sealed PDF. @throws Error with what they say unless both call it genuine */
export async function verify(url: string, pdf: Uint8Array): Promise<void> {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(pdf)], { type: 'application/pdf' }), 'final.pdf');
  const response = await fetch(`${url}/api/verify`, { method: 'POST', body: form });
  const said = (await response.json()) as { valid?: boolean };
  if (said.valid !== true) throw new Error(`the check answered ${response.status} ${JSON.stringify(said)}`);
  const { seal } = await inspectPdf(pdf);
  for (const words of ['Signature is Valid', 'Total document signed'])
    if (!seal.includes(words)) throw new Error(`pdfsig does not say "${words}": ${seal}`);
}
