/** Inviting people to get at their phone and e-mail, or to write to them without end. */
import { setTimeout as sleep } from 'node:timers/promises';
import { agree, documentFields } from '../../src/journey.ts';
import { callerOf, newPerson, type Person } from '../../src/person.ts';
import { freshPhone } from '../../src/signed-in.ts';
import type { Finding, ProductCheck, Target } from '../check.ts';

/** What the run's product lets one user invite within a day (`main.ts`). */
export const INVITATIONS = 20;
/** And to how many strangers one user may write within an hour. */
export const STRANGERS = 4;
/** In which the events of an invitation are everywhere. */
const SETTLED_MS = 3_000;

const invite = (host: Person, id: string, guest: Person) =>
  host.once('POST', `/documents/${id}/add-user`, { target_user_char_id: guest.charId });

/** What one is shown of another: in the directory and in the chat. */
async function contactsSeen(viewer: Person, other: Person): Promise<string> {
  const answers = await Promise.all(
    [`/users/${other.userId}`, `/messaging/people/${other.userId}`].map((path) => viewer.call('GET', path)),
  );
  const { body } = await viewer.call('GET', `/users/all?search=${encodeURIComponent(other.name)}&limit=100`);
  return JSON.stringify([...answers.map((answer) => answer.body), body]);
}

async function tryContacts({ url }: Target): Promise<Finding[]> {
  const tail = String(Date.now()).slice(-7);
  const [host, guest, party] = await Promise.all([
    newPerson(url, `Host ${tail}`, freshPhone()),
    newPerson(url, `Guest ${tail}`, freshPhone()),
    newPerson(url, `Party ${tail}`, freshPhone()),
  ]);
  const { body } = await host.send('/documents/create', await documentFields());
  const id = String(body['document_id']);
  await invite(host, id, guest);
  // Whoever has accepted is shown: then the events before it have arrived as well.
  await agree(host, party, id);
  const found: Finding[] = [];
  const end = Date.now() + SETTLED_MS;
  const email = await emailOf(guest);
  let acquainted = false;
  while (Date.now() < end || (!acquainted && Date.now() < end + 20_000)) {
    acquainted ||= (await contactsSeen(host, party)).includes(party.phone);
    for (const [viewer, other] of [
      [host, guest],
      [guest, host],
      [party, guest],
    ] as const) {
      const seen = await contactsSeen(viewer, other);
      if (seen.includes(other.phone) || (other === guest && seen.includes(email)))
        return [
          { where: `${viewer.name} looks at ${other.name}`, what: 'an invitation shows phone or e-mail' },
        ];
    }
    await sleep(200);
  }
  if (!acquainted) found.push({ where: 'a party that has accepted', what: 'is not shown', undecided: true });
  return [...found, ...(await tryChat(url, host, guest)), ...(await tryFlood(host, guest, id))];
}

/** As its owner alone sees it whole. */
const emailOf = async (person: Person): Promise<string> =>
  String((await person.call('GET', '/users/profile')).body['email']);

/** Writes to as many strangers as a user may, and then to a user who was only invited. */
async function tryChat(url: string, host: Person, guest: Person): Promise<Finding[]> {
  const write = async (to: Person) =>
    (await host.once('POST', '/messaging/send', { receiver_id: to.userId, content: 'Hello' })).status;
  const strangers: Person[] = [];
  for (let nth = 0; nth < STRANGERS; nth += 1) {
    const stranger = await newPerson(url, `Stranger ${nth}`, freshPhone());
    strangers.push(stranger);
    const status = await write(stranger);
    if (status !== 201)
      return [
        { where: 'messaging/send', what: `stranger ${nth + 1} of ${STRANGERS}: ${status}`, undecided: true },
      ];
  }
  const guessed = await Promise.all(strangers.map((stranger) => tryGuess(host, stranger)));
  const status = await write(guest);
  return status === 429
    ? guessed.flat()
    : [{ where: 'messaging/send', what: `an invitation is a way around the limit of strangers (${status})` }];
}

/** Guesses at a masked number in the chat list: a wrong one that looks like it must be found as the right one is. */
async function tryGuess(host: Person, stranger: Person): Promise<Finding[]> {
  const isFound = async (phone: string) => {
    const { body } = await host.call('GET', `/messaging/conversations?search=${encodeURIComponent(phone)}`);
    return JSON.stringify(body).includes(stranger.userId);
  };
  const wrong = `+91600000${stranger.phone.slice(-4)}`;
  return (await isFound(stranger.phone)) === (await isFound(wrong))
    ? []
    : [{ where: 'messaging/conversations', what: 'a search confirms a guess at a masked phone number' }];
}

/** More invitations than one may send; the admins must hear of it. */
async function tryFlood(host: Person, guest: Person, id: string): Promise<Finding[]> {
  for (let sent = 0; sent <= INVITATIONS; sent += 1) {
    await host.once('DELETE', `/documents/${id}/remove-user/${guest.userId}`);
    const { status } = await invite(host, id, guest);
    if (status === 429) return [];
  }
  return [{ where: 'add-user', what: `${INVITATIONS + 1} invitations of one user went out` }];
}

async function tryReport({ url, token }: Target): Promise<Finding[]> {
  const admin = callerOf(url, await token('admin'));
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const { body } = await admin.once('GET', '/admin/reports?status=open');
    if (JSON.stringify(body).includes('"reason":"invitations"')) return [];
    await sleep(200);
  }
  return [{ where: 'admin/reports', what: 'the admins are not told of a flood of invitations' }];
}

export const contacts: ProductCheck = {
  name: 'contacts',
  holds:
    'an invitation shows nobody’s phone or e-mail and opens no chat, and one user’s invitations end, with the admins told',
  run: async (target) => [...(await tryContacts(target)), ...(await tryReport(target))],
};
