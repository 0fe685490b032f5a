import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import puppeteer, { type Browser, type HTTPRequest, type Page } from 'puppeteer-core';
import { createConcurrencyLimit, deadline, orAborted } from './deadline.ts';
import { RenderError } from '../errors.ts';
import { killGroup } from './process.ts';
import { temporaryFolder } from './temp-folder.ts';
import type { RenderLimits } from '../types.ts';

/** The only address that is answered: the sheet itself, from memory. `.invalid` never resolves (RFC 2606). */
const SHEET_URL = 'http://sheet.invalid/';

const FLAGS = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-extensions',
  '--disable-breakpad',
  '--disable-dev-shm-usage',
  '--font-render-hinting=none',
  // Interception already blocks every request; this holds even if it had a hole.
  '--host-resolver-rules=MAP * ~NOTFOUND',
];

export interface BrowserPool {
  /** Print HTML to PDF. Scripts do not run, and nothing but data: URLs loads. */
  print(html: string, options: { signal: AbortSignal }): Promise<Uint8Array>;
  close(): Promise<void>;
}

interface Lease {
  browser: Browser;
  profile: string;
  /** Its TMPDIR: what it leaves there when it is killed goes with it. */
  temporary: string;
  jobs: number;
  active: number;
  /** Pages that wait, blank, for the next print: a new one costs a process start. */
  idle: Sheet[];
}

/** A browser page without scripts or network, and what it is to show next. */
interface Sheet {
  page: Page;
  html: string;
}

type PoolOptions = {
  chromiumPath: string;
  /** true when not given; root never has it. */
  sandbox?: boolean;
  workDir: string;
  limits: Pick<RenderLimits, 'browserLaunchMs' | 'printMs' | 'browserPages' | 'browserJobs'>;
};

/**
 * One Chromium for all prints: started with the first, replaced after `browserJobs` prints or when it
 * dies, killed when a print passes its deadline (a page that hangs cannot be closed politely).
 */
export function createBrowserPool(options: PoolOptions): BrowserPool {
  const { limits } = options;
  const limited = createConcurrencyLimit(limits.browserPages);
  const leases = createLeases(options);
  let closed = false;

  async function printOnce(html: string, signal: AbortSignal): Promise<Uint8Array> {
    const starting = leases.acquire();
    const lease = await orAborted(starting, signal);
    lease.active += 1;
    lease.jobs += 1;
    if (lease.jobs >= limits.browserJobs) leases.retire(starting);
    let healthy = false;
    try {
      const pdf = await orAborted(printOn(lease, html), signal);
      healthy = true;
      return pdf;
    } catch (cause) {
      if (cause instanceof RenderError) throw cause;
      throw new RenderError('browser_failed', 'The page printer stopped while printing.', { cause });
    } finally {
      lease.active -= 1;
      if (!healthy) leases.retire(starting);
      if (!leases.isCurrent(starting) && lease.active === 0) await leases.end(starting);
    }
  }

  return {
    async print(html, { signal: outer }) {
      if (closed) throw new RenderError('aborted', 'The page printer is closed.');
      return limited(async () => {
        const limit = deadline(limits.printMs, 'Printing the pages', outer);
        try {
          return await printOnce(html, limit.signal);
        } catch (error) {
          // A browser that died under this print says nothing about the page: try a fresh one once.
          const died = error instanceof RenderError && error.code === 'browser_failed';
          if (!died || limit.signal.aborted || closed) throw error;
          return await printOnce(html, limit.signal);
        } finally {
          limit.done();
        }
      }, outer);
    },
    async close() {
      closed = true;
      await leases.close();
    },
  };
}

