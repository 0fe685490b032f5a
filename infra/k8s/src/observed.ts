/** The metrics that dashboards and alert rules use. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { k8sFolder } from './render.ts';

const folder = join(k8sFolder, 'components', 'observed');

/** The metrics of Node's Prometheus client that we use. */
export const OF_NODE: ReadonlySet<string> = new Set([
  'nodejs_eventloop_lag_p99_seconds',
  'process_resident_memory_bytes',
  'process_cpu_seconds_total',
]);

/** The metrics of Prometheus and of exporters that we use. */
export const OF_OTHERS: ReadonlySet<string> = new Set([
  'up',
  'cnpg_pg_replication_lag',
  'cnpg_pg_replication_streaming_replicas',
  'barman_cloud_cloudnative_pg_io_last_available_backup_timestamp',
  'cnpg_pg_stat_archiver_seconds_since_last_archival',
  'gnatsd_varz_connections',
  'redis_up',
  'jetstream_server_total_message_bytes',
  'jetstream_server_max_storage',
  'jetstream_server_total_streams',
  'jetstream_server_jetstream_disabled',
  'kubelet_volume_stats_available_bytes',
  'kubelet_volume_stats_capacity_bytes',
]);

/** Returns the metrics of a PromQL expression, without its functions and labels. */
export function metricsOf(expression: string): string[] {
  const plain = expression
    .replaceAll(/"[^"]*"/g, '""')
    .replaceAll(/\{[^}]*\}/g, '')
    .replaceAll(/\b(by|without|on|ignoring)\s*\([^)]*\)/g, '')
    .replaceAll(/\[[^\]]*\]/g, '');
  return [...plain.matchAll(/[a-z_][a-z0-9_]*(?!\w|\s*\()/gi)]
    .map(([name]) => name)
    .filter((name) => !['and', 'or', 'unless'].includes(name));
}

type Rule = {
  alert: string;
  expr: string;
  labels: Record<string, string>;
  annotations: { summary: string; runbook: string };
};
type Rules = { spec: { groups: { rules: Rule[] }[] } };
export const rules = parseAllDocuments(readFileSync(join(folder, 'rules.yaml'), 'utf8'))
  .map((document) => document.toJS() as Rules)
  .flatMap(({ spec }) => spec.groups.flatMap((group) => group.rules));

type Dashboard = { panels: { title: string; targets: { expr: string }[] }[] };
export const dashboards = readdirSync(join(folder, 'dashboards')).map((name) => ({
  name,
  ...(JSON.parse(readFileSync(join(folder, 'dashboards', name), 'utf8')) as Dashboard),
}));

export const asked = (): Set<string> =>
  new Set(
    [...rules, ...dashboards.flatMap(({ panels }) => panels.flatMap(({ targets }) => targets))].flatMap(
      ({ expr }) => metricsOf(expr),
    ),
  );
