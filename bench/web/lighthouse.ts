/** Lighthouse as a phone sees a page (its own mobile profile: slow 4G and a 4× slower processor, simulated). */
import lighthouse, { type Result } from 'lighthouse';
import type { Page } from 'puppeteer-core';

export const CATEGORIES = ['performance', 'accessibility', 'best-practices'] as const;

export type Request = {
  url: string;
  type: string;
  /** Bytes on the wire, with headers. */
  bytes: number;
  /** Milliseconds since the page was asked for. */
  start: number;
  end: number;
};

/** Milliseconds, and the layout shift as it is. */
const METRICS = [
  'first-contentful-paint',
  'largest-contentful-paint',
  'total-blocking-time',
  'cumulative-layout-shift',
] as const;

export type Visit = {
  scores: Record<(typeof CATEGORIES)[number], number>;
  metrics: Record<(typeof METRICS)[number], number>;
  requests: Request[];
  /** Milliseconds until the largest part was painted in this visit itself, not in the simulation. */
  paintedAt: number;
  /** Audits that cost points, by id. */
  faults: string[];
};

/** One visit with an empty cache. Throws when Lighthouse could not look at the page. */
export async function visit(page: Page, url: string): Promise<Visit> {
  const flags = { onlyCategories: [...CATEGORIES], logLevel: 'error' as const };
  // Its types are of another copy of the same browser driver.
  const result = await lighthouse(url, flags, undefined, page as never);
  if (!result) throw new Error(`Lighthouse has nothing to say of ${url}`);
  const { lhr } = result;
  if (lhr.runtimeError) throw new Error(lhr.runtimeError.message);
  const score = (name: string) => Math.round((lhr.categories[name]?.score ?? Number.NaN) * 100);
  const metric = (name: string) => lhr.audits[name]?.numericValue ?? Number.NaN;
  return {
    scores: Object.fromEntries(CATEGORIES.map((name) => [name, score(name)])) as Visit['scores'],
    metrics: Object.fromEntries(METRICS.map((name) => [name, metric(name)])) as Visit['metrics'],
    requests: linesOf(lhr).map((item) => ({
      url: item.url,
      type: item.resourceType ?? 'Other',
      bytes: item.transferSize,
      start: item.networkRequestTime,
      end: item.networkEndTime,
    })),
    paintedAt: paintedAt(lhr),
    faults: faultsOf(lhr),
  };
}

type Item = {
  url: string;
  resourceType?: string;
  transferSize: number;
  networkRequestTime: number;
  networkEndTime: number;
};

/** Lighthouse's types leave open what the lines of a table hold. */
function linesOf(lhr: Result): Item[] {
  const { details } = lhr.audits['network-requests'] ?? {};
  return details?.type === 'table' ? (details.items as unknown as Item[]) : [];
}

function paintedAt(lhr: Result): number {
  const { details } = lhr.audits['metrics'] ?? {};
  const [all] = details?.type === 'debugdata' ? ((details['items'] ?? []) as Record<string, number>[]) : [];
  return all?.['observedLargestContentfulPaint'] ?? Number.NaN;
}

function faultsOf(lhr: Result): string[] {
  return CATEGORIES.flatMap((name) =>
    (lhr.categories[name]?.auditRefs ?? [])
      .filter(({ id, weight }) => weight > 0 && (lhr.audits[id]?.score ?? 1) < 0.9)
      .map(({ id }) => `${name}: ${id} (${lhr.audits[id]?.displayValue ?? 'no'})`),
  );
}

/**
 * How many of a remote's files were only asked for one after the other, once its entry was there, before the page was
 * painted (what is fetched afterwards is for the next screens): the longest chain of files each of which was asked for
 * after the one before had come. 0 when all of them came with the entry.
 */
export function hopsAfterEntry({ requests, paintedAt: painted }: Visit): number {
  const entry = requests.find(({ url }) => /\/remoteEntry\.[0-9a-f]+\.js$/.test(url));
  if (!entry || Number.isNaN(painted)) return Number.NaN;
  const later = requests
    .filter(({ url, start }) => url.includes('/mfe/') && start >= entry.end && start < painted)
    .sort((a, b) => a.start - b.start);
  let hops = 0;
  let free = entry.end;
  for (const { start, end } of later) {
    if (start < free) continue;
    hops += 1;
    free = end;
  }
  return hops;
}
