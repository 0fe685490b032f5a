/** Links to files that are kept, and opened after the session has ended or the right is gone. */
import { setTimeout as sleep } from 'node:timers/promises';
import { agree, createDocument, documentFields } from '../../src/journey.ts';
import { newPerson, type Person } from '../../src/person.ts';
import { freshPhone } from '../../src/signed-in.ts';
import type { Finding, ProductCheck, Target } from '../check.ts';

/** A logout is everywhere within a second. */
const OVER_AFTER_MS = 1_500;

type Link = { name: string; path: string };

/** A link of each service that has files. */
async function linksOf(owner: Person, other: Person): Promise<Link[]> {
  const profile = await owner.call('GET', '/users/profile');
  const fields = await documentFields();
  const { body } = await owner.send('/documents/create', fields);
  const document = await owner.call('GET', `/documents/${String(body['document_id'])}`);
  const [file] = document.body['raw_files'] as { thumbnail: string; path: string }[];
  const image = fields['eye'];
  if (typeof image !== 'object' || Array.isArray(image)) throw new Error('no image');
  const sent = await owner.send('/messaging/send', {
    receiver_id: other.userId,
    content: 'A picture',
    attachment: image,
  });
  const message = sent.body['message'] as { attachment: { path: string } };
  return [
    { name: 'the ID image', path: String(profile.body['govt_id_image']) },
    { name: 'a file of a document', path: String(file?.path) },
    { name: 'a thumbnail', path: String(file?.thumbnail) },
    { name: 'a file of a message', path: message.attachment.path },
  ];
}

async function tryLinks({ url }: Target): Promise<Finding[]> {
  const [owner, other] = await Promise.all([
    newPerson(url, 'Links Rao', freshPhone()),
    newPerson(url, 'Links Shah', freshPhone()),
  ]);
  const links = await linksOf(owner, other);
  const open = async ({ path }: Link, headers: Record<string, string> = {}) => fetch(url + path, { headers });
  const found: Finding[] = [];
  const kept = new Map<Link, string>();
  for (const link of links) {
    const answer = await open(link);
    await answer.arrayBuffer();
    kept.set(link, answer.headers.get('etag') ?? '""');
    if (answer.status !== 200) found.push({ where: link.name, what: `is not shown: ${answer.status}` });
    if (/immutable|max-age=[1-9]/.test(answer.headers.get('cache-control') ?? ''))
      found.push({ where: link.name, what: 'is kept by the browser and shown without asking' });
  }
  await owner.call('POST', '/auth/logout');
  await sleep(OVER_AFTER_MS);
  for (const link of links) {
    const asked: Record<string, string>[] = [{}, { 'if-none-match': kept.get(link) ?? '' }];
    for (const headers of asked) {
      const { status } = await open(link, headers);
      if (status < 400)
        found.push({ where: link.name, what: `opens ${OVER_AFTER_MS} ms after the logout (${status})` });
    }
  }
  return found;
}

/** A party that is taken off a document, with an earlier link and a session that goes on. */
async function tryRight({ url }: Target): Promise<Finding[]> {
  const [owner, party] = await Promise.all([
    newPerson(url, 'Rights Rao', freshPhone()),
    newPerson(url, 'Rights Shah', freshPhone()),
  ]);
  const id = await createDocument(owner);
  await agree(owner, party, id);
  const { body } = await party.call('GET', `/documents/${id}`);
  const [file] = body['raw_files'] as { path: string }[];
  const open = async () => {
    const answer = await fetch(url + String(file?.path));
    await answer.arrayBuffer();
    return answer.status;
  };
  const before = await open();
  if (before !== 200)
    return [{ where: 'a file of a document', what: `is not shown to a party: ${before}`, undecided: true }];
  await owner.call('DELETE', `/documents/${id}/remove-user/${party.userId}`);
  const after = await open();
  return after >= 400
    ? []
    : [{ where: 'a file of a document', what: `opens for a party that was removed (${after})` }];
}

export const fileLinks: ProductCheck = {
  name: 'file-links',
  holds:
    'a link to a file opens while the session and the right live for which it was made, and never without asking',
  run: async (target) => [...(await tryLinks(target)), ...(await tryRight(target))],
};
