/** Dashboards and alerts use metrics that exist, and name runbooks that exist. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cloneRoot } from '@karaar/testing/roots';
import { dashboards, metricsOf, OF_NODE, OF_OTHERS, rules } from '../src/observed.ts';

function* sources(dir: string): Generator<string> {
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    const path = join(dir, entry.name);
    if (entry.name === 'node_modules' || entry.name === 'test' || entry.name === 'dist') continue;
    if (entry.isDirectory()) yield* sources(path);
    else if (entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts')) yield readFileSync(path, 'utf8');
  }
}

const METRIC = /\b(counter|gauge|histogram|gaugeOnScrape)\(\s*\{\s*name: '([a-z_]+)'/g;

/** Returns the metrics of our code by the names that Prometheus stores. */
function ownMetrics(): Set<string> {
  const names = new Set<string>();
  for (const root of ['libs', 'services', 'gateway/src'])
    for (const text of sources(join(cloneRoot, root)))
      for (const [, kind, name] of text.matchAll(METRIC)) {
        names.add(name ?? '');
        if (kind === 'histogram') for (const part of ['bucket', 'count', 'sum']) names.add(`${name}_${part}`);
      }
  return names;
}

const known = ownMetrics();
const unknown = (expression: string) =>
  metricsOf(expression).filter((name) => !known.has(name) && !OF_NODE.has(name) && !OF_OTHERS.has(name));

it('finds the metrics of our code and the names in an expression', () => {
  expect([...known]).toEqual(
    expect.arrayContaining(['http_request_duration_seconds_bucket', 'outbox_parked', 'ledger_faults']),
  );
  expect(metricsOf('sum by (job) (rate(no_such_total{a="b"}[5m])) / 2 > max(outbox_parked)')).toEqual([
    'no_such_total',
    'outbox_parked',
  ]);
});

it.each(rules)('alert $alert asks for metrics that exist and names a runbook', ({ expr, annotations }) => {
  expect(metricsOf(expr)).not.toEqual([]);
  expect(unknown(expr)).toEqual([]);
  const [file = '', anchor = ''] = annotations.runbook.split('#');
  const headings = [...readFileSync(join(cloneRoot, file), 'utf8').matchAll(/^#+ (.*)$/gm)];
  const anchors = headings.map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^a-z0-9 -]/g, '')
      .replaceAll(' ', '-'),
  );
  expect(anchors).toContain(anchor);
});

it.each(dashboards)('dashboard $name shows metrics that exist', ({ panels }) => {
  for (const { title, targets } of panels)
    for (const { expr } of targets) expect([title, unknown(expr)]).toEqual([title, []]);
});
