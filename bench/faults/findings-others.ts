/** Everything besides money that must hold after the harm. */
import { createHash } from 'node:crypto';
import { checkAll } from '@karaar/ops/check';
import { databasesOf } from '@karaar/ops/databases';
import type { Payer } from '../lib/people.ts';
import type { Databases } from '../lib/product.ts';
import { rows } from '../lib/rows.ts';
import type { Findings } from './findings.ts';
import type { Told } from './told.ts';

/** @param owner whose documents were sealed, to read their files */
export async function otherFindings(
  url: string,
  owner: Payer,
  urls: Databases,
  told: Told,
): Promise<Findings> {
  const found: Findings = { lost: [], doubled: [], wrong: [] };
  await ofMessages(urls, told, found);
  await ofPeople(url, urls, told, found);
  await ofDocuments(urls, told, found);
  await ofPapers(urls, told, found);
  await ofFiles(url, owner, urls, told, found);
  await ofPages(urls, told, found);
  // Ledger, root of the log, events that wait, parked and dead ones, partitions.
  const env = Object.entries(urls).map(([name, address]) => [`${name.toUpperCase()}_DATABASE_URL`, address]);
  for (const { ok, what, text } of await checkAll(
    databasesOf(Object.fromEntries(env) as Record<string, string>),
  ))
    if (!ok) found.wrong.push(`karaar check: ${what}: ${text}`);
  return found;
}

/** Each answered message is there once, under the id that was told, and the conversation has no gap. */
async function ofMessages({ messaging }: Databases, told: Told, found: Findings): Promise<void> {
  type Stored = { id: string; content: string; from: string; to: string; withFile: boolean };
  const stored = await rows<Stored>(
    messaging,
    `SELECT id, content, sender_id AS "from", receiver_id AS "to", attachment IS NOT NULL AS "withFile"
     FROM messages`,
  );
  const gaps = await rows<{ what: string }>(
    messaging,
    `SELECT 'conversation ' || conversation_id || ': ' || count(*) || ' messages up to ' || max(m.seq) || ' of ' || c.last_seq AS what
     FROM messages m JOIN conversations c ON c.id = m.conversation_id
     GROUP BY conversation_id, c.last_seq
     HAVING count(*) <> max(m.seq) OR max(m.seq) <> c.last_seq OR count(DISTINCT m.seq) <> count(*)`,
  );
  const byContent = Map.groupBy(stored, ({ content }) => content);
  for (const [content, { id, from, to, withFile }] of told.messages) {
    const [one] = byContent.get(content) ?? [];
    if (one?.id !== id || one.from !== from || one.to !== to || one.withFile !== withFile)
      found.lost.push(`message '${content}'`);
  }
  for (const [content, all] of byContent) if (all.length > 1) found.doubled.push(`message '${content}'`);
  found.wrong.push(...gaps.map(({ what }) => what));
}

/** Each registered person is there, in every service's directory as well; every token that was given is good. */
async function ofPeople(url: string, urls: Databases, told: Told, found: Findings): Promise<void> {
  type Person = { id: string; name: string; char: string };
  const users = await rows<Person>(urls.auth, 'SELECT id, name, char_id AS char FROM users');
  const byId = new Map(users.map((user) => [user.id, user]));
  for (const [id, name] of told.people) if (byId.get(id)?.name !== name) found.lost.push(`user ${name}`);
  for (const service of ['documents', 'messaging', 'payments'] as const) {
    const known = await rows<Person>(
      urls[service],
      'SELECT user_id AS id, name, char_id AS char FROM directory',
    );
    const entries = new Map(known.map((entry) => [entry.id, entry]));
    for (const { id, name, char } of users)
      if (entries.get(id)?.name !== name || entries.get(id)?.char !== char)
        found.wrong.push(`${service} does not know user ${name}`);
  }
  for (const authorization of told.tokens) {
    const answer = await fetch(`${url}/api/users/profile`, { headers: { authorization } });
    await answer.arrayBuffer();
    if (answer.status !== 200) found.lost.push(`a session: its token is answered ${answer.status}`);
  }
}

