import { createHash } from 'node:crypto';
import { callerOf, type Person } from '@karaar/e2e/src/person.ts';
import type { Databases } from '../lib/product.ts';
import { column } from '../lib/rows.ts';
import { Findings } from './findings.ts';
import type { Outcomes } from './outcomes.ts';

/** Compares messages, users, documents, pages, and the sealed files as their owner reads them. */
export async function checkOthers(
  url: string,
  owner: Person,
  urls: Databases,
  outcomes: Outcomes,
): Promise<Findings> {
  const found = new Findings();
  await checkMessages(urls, outcomes, found);
  await checkPeople(url, urls, outcomes, found);
  await checkDocuments(urls, outcomes, found);
  await checkLog(urls, found);
  await checkFiles(owner, urls, outcomes, found);
  await checkPages(urls, outcomes, found);
  return found;
}

async function checkMessages({ messaging }: Databases, { messages }: Outcomes, found: Findings) {
  const sent = [...messages].map(
    ([content, { id, from, to, withFile }]) => `${id} ${from} ${to} ${withFile ? 't' : 'f'} ${content}`,
  );
  const stored = `concat_ws(' ', id, sender_id, receiver_id, attachment IS NOT NULL, content)`;
  found.once('message', await column(messaging, stored, 'messages'), sent);
  found.once('message', await column(messaging, 'content', 'messages'));
  const gaps = await column(
    messaging,
    `'conversation ' || conversation_id || ': ' || count(*) || ' messages up to ' || max(m.seq) || ' of ' || c.last_seq`,
    `messages m JOIN conversations c ON c.id = m.conversation_id
     GROUP BY conversation_id, c.last_seq
     HAVING count(*) <> max(m.seq) OR max(m.seq) <> c.last_seq OR count(DISTINCT m.seq) <> count(*)`,
  );
  found.wrong.push(...gaps);
}

/** Compares the users with auth's and with each service's directory, and uses every token. */
async function checkPeople(
  url: string,
  urls: Databases,
  { people, tokens }: Outcomes,
  found: Findings,
): Promise<void> {
  const registered = [...people].map(([id, name]) => `${id} ${name}`);
  found.once('user', await column(urls.auth, `id || ' ' || name`, 'users'), registered);
  const users = await column(urls.auth, `concat_ws(' ', id, char_id, name)`, 'users');
  for (const service of ['documents', 'messaging', 'payments'] as const) {
    const known = await column(urls[service], `concat_ws(' ', user_id, char_id, name)`, 'directory');
    found.once(`user in the directory of ${service}`, known, users);
  }
  for (const token of tokens) {
    const { status } = await callerOf(url, token).once('GET', '/users/profile');
    if (status !== 200) found.lost.push(`a session: its token is answered ${status}`);
  }
}

const STEPS = ['document.created', 'party.accepted', 'document.approved', 'document.finalized'];

/** Compares agreements with their steps, drafts with their file, and withdrawals. */
async function checkDocuments(
  { documents }: Databases,
  { created, sealed, drafts, left }: Outcomes,
  found: Findings,
): Promise<void> {
  const read = (expression: string, from: string) => column(documents, expression, from);
  const agreements = `documents d WHERE (d.name LIKE 'Agreement %' OR d.name LIKE 'Left %')`;
  found.once('document', await read('id', agreements), created.values());
  found.once('document', await read('name', agreements));

  const types = STEPS.map((step) => `'${step}'`).join(', ');
  const events = `document_events WHERE type IN (${types}) AND document_id IN (SELECT id FROM ${agreements})`;
  const steps = [...sealed].flatMap((id) => STEPS.map((step) => `${id} ${step}`));
  found.once('step', await read(`document_id || ' ' || type`, events), steps);

  const states = `SELECT string_agg(state, ' ' ORDER BY position) FROM parties WHERE document_id = d.id`;
  const finalized = `documents d WHERE status = 'finalized' AND 'primary approved' = (${states})`;
  found.once('sealed document with two parties', await read('id', finalized), sealed);

  const files = 'SELECT count(*) FROM raw_files WHERE document_id = d.id';
  const kept = await read(`id || ' ' || name`, `documents d WHERE status = 'draft' AND (${files}) = 1`);
  const named = [...drafts].map(([id, name]) => `${id} ${name}`);
  found.once('draft', kept, named);
  found.once('draft', await read(`replace(name, ' changed', '')`, `documents WHERE name LIKE 'Draft %'`));

  const withdrawals = await read('document_id', `document_events WHERE type = 'party.withdrawn'`);
  found.once('withdrawal', withdrawals, left);
  const approved = new Set(await read('document_id', `parties WHERE state = 'approved'`));
  for (const id of left) if (approved.has(id)) found.wrong.push(`${id} still has the party that left`);
}

/** Every finalized document has an entry of its own in the log, and the newest checkpoint is cosigned. */
async function checkLog({ documents }: Databases, found: Findings): Promise<void> {
  const faults = await column(
    documents,
    'fault',
    `(SELECT 'documents without their entry: ' || string_agg(d.document_code, ' ') AS fault
     FROM documents d LEFT JOIN log_commitments c ON c.document_id = d.id
     WHERE d.status = 'finalized' AND c.entry_index IS NULL HAVING count(*) > 0
     UNION ALL SELECT 'an entry of two: ' || entry_index FROM log_commitments GROUP BY entry_index HAVING count(*) > 1
     UNION ALL SELECT e.n || ' entries of ' || c.n || ' documents'
     FROM (SELECT count(*) AS n FROM log_entries) e, (SELECT count(entry_index) AS n FROM log_commitments) c
     WHERE e.n <> c.n
     UNION ALL SELECT 'the last checkpoint has no cosignature' WHERE EXISTS (SELECT FROM log_entries)
       AND NOT EXISTS (SELECT FROM log_cosignatures WHERE size = (SELECT max(size) FROM log_checkpoints))) AS faults`,
  );
  found.wrong.push(...faults);
}

/** Compares the hash of each sealed file, as its owner reads it, with the one on record. */
async function checkFiles(owner: Person, { documents }: Databases, { sealed }: Outcomes, found: Findings) {
  const files: string[] = [];
  for (const id of sealed) {
    const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
    files.push(`${id} ${await owner.bytes(`/documents/${id}/final-pdf`).then(hash, String)}`);
  }
  const finalized = 'documents WHERE final_sha256 IS NOT NULL';
  found.once('sealed file', await column(documents, `id || ' ' || final_sha256`, finalized), files);
}

/** Each published page has one version, and one line in the audit log. */
async function checkPages({ cms, auth }: Databases, { pages }: Outcomes, found: Findings): Promise<void> {
  found.once('page', await column(cms, 'slug', `page_versions WHERE slug LIKE 'faults-%'`), pages);
  const lines = await column(auth, 'target_id', `admin_audit WHERE action = 'page.published'`);
  found.once('line of the audit log for page', lines, pages);
}
