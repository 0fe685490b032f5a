/** Opens links to files of each service after the session has ended, also for a copy in the browser's cache. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createDocument } from '../../src/journey.ts';
import { newPerson, verification, type Person } from '../../src/person.ts';
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
  const owner = await newPerson(url, 'Links Rao');
  const links = Object.entries(await linksOf(owner, await newPerson(url, 'Links Shah')));
  const found: Finding[] = [];
  const tags = new Map<string, string>();
  for (const [where, path] of links) {
    const { status, headers } = await open(url + path);
    tags.set(path, headers.get('etag') ?? '""');
    if (status !== 200) found.push({ where, what: `is not shown: ${status}` });
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

export const fileLinks: ProductCheck = {
  name: 'file-links',
  holds: 'a link to a file of any service works only during its session',
  run: tryLogout,
};
