/** Texts and files that ask Chromium and LibreOffice for addresses and files of the machine they run on. */
import { startCanary } from '@karaar/testing/canary';
import { docx } from '@karaar/testing/files';
import { inspectPdf } from '../src/pdf.ts';
import { agree, finalize } from '../src/journey.ts';
import { newPerson, part, verification, type Person } from '../src/person.ts';
import type { ProductCheck, Finding, Target } from './check.ts';

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
/** Begins every line of a file that is on every Linux machine, and stands in no agreement. */
const LOCAL_FILE = 'file:///etc/passwd';
const LOCAL_TEXT = 'root:x:0:0';

/** A Word file with pictures, a template and fields from elsewhere. */
function reachingDocx(canary: string): Uint8Array {
  const outside = (id: string, type: string, to: string) =>
    `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${to}" TargetMode="External"/>`;
  const field = (code: string) =>
    `</w:t></w:r></w:p><w:p><w:fldSimple w:instr="${code}"><w:r><w:t>field</w:t></w:r></w:fldSimple></w:p><w:p><w:r><w:t>`;
  return docx(
    [
      `Terms${field(`INCLUDETEXT &quot;${LOCAL_FILE}&quot;`)}${field(`INCLUDEPICTURE &quot;${canary}/field.png&quot;`)}`,
    ],
    {
      'word/_rels/document.xml.rels': `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${outside('rId9', 'image', `${canary}/image.png`)}${outside('rId8', 'attachedTemplate', `${canary}/template.dotx`)}${outside('rId7', 'subDocument', LOCAL_FILE)}</Relationships>`,
    },
  );
}

/** Markup in each text that is printed. */
const texts = (canary: string): Record<string, string> => ({
  name: `<img src="${canary}/name.png"><iframe src="${LOCAL_FILE}"></iframe>`,
  location: `"><link rel=stylesheet href="${canary}/style.css">`,
  description: `<script>fetch("${canary}/script")</script><object data="${LOCAL_FILE}"></object>`,
  page_details: JSON.stringify([
    { page_no: 1, description: `<embed src="${canary}/embed"><style>@import "${canary}/import.css"</style>` },
  ]),
});

async function sealed(owner: Person, guest: Person, canary: string): Promise<string> {
  const { body } = await owner.send('/documents/create', {
    ...texts(canary),
    raw_documents: part(reachingDocx(canary), WORD, 'terms.docx'),
    ...(await verification(5)),
  });
  const id = String(body['document_id']);
  await agree(owner, guest, id);
  return (await inspectPdf(await finalize(owner, id))).text;
}

/** What the visits and the printed text give away. */
export const leaksOf = (visits: readonly string[], text: string): Finding[] => [
  ...visits.map((path) => ({ where: 'network', what: `somebody fetched ${path}` })),
  ...(text.includes(LOCAL_TEXT) ? [{ where: 'files', what: 'a file of the machine was printed' }] : []),
];

export const rendering: ProductCheck = {
  name: 'rendering',
  holds: 'neither Chromium nor LibreOffice fetches what a document names, nor prints files of the machine',
  run: async ({ url }: Target) => {
    const canary = await startCanary();
    try {
      const owner = await newPerson(url, 'Owner Rao', '+918700000001');
      const guest = await newPerson(url, 'Guest Shah', '+918700000002');
      return leaksOf(canary.visits, await sealed(owner, guest, canary.url));
    } finally {
      await canary.stop();
    }
  },
};
