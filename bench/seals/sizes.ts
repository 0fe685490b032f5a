/** Seals and checks of files by their number of pages. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { agree, eventually, sealing } from '@karaar/e2e/src/journey.ts';
import { withProduct } from '@karaar/e2e/src/own-product.ts';
import type { Person } from '@karaar/e2e/src/person.ts';
import { scratch } from '@karaar/testing/scratch';
import { launchChromium } from '@karaar/testing/servers/chromium';
import { createAgreement } from '../lib/agreements.ts';
import { newcomers } from '../lib/people.ts';
import { unlimited } from '../lib/product.ts';
import { row, type Measured, type Row } from '../lib/report.ts';
import { isSmoke } from '../lib/smoke.ts';
import { latencyOf, median } from '../lib/stats.ts';

/** Uploaded pages, and the number of agreements with so many. */
const SIZES: readonly [pages: number, agreements: number][] = isSmoke
  ? [[2, 1]]
  : [
      [1, 20],
      [10, 20],
      [50, 10],
      [138, 8],
    ];
const CHECKS = isSmoke ? 1 : 5;

export const measureSizes = (): Promise<Measured> =>
  withProduct(unlimited, async ({ url }) => {
    const [owner, guest] = (await newcomers(url, 2)) as [Person, Person];
    const rows: Row[] = [];
    let last = '';
    for (const [pages, count] of SIZES) {
      const sealedMs: number[] = [];
      for (let i = 0; i < count; i += 1) {
        last = await createAgreement(owner, `Agreement on ${pages} pages`, pages);
        await agree(owner, guest, last);
        const pressed = performance.now();
        await eventually('sealing an agreement', await sealing(owner, last));
        sealedMs.push(performance.now() - pressed);
      }
      const of = `${pages} uploaded page${pages === 1 ? '' : 's'}`;
      const { p50, p95 } = latencyOf(sealedMs);
      rows.push(
        row(`Finalize until sealed, ${of}: p95`, p95, 'ms', { note: `p50 ${p50.toFixed(0)} of ${count}` }),
      );
      const file = await owner.bytes(`/documents/${last}/final-pdf`);
      rows.push(row(`a sealed file of ${of}`, file.length / 1_024, 'KB'));
    }
    return { rows: [...rows, ...(await checks(url, owner, last))] };
  });

/** Checks one sealed file through the API, and with its receipt in a browser without network. */
async function checks(url: string, owner: Person, id: string): Promise<Row[]> {
  const pdf = await owner.bytes(`/documents/${id}/final-pdf`);
  const online = await times(CHECKS, async () => {
    const form = new FormData();
    form.append('file', new Blob([pdf], { type: 'application/pdf' }), 'final.pdf');
    const answer = await fetch(`${url}/api/verify`, { method: 'POST', body: form });
    const { valid } = (await answer.json()) as { valid: boolean };
    if (!valid) throw new Error('a sealed file does not verify');
    return undefined;
  });
  const { dir: folder, remove } = scratch();
  const [page, file] = [join(folder, 'receipt.html'), join(folder, 'final.pdf')];
  await writeFile(page, await owner.bytes(`/documents/${id}/receipt`));
  await writeFile(file, pdf);
  const { browser, close } = await launchChromium();
  try {
    const tab = await browser.newPage();
    await tab.setOfflineMode(true);
    const byReceipt = await times(CHECKS, async () => {
      await tab.goto(pathToFileURL(page).href);
      const chosen = performance.now();
      await (await tab.$('input[type=file]'))?.uploadFile(file);
      await tab.waitForSelector('#result[data-verdict=genuine]:not([hidden])');
      return chosen;
    });
    const most = { atMost: 1_000 };
    return [
      row('checking it at /verify: median', online, 'ms', most),
      row('… by its receipt, offline: median', byReceipt, 'ms', most),
    ];
  } finally {
    await close();
    remove();
  }
}

/** Returns the median time of a piece of work, in ms; the work may say from when it counts. */
async function times(count: number, work: () => Promise<number | undefined>): Promise<number> {
  const taken: number[] = [];
  while (taken.length < count) {
    const begun = performance.now();
    taken.push(-((await work()) ?? begun) + performance.now());
  }
  return median(taken);
}