/** The browsers of a pool: the one that takes new prints, and retired ones until their last print has ended. */
function createLeases(options: PoolOptions) {
  const leases = new Set<Promise<Lease>>();
  const endings = new Set<Promise<void>>();
  let current: Promise<Lease> | undefined;

  function acquire(): Promise<Lease> {
    if (current) return current;
    const starting = launch(options);
    current = starting;
    leases.add(starting);
    starting.then(
      (lease) => lease.browser.once('disconnected', () => onGone(starting, lease)),
      () => {
        retire(starting);
        leases.delete(starting);
      },
    );
    return starting;
  }

  /** Give no more work to this browser; it ends when its last print has. */
  function retire(starting: Promise<Lease>): void {
    if (current === starting) current = undefined;
  }

  function onGone(starting: Promise<Lease>, lease: Lease): void {
    retire(starting);
    if (lease.active === 0) void end(starting); // else the print that sees the failure ends it
  }

  function end(starting: Promise<Lease>): Promise<void> {
    if (!leases.delete(starting)) return Promise.resolve();
    const ending = kill(starting).finally(() => endings.delete(ending));
    endings.add(ending);
    return ending;
  }

  return {
    acquire,
    retire,
    end,
    isCurrent: (starting: Promise<Lease>) => current === starting,
    async close(): Promise<void> {
      current = undefined;
      await Promise.all([...leases].map(end));
      await Promise.all(endings);
    },
  };
}

async function launch({ chromiumPath, sandbox, workDir, limits }: PoolOptions): Promise<Lease> {
  await mkdir(workDir, { recursive: true });
  const profile = await mkdtemp(join(workDir, 'chromium-'));
  const temporary = await temporaryFolder(profile);
  try {
    const browser = await puppeteer.launch({
      executablePath: chromiumPath,
      headless: true,
      pipe: true, // no debugging port for other processes to find
      userDataDir: profile,
      timeout: limits.browserLaunchMs,
      protocolTimeout: limits.printMs,
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      env: {
        PATH: process.env['PATH'] ?? '/usr/bin:/bin',
        HOME: profile,
        TMPDIR: temporary,
        LANG: 'C.UTF-8',
      },
      args: sandbox === false || process.getuid?.() === 0 ? ['--no-sandbox', ...FLAGS] : FLAGS,
    });
    return { browser, profile, temporary, jobs: 0, active: 0, idle: [] };
  } catch (cause) {
    await remove(profile, temporary);
    throw new RenderError('browser_failed', 'The page printer could not be started.', { cause });
  }
}

async function kill(starting: Promise<Lease>): Promise<void> {
  const lease = await starting.catch(() => undefined);
  if (!lease) return;
  // SIGKILL to the whole group: close() waits for pages, and a hung page never answers.
  const child = lease.browser.process();
  // A process that a signal killed has no exit code either, and no second exit event will come.
  if (child?.pid !== undefined && child.exitCode === null && child.signalCode === null) {
    const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    killGroup(child.pid);
    await gone;
  }
  await lease.browser.disconnect().catch(() => undefined);
  await remove(lease.profile, lease.temporary);
}

/** A page that failed is not used again: its lease is retired by the caller. */
async function printOn(lease: Lease, html: string): Promise<Uint8Array> {
  const sheet = lease.idle.pop() ?? (await openSheet(lease.browser));
  sheet.html = html;
  await sheet.page.goto(SHEET_URL, { waitUntil: 'load' });
  const pdf = await sheet.page.pdf({
    preferCSSPageSize: true,
    printBackground: true,
    tagged: false,
    waitForFonts: true,
  });
  void blank(sheet).then(
    () => lease.idle.push(sheet),
    () => undefined, // the browser ended meanwhile; the next print opens another page
  );
  return pdf;
}

/** Names and photos do not linger in a page that waits. */
async function blank(sheet: Sheet): Promise<void> {
  sheet.html = '';
  await sheet.page.goto(SHEET_URL, { waitUntil: 'load' });
}

async function openSheet(browser: Browser): Promise<Sheet> {
  const page = await browser.newPage();
  const sheet: Sheet = { page, html: '' };
  await page.setJavaScriptEnabled(false);
  await page.setCacheEnabled(false);
  await page.setRequestInterception(true);
  page.on('request', (request) => void answer(request, sheet.html));
  return sheet;
}

async function answer(request: HTTPRequest, html: string): Promise<void> {
  const url = request.url();
  try {
    if (url.startsWith('data:')) await request.continue();
    else if (url === SHEET_URL && request.isNavigationRequest())
      await request.respond({ status: 200, contentType: 'text/html; charset=utf-8', body: html });
    else await request.abort('blockedbyclient');
  } catch {
    // The page was closed while the request was open: nobody waits for an answer any more.
  }
}

/** Helpers of a browser that was killed may still write while they end. */
async function remove(...folders: string[]): Promise<void> {
  for (const folder of folders)
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
}
