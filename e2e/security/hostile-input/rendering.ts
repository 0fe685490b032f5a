/** Texts and files that make Chromium and LibreOffice request addresses and local files. */
import { createHash } from 'node:crypto';
import { startCanary } from '@karaar/testing/canary';
import { docx } from '@karaar/testing/made-up/files';
import { inspectPdf } from '../../src/pdf.ts';
import { agree, finalize } from '../../src/journey.ts';
import { newPerson, part, verification, type Person } from '../../src/person.ts';
import type { ProductCheck, Finding, Target } from '../check.ts';

const NS = 'http://schemas.openxmlformats.org';
const OFFICE = `${NS}/officeDocument/2006/relationships`;
const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
/** Exists on every Linux machine; its first line begins with the text. */
const [LOCAL_FILE, LOCAL_TEXT] = ['file:///etc/passwd', 'root:x:0:0'];

/** A linked picture in the XML of Word. */
const drawing = (id: string): string =>
  `<w:p><w:r><w:drawing><wp:inline><wp:extent cx="900000" cy="900000"/><wp:docPr id="1" name="p"/><a:graphic><a:graphicData uri="${NS}/drawingml/2006/picture"><pic:pic><pic:nvPicPr><pic:cNvPr id="1" name="p"/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill><a:blip r:link="${id}"/></pic:blipFill><pic:spPr><a:xfrm><a:ext cx="900000" cy="900000"/></a:xfrm></pic:spPr></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`;

/** Returns a Word file with pictures, a template, a part and fields from other places. */
export function reachingDocx(canary: string): Uint8Array {
  const outside = (id: string, type: string, to: string) =>
    `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${to}" TargetMode="External"/>`;
  const field = (code: string) =>
    `<w:p><w:fldSimple w:instr="${code}"><w:r><w:t>field</w:t></w:r></w:fldSimple></w:p>`;
  const pictures = namesOf(canary).map((name, at) => ({ id: `rPicture${at}`, to: `${name}/image${at}.png` }));
  return docx([], {
    'word/document.xml': `<?xml version="1.0"?><w:document xmlns:w="${NS}/wordprocessingml/2006/main" xmlns:r="${OFFICE}" xmlns:wp="${NS}/drawingml/2006/wordprocessingDrawing" xmlns:a="${NS}/drawingml/2006/main" xmlns:pic="${NS}/drawingml/2006/picture"><w:body><w:p><w:r><w:t>Terms</w:t></w:r></w:p>${pictures.map(({ id }) => drawing(id)).join('')}<w:subDoc r:id="rPart"/>${field(`INCLUDETEXT &quot;${LOCAL_FILE}&quot;`)}${field(`INCLUDEPICTURE &quot;${canary}/field.png&quot;`)}</w:body></w:document>`,
    'word/_rels/document.xml.rels': `<?xml version="1.0"?><Relationships xmlns="${NS}/package/2006/relationships">${pictures.map(({ id, to }) => outside(id, 'image', to)).join('')}${outside('rTemplate', 'attachedTemplate', `${canary}/template.dotx`)}${outside('rPart', 'subDocument', LOCAL_FILE)}</Relationships>`,
  });
}

/** Other spellings of the canary's address, which a block list of `127.0.0.1` may lack. */
function namesOf(canary: string): string[] {
  const { port } = new URL(canary);
  return [canary, `http://2130706433:${port}`, `http://localhost.:${port}`, `http://0x7f.1:${port}`];
}

/** Returns markup for each printed text. */
export const texts = (canary: string): Record<string, string> => {
  const named = namesOf(canary).map((name, at) => `<img src="${name}/by-name${at}.png">`);
  const page = `<embed src="${canary}/embed"><style>@import "${canary}/import.css"</style>`;
  return {
    name: `<img src="${canary}/name.png"><iframe src="${LOCAL_FILE}"></iframe>`,
    location: `"><link rel=stylesheet href="${canary}/style.css"><svg><image href="${canary}/svg.png"/></svg>`,
    description: `<script>fetch("${canary}/script")</script><object data="${LOCAL_FILE}"></object>${named.join('')}`,
    page_details: JSON.stringify([{ page_no: 1, description: page }]),
  };
};

async function sealed(owner: Person, guest: Person, canary: string): Promise<string> {
  const terms = reachingDocx(canary);
  const { body } = await owner.send('/documents/create', {
    ...texts(canary),
    raw_documents: part(terms, WORD, 'terms.docx'),
    // The creator accepts that linked pictures are left out.
    accepted_left_out: JSON.stringify([createHash('sha256').update(terms).digest('hex')]),
    ...(await verification(5)),
  });
  const id = String(body['document_id']);
  await agree(owner, guest, id);
  return (await inspectPdf(await finalize(owner, id))).text;
}

export const leaksOf = (visits: readonly string[], text: string): Finding[] => [
  ...visits.map((path) => ({ where: 'network', what: `${path} was fetched` })),
  ...(text.includes(LOCAL_TEXT) ? [{ where: 'files', what: 'a local file was printed' }] : []),
];

export const rendering: ProductCheck = {
  name: 'rendering',
  needsPages: true,
  holds: 'Chromium and LibreOffice fetch no address in a document and print no local file',
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
