import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { createConcurrencyLimit, deadline, orAborted } from './deadline.ts';
import { RenderError } from '../errors.ts';
import { killGroup } from './process.ts';
import { temporaryFolder } from './temp-folder.ts';
import type { RenderLimits } from '../types.ts';

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
  // A second barrier: interception already blocks every request.
  '--host-resolver-rules=MAP * ~NOTFOUND',
];

export interface BrowserPool {
  /** Prints HTML to PDF. Scripts do not run, and only data: URLs load. */
  print(html: string, options: { signal: AbortSignal }): Promise<Uint8Array>;
  close(): Promise<void>;
}

interface Lease {
  browser: Browser;
  profile: string;
  /** The browser's TMPDIR, removed after its end, because a killed browser leaves files. */
  temporary: string;
  jobs: number;
  active: number;
  /** Blank pages for the next prints: a new page costs the start of a process. */
  idle: Page[];
}

type PoolOptions = {
  chromiumPath: string;
  /** The default is true; never used for root. */
  sandbox?: boolean;
  workDir: string;
  limits: Pick<RenderLimits, 'browserLaunchMs' | 'printMs' | 'browserPages' | 'browserJobs'>;
};

/**
 * Returns a pool with one Chromium for all prints: started with the first, replaced after `browserJobs`
 * prints or its death, killed if a print exceeds its deadline (a page that hangs cannot be closed).
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
          // The page may not have caused the death of the browser: retry once with a new browser.
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

/** The browsers of a pool: one for new prints, and retired ones until their last print has ended. */
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

  function retire(starting: Promise<Lease>): void {
    if (current === starting) current = undefined;
  }

  function onGone(starting: Promise<Lease>, lease: Lease): void {
    retire(starting);
    if (lease.active === 0) void end(starting); // otherwise the print that sees the failure ends it
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
      pipe: true, // no debugging port that other processes could find
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
    // A pipe can fail after puppeteer has stopped listening, and would end our process.
    for (const pipe of browser.process()?.stdio ?? []) pipe?.on('error', () => undefined);
    return { browser, profile, temporary, jobs: 0, active: 0, idle: [] };
  } catch (cause) {
    await remove(profile, temporary);
    throw new RenderError('browser_failed', 'The page printer could not be started.', { cause });
  }
}

async function kill(starting: Promise<Lease>): Promise<void> {
  const lease = await starting.catch(() => undefined);
  if (!lease) return;
  // SIGKILL to the whole group: close() waits for pages, and a page that hangs never answers.
  const child = lease.browser.process();
  // A process killed by a signal has no exit code, and sends no second exit event.
  if (child?.pid !== undefined && child.exitCode === null && child.signalCode === null) {
    const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    killGroup(child.pid);
    await gone;
  }
  await lease.browser.disconnect().catch(() => undefined);
  await remove(lease.profile, lease.temporary);
}

/** If this throws, the caller retires the lease: a failed page is not used again. */
async function printOn(lease: Lease, html: string): Promise<Uint8Array> {
  const page = lease.idle.pop() ?? (await openPage(lease.browser));
  await show(page, html);
  const pdf = await page.pdf({
    preferCSSPageSize: true,
    printBackground: true,
    tagged: false,
    waitForFonts: true,
  });
  // Names and photos must not remain in an idle page.
  void show(page, '').then(
    () => lease.idle.push(page),
    () => undefined, // the browser ended meanwhile; the next print opens another page
  );
  return pdf;
}

/** Replaces the content and waits for its images. A navigation would take twice the processor time. */
const show = (page: Page, html: string): Promise<void> => page.setContent(html, { waitUntil: 'load' });

/** The page's policy for every content: an element adds it to the document, and `document.open` keeps it. */
const POLICY = `<meta http-equiv="Content-Security-Policy"
  content="default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:">`;

/** Opens a page without scripts or network. */
async function openPage(browser: Browser): Promise<Page> {
  const page = await browser.newPage();
  await page.setJavaScriptEnabled(false);
  await page.setRequestInterception(true);
  page.on('request', (request) => {
    // An aborted navigation leaves the page as it is; a blocked one would show an error page.
    const answer = request.url().startsWith('data:') ? request.continue() : request.abort('aborted');
    answer.catch(() => undefined); // the page was closed meanwhile, so that nothing waits for the answer
  });
  await show(page, POLICY);
  return page;
}

/** Retries, because helpers of a killed browser may still write. */
async function remove(...folders: string[]): Promise<void> {
  for (const folder of folders)
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
}
