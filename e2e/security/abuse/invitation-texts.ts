/** Writing to any phone by inviting its owner under a name of one's choice. */
import { setTimeout as sleep } from 'node:timers/promises';
import { documentFields } from '../../src/journey.ts';
import { newPerson } from '../../src/person.ts';
import { freshPhone } from '../../src/signed-in.ts';
import type { Finding, ProductCheck, Target } from '../check.ts';

/** What a thief would like to have sent in our name, each in the name of a person or of a document. */
const LURES = ['Win at evil.example', 'https://evil.example/pay', 'bit.ly/x1', 'Call +91 99999 99999'];
/** Everything that looks like another person's address or number. */
const ADDRESS = /https?:|www\.|\b[a-z0-9-]+\.[a-z]{2,}\b|\+?\d[\d -]{8,}\d/i;
const WAIT_MS = 20_000;

type Text = { text: string };

async function inboxOf(url: string, phone: string, count: number): Promise<Text[]> {
  const end = Date.now() + WAIT_MS;
  for (;;) {
    const answer = await fetch(`${url}/dev/sms?phone_no=${encodeURIComponent(phone)}`);
    const texts = ((await answer.json()) as Text[]).filter(({ text }) => text.includes('/document/'));
    if (texts.length >= count || Date.now() > end) return texts;
    await sleep(300);
  }
}

async function tryTexts({ url }: Target): Promise<Finding[]> {
  const guest = await newPerson(url, 'Texts Shah', freshPhone());
  const found: Finding[] = [];
  for (const [at, lure] of LURES.entries()) {
    const host = await newPerson(url, lure, freshPhone());
    const { body } = await host.send('/documents/create', { ...(await documentFields()), name: lure });
    const id = String(body['document_id']);
    const invitation = { target_user_char_id: guest.charId };
    await host.call('POST', `/documents/${id}/add-user`, invitation);
    const texts = await inboxOf(url, guest.phone, at + 1);
    const [text] = texts.filter((one) => one.text.includes(id)).map((one) => one.text);
    if (text === undefined) {
      found.push({ where: lure, what: 'no text message has come', undecided: true });
      continue;
    }
    const foreign = text.replace(/https?:\/\/\S*\/document\/[0-9a-f-]{36}/, '');
    if (foreign.includes(lure) || ADDRESS.test(foreign))
      found.push({ where: `an invitation by '${lure}'`, what: 'carries words of the stranger' });
  }
  return found;
}

export const invitationTexts: ProductCheck = {
  name: 'invitation-texts',
  holds: 'a text message of ours carries no word and no address of a stranger',
  run: tryTexts,
};
