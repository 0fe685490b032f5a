/** People who register by the public API, as browsers do. */
import { idCardPng } from '@karaar/testing/faces/faces';
import { registrationOf } from '@karaar/testing/people/registration';
import { patientClient, signIn, type Payer } from '../faults/people.ts';

/**
 * Registers a user with a phone number that no other user has, and signs in.
 *
 * @param url of the gateway
 * @param inbox where text messages are read, as `signIn` takes it
 */
export async function newcomer(url: string, name: string, phone: string, inbox = url): Promise<Payer> {
  await register(url, name, phone);
  return signIn(url, phone, inbox);
}

/** Registers, patient where a part is coming up. The same phone again is taken for a lost answer. */
export async function register(url: string, name: string, phone: string): Promise<void> {
  const form = new FormData();
  for (const [field, value] of Object.entries(registrationOf(name, phone))) form.set(field, value);
  const card = new Uint8Array(await idCardPng());
  form.set('govt_id_image', new Blob([card], { type: 'image/png' }), 'id.png');
  const { status, body } = await patientClient(() => `${url}/api`, {})('POST', '/auth/register', form);
  if (status !== 201 && status !== 409)
    throw new Error(`registering answered ${status} ${JSON.stringify(body)}`);
}
