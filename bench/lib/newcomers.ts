/** People who register by the public API, as browsers do. */
import { setTimeout as sleep } from 'node:timers/promises';
import { idCardPng } from '@karaar/testing/faces';
import { registrationOf } from '@karaar/testing/registration';
import { signIn, type Payer } from '../faults/people.ts';

const TRIES = 20;

/** Registers somebody with a phone number that nobody has, and signs in. @param url of the gateway */
export async function newcomer(url: string, name: string, phone: string): Promise<Payer> {
  const form = new FormData();
  for (const [field, value] of Object.entries(registrationOf(name, phone))) form.set(field, value);
  const card = new Uint8Array(await idCardPng());
  form.set('govt_id_image', new Blob([card], { type: 'image/png' }), 'id.png');
  for (let left = TRIES; ; left -= 1) {
    const answer = await fetch(`${url}/api/auth/register`, { method: 'POST', body: form });
    const text = await answer.text();
    if (answer.status === 201) return signIn(url, phone);
    // Patient where a part is coming up, as everybody else here.
    if (answer.status !== 503 || left === 0) throw new Error(`registering answered ${answer.status} ${text}`);
    await sleep(200);
  }
}
