/** Prometheus's own tool evaluates the alert rules: they speak up when members, or all of them, are gone. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '@karaar/testing/machine/run';
import { parseAllDocuments, stringify } from 'yaml';
import { rules } from '../src/observed.ts';
import { k8sFolder } from '../src/render.ts';

const observed = join(k8sFolder, 'components', 'observed');
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'karaar-alerts-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

type Alert = { alert: string; labels?: Record<string, string> };

/** @throws Error with promtool's differences unless exactly `alerts` fire after three days of `series` */
async function expectAlerts(
  series: Readonly<Record<string, string>>,
  names: readonly string[],
  alerts: readonly Alert[],
): Promise<void> {
  const expectedOf = (name: string) => {
    const rule = rules.find(({ alert }) => alert === name);
    if (!rule) throw new Error(`The rules lack the alert ${name}`);
    return alerts
      .filter(({ alert }) => alert === name)
      .map(({ labels = {} }) => ({
        exp_labels: { ...rule.labels, ...labels },
        exp_annotations: {
          ...rule.annotations,
          summary: rule.annotations.summary.replaceAll(
            /\{\{ \$labels\.(\w+) \}\}/g,
            (_, label: string) => labels[label] ?? '',
          ),
        },
      }));
  };
  const asked = rules.filter(({ alert }) => names.includes(alert));
  writeFileSync(join(folder, 'rules.yaml'), stringify({ groups: [{ name: 'asked', rules: asked }] }));
  const file = join(folder, 'tests.yaml');
  const test = {
    rule_files: ['rules.yaml'],
    evaluation_interval: '5m',
    tests: [
      {
        interval: '5m',
        input_series: Object.entries(series).map(([name, value]) => ({ series: name, values: value })),
        alert_rule_test: names.map((name) => ({
          eval_time: '3d',
          alertname: name,
          exp_alerts: expectedOf(name),
        })),
      },
    ],
  };
  writeFileSync(file, stringify(test));
  await run('promtool', ['test', 'rules', file]);
}

const ALWAYS = '1x900';
const members = (metric: string, label: string, count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`${metric}{${label}="${at}"}`, ALWAYS]));
const away = 'ServiceAway';
/** The monitors of the component `state`. */
const STATE = ['nats', 'postgres', 'valkey'];
const jobs = parseAllDocuments(readFileSync(join(observed, 'monitors.yaml'), 'utf8'))
  .map((document) => document.toJS() as { kind: string; metadata: { name: string } })
  .map(({ kind, metadata: { name } }) => ({ name, job: kind === 'PodMonitor' ? `karaar/${name}` : name }));
const up = (value: string) =>
  Object.fromEntries(jobs.map(({ job }) => [`up{namespace="karaar",job="${job}"}`, value]));

it('a service whose pods are all gone is away, like one that does not answer', async () => {
  await expectAlerts(up(ALWAYS), [away], []);
  const mute = jobs.map(({ job }) => ({ alert: away, labels: { job, namespace: 'karaar' } }));
  await expectAlerts(up('0x900'), [away], mute);
  const gone = (alert: string, isState: boolean) =>
    jobs
      .filter(({ name }) => STATE.includes(name) === isState)
      .map(({ name }) => ({ alert, labels: { job: name } }));
  await expectAlerts({}, [away, 'StateAway'], [...gone(away, false), ...gone('StateAway', true)]);
  await expectAlerts(up(ALWAYS), ['StateAway'], []);
});

describe.each([
  ['NATS', 'BrokerMembersMissing', (count: number) => members('gnatsd_varz_connections', 'pod', count)],
  ['Valkey', 'CacheAway', (count: number) => members('redis_up', 'pod', count)],
  [
    'JetStream',
    'JetStreamMissing',
    (count: number) => members('jetstream_server_total_streams', 'server_name', count),
  ],
] as const)('of %s', (_, alert, series) => {
  it.each([3, 2, 1, 0])('%i members', async (count) => {
    await expectAlerts(series(count), [alert], count === 3 ? [] : [{ alert }]);
  });
});

it.each([
  ['two', { 'cnpg_pg_replication_streaming_replicas{pod="a"}': '2x900' }, []],
  [
    'one',
    { 'cnpg_pg_replication_streaming_replicas{pod="a"}': ALWAYS },
    [{ alert: 'PostgresReplicaMissing' }],
  ],
  ['no', {}, [{ alert: 'PostgresReplicaMissing' }]],
])('of PostgreSQL %s replicas', async (_, series, alerts) => {
  await expectAlerts(series, ['PostgresReplicaMissing'], alerts);
});

it.each([
  ['LedgerUnchecked', 'ledger_checked_at_seconds{proof="running"}', { proof: 'running' }],
  ['LedgerNotReadWhole', 'ledger_checked_at_seconds{proof="whole"}', { proof: 'whole' }],
  ['BooksUncompared', 'books_compared_at_seconds', {}],
  ['BackupTooOld', 'barman_cloud_cloudnative_pg_io_last_available_backup_timestamp', {}],
])('%s fires for an old time and for a missing one', async (alert, metric, labels) => {
  await expectAlerts({ [metric]: '0+300x900' }, [alert], []);
  await expectAlerts({ [metric]: ALWAYS }, [alert], [{ alert }]);
  await expectAlerts({}, [alert], [{ alert, labels }]);
});

it('disks without metrics are reported, as are those that fill', async () => {
  const names = ['DiskFills', 'DiskUnwatched'];
  const of = (metric: string) =>
    `kubelet_volume_stats_${metric}_bytes{namespace="karaar",persistentvolumeclaim="postgres-1"}`;
  const disk = (free: number) => ({ [of('available')]: `${free}x900`, [of('capacity')]: '100x900' });
  await expectAlerts(disk(50), names, []);
  const labels = { namespace: 'karaar', persistentvolumeclaim: 'postgres-1' };
  await expectAlerts(disk(10), names, [{ alert: 'DiskFills', labels }]);
  await expectAlerts({}, names, [{ alert: 'DiskUnwatched' }]);
});

it('one witness that does not cosign is reported, also while the quorum does', async () => {
  const series = {
    'transparency_log_witness_failing{witness="a"}': ALWAYS,
    'transparency_log_witness_failing{witness="b"}': '0x900',
  };
  await expectAlerts(series, ['WitnessFails'], [{ alert: 'WitnessFails', labels: { witness: 'a' } }]);
});
