/** Sends a text of the attacker's choice to any phone by inviting its owner. */
import { until } from '@karaar/testing/until';
import { documentFields } from '../../src/journey.ts';
import { newPerson } from '../../src/person.ts';
import { freshPhone } from '../../src/signed-in.ts';
import type { Finding, ProductCheck, Target } from '../check.ts';

/** Each is the name of a person and of a document. */
const LURES = ['Win at evil.example', 'https://evil.example/pay', 'bit.ly/x1', 'Call +91 99999 99999'];
/** Addresses and phone numbers. */
const ADDRESS = /https?:|www\.|\b[a-z0-9-]+\.[a-z]{2,}\b|\+?\d[\d -]{8,}\d/i;

async function tryTexts({ url }: Target): Promise<Finding[]> {
  const guest = await newPerson(url, 'Texts Shah', freshPhone());
  const found: Finding[] = [];
  for (const lure of LURES) {
    const host = await newPerson(url, lure, freshPhone());
    const { body } = await host.send('/documents/create', { ...(await documentFields()), name: lure });
    const id = String(body['document_id']);
    await host.call('POST', `/documents/${id}/add-user`, { target_user_char_id: guest.charId });
    let text: string | undefined;
    const arrived = until('the invitation has arrived', async () => {
      const inbox = await fetch(`${url}/dev/sms?phone_no=${encodeURIComponent(guest.phone)}`);
      const texts = ((await inbox.json()) as { text: string }[]).map((one) => one.text);
      text = texts.find((one) => one.includes(`/document/${id}`));
      return text !== undefined;
    });
    await arrived.catch((error: unknown) =>
      found.push({ where: lure, what: String(error), undecided: true }),
    );
    const foreign = (text ?? '').replace(/https?:\/\/\S*\/document\/[0-9a-f-]{36}/, '');
    if (foreign.includes(lure) || ADDRESS.test(foreign))
      found.push({ where: `an invitation by '${lure}'`, what: 'contains words or addresses of the sender' });
  }
  return found;
}

export const invitationTexts: ProductCheck = {
  name: 'invitation-texts',
  holds: 'invitations by SMS contain no words or addresses of the sender',
  run: tryTexts,
};
