/** What must hold of everything besides money, whatever died. */
import { createHash } from 'node:crypto';
import { checkAll } from '@karaar/ops/check';
import { databasesOf } from '@karaar/ops/databases';
import type { Databases } from './invariants.ts';
import type { Payer } from './people.ts';
import { rows } from './rows.ts';
import type { Told } from './told.ts';

export type OtherFindings = { lost: string[]; doubled: string[]; wrong: string[] };

const none: OtherFindings = { lost: [], doubled: [], wrong: [] };

/** @param owner whose documents were sealed, to read their files */
export async function otherFindings(
  url: string,
  owner: Payer,
  urls: Databases,
  told: Told,
): Promise<OtherFindings> {
  const all = [
    await ofMessages(urls.messaging, told),
    await ofPeople(url, urls, told),
    await ofDocuments(urls.documents, told),
    await ofPapers(urls.documents, told),
    await ofFiles(url, owner, urls.documents, told),
    await ofPages(urls, told),
    await ofInstallation(urls),
  ];
  return {
    lost: all.flatMap(({ lost }) => lost),
    doubled: all.flatMap(({ doubled }) => doubled),
    wrong: all.flatMap(({ wrong }) => wrong),
  };
}

/** Each answered message is there once, under the id that was told, and the conversation has no gap. */
async function ofMessages(url: string, told: Told): Promise<OtherFindings> {
  type Stored = { id: string; content: string; sender: string; receiver: string; withFile: boolean };
  const stored = await rows<Stored>(
    url,
    `SELECT id, content, sender_id AS sender, receiver_id AS receiver, attachment IS NOT NULL AS "withFile"
     FROM messages`,
  );
  const gaps = await rows<{ what: string }>(
    url,
    `SELECT conversation_id || ': ' || count(*) || ' messages up to ' || max(m.seq) || ' of ' || c.last_seq AS what
     FROM messages m JOIN conversations c ON c.id = m.conversation_id
     GROUP BY conversation_id, c.last_seq
     HAVING count(*) <> max(m.seq) OR max(m.seq) <> c.last_seq OR count(DISTINCT m.seq) <> count(*)`,
  );
  const byContent = Map.groupBy(stored, ({ content }) => content);
  return {
    ...none,
    lost: [...told.messages]
      .filter(([content, { id, from, to, withFile }]) => {
        const [found] = byContent.get(content) ?? [];
        return (
          found?.id !== id || found.sender !== from || found.receiver !== to || found.withFile !== withFile
        );
      })
      .map(([content]) => `message '${content}'`),
    doubled: [...byContent].filter(([, all]) => all.length > 1).map(([content]) => `message '${content}'`),
    wrong: gaps.map(({ what }) => `conversation ${what}`),
  };
}

/** Who registered is there, in every service's directory as well; every token that was given is good. */
async function ofPeople(url: string, urls: Databases, told: Told): Promise<OtherFindings> {
  const users = await rows<{ id: string; name: string; char: string }>(
    urls.auth,
    'SELECT id, name, char_id AS char FROM users',
  );
  const byId = new Map(users.map((user) => [user.id, user]));
  const lost = [...told.people]
    .filter(([id, name]) => byId.get(id)?.name !== name)
    .map(([, name]) => `user ${name}`);
  const wrong: string[] = [];
  for (const service of ['documents', 'messaging', 'payments'] as const) {
    const known = await rows<{ id: string; name: string; char: string }>(
      urls[service],
      'SELECT user_id AS id, name, char_id AS char FROM directory',
    );
    const entries = new Map(known.map((entry) => [entry.id, entry]));
    for (const { id, name, char } of users) {
      const entry = entries.get(id);
      if (entry?.name !== name || entry.char !== char) wrong.push(`${service} does not know user ${name}`);
    }
  }
  for (const authorization of told.tokens) {
    const answer = await fetch(`${url}/api/users/profile`, { headers: { authorization } });
    await answer.arrayBuffer();
    if (answer.status !== 200) lost.push(`a session: its token is answered ${answer.status}`);
  }
  return { ...none, lost, wrong };
}

/** Each created document is there once, with two parties who agreed, and each step of its history once. */
async function ofDocuments(url: string, told: Told): Promise<OtherFindings> {
  const found = await rows<{ id: string; name: string; status: string; parties: string; steps: string[] }>(
    url,
    `SELECT id, name, status,
       (SELECT string_agg(state, ' ' ORDER BY position) FROM parties WHERE document_id = d.id) AS parties,
       (SELECT array_agg(type) FROM document_events WHERE document_id = d.id) AS steps
     FROM documents d WHERE name LIKE 'Agreement %'`,
  );
  const entries = await rows<{ what: string }>(
    url,
    `SELECT 'documents without their entry: ' || string_agg(d.document_code, ' ') AS what
     FROM documents d LEFT JOIN log_commitments c ON c.document_id = d.id
     WHERE d.status = 'finalized' AND c.entry_index IS NULL HAVING count(*) > 0
     UNION ALL SELECT 'an entry of two: ' || entry_index FROM log_commitments GROUP BY entry_index HAVING count(*) > 1
     UNION ALL SELECT e.n || ' entries of ' || c.n || ' documents'
     FROM (SELECT count(*) AS n FROM log_entries) e, (SELECT count(entry_index) AS n FROM log_commitments) c
     WHERE e.n <> c.n
     UNION ALL SELECT 'nobody cosigned the last checkpoint' WHERE EXISTS (SELECT FROM log_entries)
       AND NOT EXISTS (SELECT FROM log_cosignatures WHERE size = (SELECT max(size) FROM log_checkpoints))`,
  );
  const byName = Map.groupBy(found, ({ name }) => name);
  const of = new Map(found.map((document) => [document.id, document]));
  const lost = [...told.created].filter(([, id]) => !of.has(id)).map(([name]) => `document ${name}`);
  const doubled = [...byName].filter(([, all]) => all.length > 1).map(([name]) => `document ${name}`);
  const wrong = entries.map(({ what }) => what);
  for (const { id, name, steps } of found)
    for (const type of ['document.created', 'party.accepted', 'document.approved', 'document.finalized']) {
      const times = steps.filter((step) => step === type).length;
      if (times > 1) doubled.push(`${type} of ${name}`);
      if (times === 0 && told.sealed.has(id)) lost.push(`${type} of ${name}`);
    }
  for (const id of told.sealed) {
    const document = of.get(id);
    if (document && (document.status !== 'finalized' || document.parties !== 'primary approved'))
      wrong.push(`${document.name}: ${document.status}, ${document.parties}`);
  }
  return { lost, doubled, wrong };
}

