/** The steps of the main job over the public API. Each can be repeated after a lost answer. */
import { setTimeout as sleep } from 'node:timers/promises';
import { docx, textPdf } from '@karaar/testing/made-up/files';
import { idCardPng } from '@karaar/testing/faces/faces';
import { fetchPatiently } from './patience.ts';
import { part, verification, type Part, type Person } from './person.ts';

export const RAW_TEXTS = {
  pdf: 'The rent is ten thousand rupees',
  docx: 'The deposit is returned at the end',
};

export async function documentFields(): Promise<Record<string, string | Part | Part[]>> {
  return {
    name: 'Rent agreement',
    location: 'Pune',
    start_date: '2026-03-01',
    end_date: '2026-03-07',
    description: 'Two rooms',
    page_details: JSON.stringify([{ page_no: 1, description: 'Terms' }]),
    raw_documents: [
      part(await textPdf(RAW_TEXTS.pdf, 'Second page'), 'application/pdf', 'rent.pdf'),
      part(
        docx([RAW_TEXTS.docx]),
        'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
        'deposit.docx',
      ),
      part(await idCardPng('FLOOR PLAN'), 'image/png', 'plan.png'),
    ],
    ...(await verification(1)),
  };
}

export async function createDocument(owner: Person, more: Record<string, string> = {}): Promise<string> {
  const { body } = await owner.send('/documents/create', { ...(await documentFields()), ...more });
  return String(body['document_id']);
}

/** Returns the code by which others find a document. */
export const codeOf = async (owner: Person, id: string): Promise<string> =>
  String((await owner.call('GET', `/documents/${id}`)).body['document_code']);

export const balanceOf = async (person: Person): Promise<number> =>
  Number((await person.call('GET', '/wallet/balance')).body['balance']);

export const invite = (owner: Person, guest: Person, id: string, expected?: readonly number[]) =>
  owner.call(
    'POST',
    '/documents/initiate-agreement',
    { document_id: id, target_user_char_id: guest.charId },
    expected,
  );

/** 409: the answer to an earlier attempt was lost. */
const REPEATABLE = [200, 201, 202, 409];

export async function agree(owner: Person, guest: Person, id: string): Promise<void> {
  await invite(owner, guest, id, REPEATABLE);
  await accept(guest, id);
  await approve(owner, id);
}

/** Approves an agreement as its owner. */
export const approve = (owner: Person, id: string) =>
  owner.call('PUT', `/documents/${id}/approve/${owner.userId}`, undefined, REPEATABLE);

/** Accepts an invitation. */
export async function accept(guest: Person, id: string): Promise<void> {
  const images = await verification(2);
  await guest.send(
    `/documents/${id}/respond-agreement`,
    { response: 'accept', ...images, thumb: images.profile_pic },
    { expected: REPEATABLE },
  );
}

/** Tops up the wallet with the sandbox of the payment provider. @returns the provider's id of the payment */
export async function topUp(url: string, person: Person, rupees: number): Promise<string> {
  const { body } = await person.call('POST', '/wallet/create-razorpay-order', { amount: rupees });
  const order = body['order'] as { id: string };
  const checkout = await fetchPatiently(`${url}/dev/razorpay/pay`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ order_id: order.id, outcome: 'success' }),
  });
  const result = (await checkout.json()) as { razorpay_payment_id: string };
  await person.call('POST', '/wallet/verify-razorpay-payment', result);
  return result.razorpay_payment_id;
}

export async function payAlone(owner: Person, id: string): Promise<void> {
  await bearAlone(owner, id);
  await owner.call('POST', `/payments/document/${id}/pay`, {});
}

/** Assigns the whole price of a document to the owner, without a payment. */
export const bearAlone = (owner: Person, id: string) => share(owner, id, [[owner, 100]], [200, 409]);

/** Distributes the price of a document, in percent. */
export function share(owner: Person, id: string, shares: [Person, number][], expected?: readonly number[]) {
  const payment_distributions = shares.map(([{ userId }, percentage]) => ({ user_id: userId, percentage }));
  const body = { document_id: id, payment_distributions };
  return owner.call('POST', `/payments/document/${id}/setup-distribution`, body, expected);
}

/** Finalizes a document and returns the sealed PDF. @throws Error if that fails or takes more than 90 s */
export async function finalize(owner: Person, id: string, annex?: Part): Promise<Uint8Array> {
  await eventually('the sealing', await sealing(owner, id, annex), { ms: 90_000 });
  return owner.bytes(`/documents/${id}/final-pdf`);
}

/** Finalizes a document. @returns a function that reads whether it is sealed; it throws when that failed */
export async function sealing(owner: Person, id: string, annex?: Part): Promise<() => Promise<boolean>> {
  const fields: Record<string, Part> = annex ? { final_documents: annex } : {};
  await owner.send(`/documents/${id}/finalize`, fields, { method: 'PATCH', expected: REPEATABLE });
  return async () => {
    const { body } = await owner.call('GET', `/documents/${id}`);
    const job = body['finalization'] as { state: string; detail: string | null } | null;
    if (job?.state === 'failed') throw new Error(`sealing ${id} failed: ${job.detail ?? ''}`);
    return body['status'] === 'finalized';
  };
}

/** Waits for a condition, and looks again after `every` milliseconds. @throws Error after `ms`, and that of the condition */
export async function eventually(
  what: string,
  isDone: () => Promise<boolean>,
  { ms = 60_000, every = 300 } = {},
): Promise<void> {
  for (const end = Date.now() + ms; !(await isDone()); await sleep(every))
    if (Date.now() > end) throw new Error(`${what} took longer than ${ms / 1_000} s`);
}
