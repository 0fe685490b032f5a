/** A lease that one user creates and others join, read and answer. */
import { textPdf } from '@karaar/testing/made-up/files';
import { overflow } from '../screens/camera.ts';
import type { Screen } from './browser/screen.ts';
import { part, verification, type Person } from './person.ts';

export type Lease = { id: string; code: string; path: string };

/** Creates a lease of two pages, over the API. */
export async function createLease(owner: Person, name: string): Promise<Lease> {
  const { body } = await owner.send('/documents/create', {
    name,
    description: 'Forty mango trees',
    start_date: '2026-03-01',
    end_date: '2026-03-07',
    raw_documents: part(
      await textPdf('The rent is ten thousand rupees', 'The second page says more'),
      'application/pdf',
      'lease.pdf',
    ),
    ...(await verification(1)),
  });
  const id = String(body['document_id']);
  return { id, code: String(body['document_code']), path: `/document/${id}` };
}

export const join = async (person: Person, { code }: Lease): Promise<unknown> =>
  person.send('/documents/join', { document_code: code, ...(await verification(2)) });

/** Joins and is admitted, over the API. */
export async function admitted(owner: Person, guest: Person, lease: Lease): Promise<void> {
  await join(guest, lease);
  await owner.call('PUT', `/documents/${lease.id}/approve-user/${guest.userId}`);
}

type Approval = { approved: boolean; approved_at: string | null };

/** Returns a party's approval, as the owner sees it. */
export async function approvalOf(owner: Person, party: Person, { id }: Lease): Promise<Approval | undefined> {
  const { body } = await owner.call('GET', `/documents/${id}`);
  return (body['user_approvals'] as Record<string, Approval>)[party.userId];
}

/** Waits until a page of the document is drawn and fits the window. */
export async function pageIsDrawn({ page, sees }: Screen, label: string): Promise<void> {
  await sees(label);
  await page.waitForFunction(
    (wanted: string) => {
      // Only pages near the view are drawn, and the last press may have scrolled away.
      const pages = [...document.querySelectorAll('[data-reading] li')];
      pages.find((each) => each.textContent?.includes(wanted))?.scrollIntoView({ block: 'center' });
      const canvas = document.querySelector<HTMLCanvasElement>(
        `[data-reading] canvas[aria-label="${wanted}"]`,
      );
      const data = canvas?.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data;
      return data?.some((value, at) => at % 4 === 0 && value < 100) ?? false;
    },
    { polling: 100 },
    label,
  );
  expect(await overflow(page)).toBe(0);
}