/** Each draft is there once, as it was last told, with its one file; each agreement that was left has lost its party once. */
async function ofPapers(url: string, told: Told): Promise<OtherFindings> {
  type Paper = { id: string; name: string; status: string; files: number; left: number; approved: number };
  const found = await rows<Paper>(
    url,
    `SELECT id, name, status,
       (SELECT count(*)::int FROM raw_files WHERE document_id = d.id) AS files,
       (SELECT count(*)::int FROM document_events WHERE document_id = d.id AND type = 'party.withdrawn') AS left,
       (SELECT count(*)::int FROM parties WHERE document_id = d.id AND state = 'approved') AS approved
     FROM documents d WHERE name LIKE 'Draft %' OR name LIKE 'Left %'`,
  );
  const byName = Map.groupBy(found, ({ name }) => name.replace(' changed', ''));
  const of = new Map(found.map((paper) => [paper.id, paper]));
  const isKept = (id: string, name: string): boolean => {
    const paper = of.get(id);
    return paper?.name === name && paper.status === 'draft' && paper.files === 1;
  };
  return {
    lost: [
      ...[...told.drafts].flatMap(([id, name]) => (isKept(id, name) ? [] : [`draft ${name}`])),
      ...[...told.left].flatMap((id) => (of.get(id)?.left ? [] : [`the leaving of ${id}`])),
    ],
    doubled: [
      ...[...byName].flatMap(([name, all]) => (all.length > 1 ? [`paper ${name}`] : [])),
      ...found.flatMap(({ name, left }) => (left > 1 ? [`the leaving of ${name}`] : [])),
    ],
    wrong: [...told.left].flatMap((id) =>
      of.get(id)?.approved ? [`${id} has kept the party that left`] : [],
    ),
  };
}

/** The sealed file of each document can be read and is the one on record. */
async function ofFiles(url: string, owner: Payer, database: string, told: Told): Promise<OtherFindings> {
  const hashes = await rows<{ id: string; sha256: string }>(
    database,
    'SELECT id, final_sha256 AS sha256 FROM documents WHERE final_sha256 IS NOT NULL',
  );
  const expected = new Map(hashes.map(({ id, sha256 }) => [id, sha256]));
  const wrong: string[] = [];
  for (const id of told.sealed) {
    const answer = await fetch(`${url}/api/documents/${id}/final-pdf`, { headers: owner.headers });
    const bytes = new Uint8Array(await answer.arrayBuffer());
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    if (answer.status !== 200 || sha256 !== expected.get(id))
      wrong.push(`the sealed file of ${id}: ${answer.status}, ${bytes.length} bytes`);
  }
  return { ...none, wrong };
}

/** Each published page has one version, and one line in the audit log. */
async function ofPages(urls: Databases, told: Told): Promise<OtherFindings> {
  const count = async (url: string, sql: string) =>
    new Map((await rows<{ slug: string; n: number }>(url, sql)).map(({ slug, n }) => [slug, n]));
  const versions = await count(urls.cms, 'SELECT slug, count(*)::int AS n FROM page_versions GROUP BY slug');
  const lines = await count(
    urls.auth,
    `SELECT target_id AS slug, count(*)::int AS n FROM admin_audit WHERE action = 'page.published' GROUP BY 1`,
  );
  const lost: string[] = [];
  const doubled: string[] = [];
  for (const slug of told.pages)
    for (const [what, n] of [
      ['page', versions.get(slug) ?? 0],
      ['line of the audit log of page', lines.get(slug) ?? 0],
    ] as const) {
      if (n === 0) lost.push(`${what} ${slug}`);
      if (n > 1) doubled.push(`${what} ${slug}`);
    }
  return { ...none, lost, doubled };
}

/** What `karaar check` finds: ledger, root of the log, events that wait, parked and dead ones, partitions. */
async function ofInstallation(urls: Databases): Promise<OtherFindings> {
  const env = Object.entries(urls).map(([name, url]) => [`${name.toUpperCase()}_DATABASE_URL`, url]);
  const found = await checkAll(databasesOf(Object.fromEntries(env) as Record<string, string>));
  return {
    ...none,
    wrong: found.filter(({ ok }) => !ok).map(({ what, text }) => `karaar check: ${what}: ${text}`),
  };
}
