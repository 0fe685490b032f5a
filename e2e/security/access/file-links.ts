/** Opens links to files after the session has ended, or after the party was removed. */
import { setTimeout as sleep } from 'node:timers/promises';
import { agree, createDocument } from '../../src/journey.ts';
import { newPerson, verification, type Person } from '../../src/person.ts';
import { freshPhone } from '../../src/signed-in.ts';
import type { Finding, ProductCheck, Target } from '../check.ts';

/** A logout takes effect everywhere within a second. */
const OVER_AFTER_MS = 1_500;

/** Returns a link of each service with files. */
async function linksOf(owner: Person, other: Person): Promise<Record<string, string>> {
  const profile = await owner.call('GET', '/users/profile');
  const document = await owner.call('GET', `/documents/${await createDocument(owner)}`);
  const [file] = document.body['raw_files'] as { thumbnail: string; path: string }[];
  const { eye } = await verification(1);
  const picture = { receiver_id: other.userId, content: 'A picture', attachment: eye };
  const sent = await owner.send('/messaging/send', picture);
  const message = sent.body['message'] as { attachment: { path: string } };
  return {
    'the ID image': String(profile.body['govt_id_image']),
    'a file of a document': String(file?.path),
    'a thumbnail': String(file?.thumbnail),
    'a file of a message': message.attachment.path,
  };
}

async function open(url: string, headers: Record<string, string> = {}): Promise<Response> {
  const answer = await fetch(url, { headers });
  await answer.arrayBuffer();
  return answer;
}

async function tryLogout({ url }: Target): Promise<Finding[]> {
  const owner = await newPerson(url, 'Links Rao', freshPhone());
  const links = Object.entries(await linksOf(owner, await newPerson(url, 'Links Shah', freshPhone())));
  const found: Finding[] = [];
  const tags = new Map<string, string>();
  for (const [where, path] of links) {
    const { status, headers } = await open(url + path);
    tags.set(path, headers.get('etag') ?? '""');
    if (status !== 200) found.push({ where, what: `is not shown: ${status}` });
    if (/immutable|max-age=[1-9]/.test(headers.get('cache-control') ?? ''))
      found.push({ where, what: 'is cached by the browser and shown without a request' });
  }
  await owner.call('POST', '/auth/logout');
  await sleep(OVER_AFTER_MS);
  for (const [where, path] of links) {
    const cached = { 'if-none-match': tags.get(path) ?? '' };
    for (const { status } of [await open(url + path), await open(url + path, cached)])
      if (status < 400) found.push({ where, what: `opens ${OVER_AFTER_MS} ms after the logout (${status})` });
  }
  return found;
}

/** The removed party's session goes on. */
async function tryRemoval({ url }: Target): Promise<Finding[]> {
  const where = 'a file of a document';
  const owner = await newPerson(url, 'Rights Rao', freshPhone());
  const party = await newPerson(url, 'Rights Shah', freshPhone());
  const id = await createDocument(owner);
  await agree(owner, party, id);
  const { body } = await party.call('GET', `/documents/${id}`);
  const [file] = body['raw_files'] as { path: string }[];
  const before = await open(url + String(file?.path));
  if (before.status !== 200)
    return [{ where, what: `is not shown to a party: ${before.status}`, undecided: true }];
  await owner.call('DELETE', `/documents/${id}/remove-user/${party.userId}`);
  const { status } = await open(url + String(file?.path));
  return status >= 400 ? [] : [{ where, what: `opens for a party that was removed (${status})` }];
}

export const fileLinks: ProductCheck = {
  name: 'file-links',
  holds:
    'a link to a file works only during its session and while its user may see the file; browsers revalidate it',
  run: async (target) => [...(await tryLogout(target)), ...(await tryRemoval(target))],
};
