/** Lighthouse with its mobile profile: simulated slow 4G and a 4× slower processor. */
import lighthouse, { type Result } from 'lighthouse';
import type { Page } from 'puppeteer-core';

export const CATEGORIES = ['performance', 'accessibility', 'best-practices'] as const;
/** A request as Lighthouse reports it; the times are milliseconds since the navigation. */
type Request = {
  url: string;
  resourceType: string;
  /** Bytes including headers. */
  transferSize: number;
  networkRequestTime: number;
  networkEndTime: number;
};

export type Visit = {
  scores: Record<(typeof CATEGORIES)[number], number>;
  layoutShift: number;
  requests: Request[];
  /** The observed, not simulated, time of the largest contentful paint in milliseconds. */
  paintedAt: number;
  /** The audits that cost points. */
  faults: string[];
};

/** Visits a page with an empty cache. @throws Error when Lighthouse has no result */
export async function visit(page: Page, url: string): Promise<Visit> {
  const flags = { onlyCategories: [...CATEGORIES], logLevel: 'error' as const };
  // Its types are those of another copy of puppeteer-core.
  const result = await lighthouse(url, flags, undefined, page as never);
  if (!result) throw new Error(`Lighthouse has no result for ${url}`);
  const { lhr } = result;
  if (lhr.runtimeError) throw new Error(lhr.runtimeError.message);
  const score = (name: string) => Math.round((lhr.categories[name]?.score ?? Number.NaN) * 100);
  const { details } = lhr.audits['network-requests'] ?? {};
  return {
    scores: Object.fromEntries(CATEGORIES.map((name) => [name, score(name)])) as Visit['scores'],
    layoutShift: lhr.audits['cumulative-layout-shift']?.numericValue ?? Number.NaN,
    requests: details?.type === 'table' ? details.items.map(requestOf) : [],
    paintedAt: paintedAt(lhr),
    faults: faultsOf(lhr),
  };
}

const requestOf = (item: Record<string, unknown>): Request => ({
  url: String(item['url']),
  resourceType: String(item['resourceType']),
  transferSize: Number(item['transferSize']),
  networkRequestTime: Number(item['networkRequestTime']),
  networkEndTime: Number(item['networkEndTime']),
});

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
 * Returns the longest chain of a remote's files in which each was requested after the previous one had arrived, between
 * its entry and the largest paint; 0 when all arrived with the entry. Later files are for the next screens.
 */
export function hopsAfterEntry({ requests, paintedAt: painted }: Visit): number {
  const entry = requests.find(({ url }) => /\/remoteEntry\.[0-9a-f]+\.js$/.test(url));
  if (!entry || Number.isNaN(painted)) return Number.NaN;
  let hops = 0;
  let free = entry.networkEndTime;
  for (const { url, networkRequestTime, networkEndTime } of requests.toSorted(
    (a, b) => a.networkRequestTime - b.networkRequestTime,
  )) {
    if (!url.includes('/mfe/') || networkRequestTime < free || networkRequestTime >= painted) continue;
    hops += 1;
    free = networkEndTime;
  }
  return hops;
}