/** Each created document is there once, with two parties who agreed, each step of its history once, and its log is whole. */
async function ofDocuments({ documents }: Databases, told: Told, found: Findings): Promise<void> {
  const stored = await rows<{ id: string; name: string; status: string; parties: string; steps: string[] }>(
    documents,
    `SELECT id, name, status,
       (SELECT string_agg(state, ' ' ORDER BY position) FROM parties WHERE document_id = d.id) AS parties,
       (SELECT array_agg(type) FROM document_events WHERE document_id = d.id) AS steps
     FROM documents d WHERE name LIKE 'Agreement %' OR name LIKE 'Left %'`,
  );
  const entries = await rows<{ what: string }>(
    documents,
    `SELECT 'documents without their entry: ' || string_agg(d.document_code, ' ') AS what
     FROM documents d LEFT JOIN log_commitments c ON c.document_id = d.id
     WHERE d.status = 'finalized' AND c.entry_index IS NULL HAVING count(*) > 0
     UNION ALL SELECT 'an entry of two: ' || entry_index FROM log_commitments GROUP BY entry_index HAVING count(*) > 1
     UNION ALL SELECT e.n || ' entries of ' || c.n || ' documents'
     FROM (SELECT count(*) AS n FROM log_entries) e, (SELECT count(entry_index) AS n FROM log_commitments) c
     WHERE e.n <> c.n
     UNION ALL SELECT 'the last checkpoint has no cosignature' WHERE EXISTS (SELECT FROM log_entries)
       AND NOT EXISTS (SELECT FROM log_cosignatures WHERE size = (SELECT max(size) FROM log_checkpoints))`,
  );
  found.wrong.push(...entries.map(({ what }) => what));
  const ids = new Set(stored.map(({ id }) => id));
  for (const [name, id] of told.created) if (!ids.has(id)) found.lost.push(`document ${name}`);
  for (const [name, all] of Map.groupBy(stored, (one) => one.name))
    if (all.length > 1) found.doubled.push(`document ${name}`);
  for (const { id, name, status, parties, steps } of stored) {
    const isSealed = told.sealed.has(id);
    for (const type of ['document.created', 'party.accepted', 'document.approved', 'document.finalized']) {
      const times = steps.filter((step) => step === type).length;
      if (times > 1) found.doubled.push(`${type} of ${name}`);
      if (times === 0 && isSealed) found.lost.push(`${type} of ${name}`);
    }
    if (isSealed && (status !== 'finalized' || parties !== 'primary approved'))
      found.wrong.push(`${name}: ${status}, ${parties}`);
  }
}

/** Each draft is there once, as it was last told, with its one file; each agreement that was left has lost its party once. */
async function ofPapers({ documents }: Databases, told: Told, found: Findings): Promise<void> {
  type Paper = { id: string; name: string; status: string; files: number; left: number; approved: number };
  const papers = await rows<Paper>(
    documents,
    `SELECT id, name, status,
       (SELECT count(*)::int FROM raw_files WHERE document_id = d.id) AS files,
       (SELECT count(*)::int FROM document_events WHERE document_id = d.id AND type = 'party.withdrawn') AS left,
       (SELECT count(*)::int FROM parties WHERE document_id = d.id AND state = 'approved') AS approved
     FROM documents d WHERE name LIKE 'Draft %' OR name LIKE 'Left %'`,
  );
  const byId = new Map(papers.map((paper) => [paper.id, paper]));
  for (const [id, name] of told.drafts) {
    const paper = byId.get(id);
    if (paper?.name !== name || paper.status !== 'draft' || paper.files !== 1)
      found.lost.push(`draft ${name}`);
  }
  for (const id of told.left) {
    if (!byId.get(id)?.left) found.lost.push(`the leaving of ${id}`);
    if (byId.get(id)?.approved) found.wrong.push(`${id} has kept the party that left`);
  }
  for (const [name, all] of Map.groupBy(papers, (paper) => paper.name.replace(' changed', '')))
    if (all.length > 1) found.doubled.push(`paper ${name}`);
  for (const { name, left } of papers) if (left > 1) found.doubled.push(`the leaving of ${name}`);
}

/** The sealed file of each document can be read and is the one on record. */
async function ofFiles(
  url: string,
  owner: Payer,
  { documents }: Databases,
  told: Told,
  found: Findings,
): Promise<void> {
  const hashes = await rows<{ id: string; sha256: string }>(
    documents,
    'SELECT id, final_sha256 AS sha256 FROM documents WHERE final_sha256 IS NOT NULL',
  );
  const expected = new Map(hashes.map(({ id, sha256 }) => [id, sha256]));
  for (const id of told.sealed) {
    const answer = await fetch(`${url}/api/documents/${id}/final-pdf`, { headers: owner.headers });
    const bytes = new Uint8Array(await answer.arrayBuffer());
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    if (answer.status !== 200 || sha256 !== expected.get(id))
      found.wrong.push(`the sealed file of ${id}: ${answer.status}, ${bytes.length} bytes`);
  }
}

/** Each published page has one version, and one line in the audit log. */
async function ofPages({ cms, auth }: Databases, told: Told, found: Findings): Promise<void> {
  const tables = [
    ['page', cms, 'SELECT slug FROM page_versions'],
    [
      'line of the audit log of page',
      auth,
      `SELECT target_id AS slug FROM admin_audit WHERE action = 'page.published'`,
    ],
  ] as const;
  for (const [what, url, sql] of tables) {
    const bySlug = Map.groupBy(await rows<{ slug: string }>(url, sql), ({ slug }) => slug);
    for (const slug of told.pages) {
      const times = bySlug.get(slug)?.length ?? 0;
      if (times === 0) found.lost.push(`${what} ${slug}`);
      if (times > 1) found.doubled.push(`${what} ${slug}`);
    }
  }
}
