/** Load on documents that are not sealed yet: early uploads, drafts, withdrawals. */
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { textPdf } from '@karaar/testing/made-up/files';
import { acceptForm, documentForm } from '../agreements.ts';
import { patientClient, type Payer } from '../people.ts';
import type { OtherLoad } from './others.ts';

const CHECKED_MS = 120_000;

/** A call with a form that is repeated under one key, as the app does. @returns what it answered */
export async function sendOnce(
  url: string,
  who: Payer,
  key: string,
  [method, path]: readonly ['POST' | 'PUT', string],
  form: FormData,
): Promise<Record<string, unknown>> {
  const call = patientClient(() => `${url}/api`, { ...who.headers, 'idempotency-key': key });
  const { status, body } = await call(method, path, form);
  if (status !== 200 && status !== 201)
    throw new Error(`${method} ${path} answered ${status} ${JSON.stringify(body)}`);
  return body;
}

export const pdfFile = async (text: string): Promise<Blob> =>
  new Blob([new Uint8Array(await textPdf(text))], { type: 'application/pdf' });

/** Sends a file before its form, keeps a draft of it and changes that; every third file is thrown away instead. */
export function drafter({ url, owner, told }: OtherLoad, isOver: () => boolean) {
  return async (round: number): Promise<void> => {
    const sent = new FormData();
    sent.append('file', await pdfFile(`Early file ${round}`), 'early.pdf');
    const answer = await owner.call('POST', '/documents/uploads', sent);
    if (answer.status !== 201) throw new Error(`an early file answered ${answer.status}`);
    const upload = String(answer.body['upload_id']);
    if (round % 3 === 2) {
      // 404: it is gone already, and the answer was lost.
      const { status } = await owner.call('DELETE', `/documents/uploads/${upload}`);
      if (status !== 200 && status !== 404) throw new Error(`throwing a file away answered ${status}`);
    } else {
      await checked(owner, upload, isOver);
      const name = `Draft ${round}`;
      const form = new FormData();
      form.append('name', name);
      form.append('save_as_draft', 'true');
      form.append('uploads', JSON.stringify([upload]));
      const created = await sendOnce(url, owner, `draft-${round}`, ['POST', '/documents/create'], form);
      const id = String(created['document_id']);
      told.drafts.set(id, name);
      const change = new FormData();
      change.append('name', `${name} changed`);
      await sendOnce(url, owner, `redraft-${round}`, ['PUT', `/documents/${id}`], change);
      told.drafts.set(id, `${name} changed`);
    }
    await sleep(randomInt(300, 1_500));
  };
}

/** Waits until an early file can be used. Throws when it is refused or takes too long. */
async function checked(owner: Payer, upload: string, isOver: () => boolean): Promise<void> {
  for (const until = Date.now() + CHECKED_MS; !isOver();) {
    const { body } = await owner.call('GET', `/documents/uploads/${upload}`);
    if (body['state'] === 'ready') return;
    if (body['state'] !== 'checking') throw new Error(`an early file is ${JSON.stringify(body)}`);
    if (Date.now() > until) throw new Error(`an early file was not ready in ${CHECKED_MS / 1_000} s`);
    await sleep(300);
  }
}

/** Creates an agreement, which the guest accepts and leaves. */
export function leaver({ url, owner, guest, told }: OtherLoad) {
  return async (round: number): Promise<void> => {
    const create = ['POST', '/documents/create'] as const;
    const form = await documentForm(`Left ${round}`);
    const created = await sendOnce(url, owner, `left-${round}`, create, form);
    const id = String(created['document_id']);
    // 409: invited when its answer was lost.
    const invited = await owner.call('POST', '/documents/initiate-agreement', {
      document_id: id,
      target_user_char_id: guest.charId,
    });
    if (![200, 201, 409].includes(invited.status)) throw new Error(`inviting answered ${invited.status}`);
    const answer = ['POST', `/documents/${id}/respond-agreement`] as const;
    await sendOnce(url, guest, `accept-left-${round}`, answer, await acceptForm());
    const { status, body } = await guest.call('POST', `/documents/${id}/withdraw`, { reason: 'Moving away' });
    // 403 and 404: the guest is gone already, and the answer was lost.
    if (![200, 403, 404, 409].includes(status))
      throw new Error(`leaving answered ${status} ${JSON.stringify(body)}`);
    told.left.add(id);
    await sleep(randomInt(500, 2_000));
  };
}
