/** Uses invitations to read phones and e-mails, and to send messages without limit. */
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@karaar/testing/until';
import { agree, createDocument } from '../../src/journey.ts';
import { callerOf, newPerson, type Person } from '../../src/person.ts';
import { freshPhone } from '../../src/signed-in.ts';
import type { Finding, ProductCheck, Target } from '../check.ts';

/** The limits of the run's product: invitations of a user per day, strangers to whom a user writes per hour. */
export const [INVITATIONS, STRANGERS] = [20, 4];
/** By then the events of an invitation have arrived everywhere. */
const SETTLED_MS = 3_000;
const ACQUAINTED_MS = 20_000;

const invite = (host: Person, id: string, guest: Person) =>
  host.once('POST', `/documents/${id}/add-user`, { target_user_char_id: guest.charId });

/** Returns all data of another user in the directory and the chat. */
async function contactsSeen(viewer: Person, { userId, name }: Person): Promise<string> {
  const search = `/users/all?search=${encodeURIComponent(name)}&limit=100`;
  const paths = [`/users/${userId}`, `/messaging/people/${userId}`, search];
  return JSON.stringify(await Promise.all(paths.map(async (path) => (await viewer.call('GET', path)).body)));
}

async function tryContacts({ url }: Target): Promise<Finding[]> {
  const tail = String(Date.now()).slice(-7);
  const [host, guest, party] = await Promise.all([
    newPerson(url, `Host ${tail}`, freshPhone()),
    newPerson(url, `Guest ${tail}`, freshPhone()),
    newPerson(url, `Party ${tail}`, freshPhone()),
  ]);
  const id = await createDocument(host);
  await invite(host, id, guest);
  // The host sees the data of a party that has accepted: then the earlier events have arrived as well.
  await agree(host, party, id);
  const found: Finding[] = [];
  const begun = Date.now();
  const email = String((await guest.call('GET', '/users/profile')).body['email']);
  const pairs = [
    { viewer: host, other: guest, secrets: [guest.phone, email] },
    { viewer: party, other: guest, secrets: [guest.phone, email] },
    { viewer: guest, other: host, secrets: [host.phone] },
  ];
  for (let isSeen = false; !isSeen || Date.now() < begun + SETTLED_MS; await sleep(200)) {
    isSeen ||= (await contactsSeen(host, party)).includes(party.phone);
    if (!isSeen && Date.now() > begun + ACQUAINTED_MS) {
      found.push({ where: 'a party that has accepted', what: 'is not shown', undecided: true });
      break;
    }
    for (const { viewer, other, secrets } of pairs) {
      const seen = await contactsSeen(viewer, other);
      if (secrets.some((secret) => seen.includes(secret)))
        return [
          { where: `${viewer.name} looks at ${other.name}`, what: 'an invitation shows phone or e-mail' },
        ];
    }
  }
  return [...found, ...(await tryChat(url, host, guest)), ...(await tryFlood(host, guest, id))];
}

/** Writes to as many strangers as a user may, and then to a user who was only invited. */
async function tryChat(url: string, host: Person, guest: Person): Promise<Finding[]> {
  const where = 'messaging/send';
  const write = async (to: Person) =>
    (await host.once('POST', '/messaging/send', { receiver_id: to.userId, content: 'Hello' })).status;
  const found: Finding[] = [];
  for (let nth = 1; nth <= STRANGERS; nth += 1) {
    const stranger = await newPerson(url, `Stranger ${nth}`, freshPhone());
    const status = await write(stranger);
    if (status !== 201)
      return [{ where, what: `stranger ${nth} of ${STRANGERS}: ${status}`, undecided: true }];
    found.push(...(await tryGuess(host, stranger)));
  }
  const status = await write(guest);
  if (status !== 429) found.push({ where, what: `an invitation avoids the limit of strangers (${status})` });
  return found;
}

/** Searches the chat list by a masked number: a wrong guess must give the same result as the right one. */
async function tryGuess(host: Person, stranger: Person): Promise<Finding[]> {
  const isFound = async (phone: string) => {
    const { body } = await host.call('GET', `/messaging/conversations?search=${encodeURIComponent(phone)}`);
    return JSON.stringify(body).includes(stranger.userId);
  };
  const wrong = `+91600000${stranger.phone.slice(-4)}`;
  if ((await isFound(stranger.phone)) === (await isFound(wrong))) return [];
  return [{ where: 'messaging/conversations', what: 'a search confirms a guess at a masked phone number' }];
}

async function tryFlood(host: Person, guest: Person, id: string): Promise<Finding[]> {
  for (let sent = 0; sent <= INVITATIONS; sent += 1) {
    await host.once('DELETE', `/documents/${id}/remove-user/${guest.userId}`);
    const { status } = await invite(host, id, guest);
    if (status === 429) return [];
  }
  return [{ where: 'add-user', what: `${INVITATIONS + 1} invitations of one user were sent` }];
}

/** The admins must get a report of the flood. */
async function tryReport({ url, token }: Target): Promise<Finding[]> {
  const admin = callerOf(url, await token('admin'));
  const isReported = async () => {
    const { body } = await admin.once('GET', '/admin/reports?status=open');
    return JSON.stringify(body).includes('"reason":"invitations"');
  };
  const fault = { where: 'admin/reports', what: 'the admins get no report of a flood of invitations' };
  return until('the report', isReported, 10_000).then(
    () => [],
    () => [fault],
  );
}

export const contacts: ProductCheck = {
  name: 'contacts',
  holds:
    'an invitation shows no phone or e-mail and opens no chat; invitations are limited, and the admins get a report',
  run: async (target) => [...(await tryContacts(target)), ...(await tryReport(target))],
};
