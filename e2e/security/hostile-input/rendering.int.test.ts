/**
 * Without guards, Chromium and LibreOffice fetch from the hostile texts and files of the run. So the product's programs
 * fetch nothing because of the guards; libs/rendering/src tests each guard.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { jest } from '@jest/globals';
import { startCanary, type Canary } from '@karaar/testing/canary';
import { CHROMIUM, SOFFICE } from '@karaar/testing/programs';
import puppeteer from 'puppeteer-core';
import { leaksOf, reachingDocx, texts } from './rendering.ts';

jest.setTimeout(60_000);

let canary: Canary;
let folder: string;

beforeAll(async () => {
  canary = await startCanary();
  folder = await mkdtemp(join(tmpdir(), 'karaar-unguarded-'));
});
afterAll(async () => {
  await canary.stop();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => void (canary.visits.length = 0));

it('an unguarded browser fetches the addresses in unescaped texts', async () => {
  const { page_details = '[]', ...fields } = texts(canary.url);
  const pages = JSON.parse(page_details) as { description: string }[];
  const markup = [...Object.values(fields), ...pages.map(({ description }) => description)].join('');
  const browser = await puppeteer.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage();
    await page.setContent(`<!doctype html>${markup}`, {
      waitUntil: 'load',
    });
    for (const path of [
      '/name.png',
      '/style.css',
      '/svg.png',
      '/script',
      '/embed',
      '/import.css',
      '/by-name1.png',
    ])
      expect(leaksOf(canary.visits, '')).toContainEqual({
        where: 'network',
        what: `${path} was fetched`,
      });
  } finally {
    await browser.close();
  }
});

it('an unguarded LibreOffice fetches the pictures of the Word file', async () => {
  await writeFile(join(folder, 'terms.docx'), reachingDocx(canary.url));
  await promisify(execFile)(
    SOFFICE,
    [
      `-env:UserInstallation=${pathToFileURL(join(folder, 'profile')).href}`,
      ...['--headless', '--convert-to', 'pdf', '--outdir', folder, join(folder, 'terms.docx')],
    ],
    { env: { PATH: process.env['PATH'], HOME: folder } },
  );
  for (const path of ['/image0.png', '/image1.png'])
    expect(leaksOf(canary.visits, '')).toContainEqual({ where: 'network', what: `${path} was fetched` });
});
